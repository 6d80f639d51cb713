"""How often each raw value came: from the samples themselves, or from what the target accumulated of them.

Ranks are those of all samples in order, counted from 0. Where the target counted values without keeping them, the ranks
that they fill have no value, and `at` says so; their number is known all the same. A value of which only the bin is
known is taken as the largest that the bin holds, so no figure is too small.

Samples are counted, not sorted: most values lie close together, and counting costs little however many there are. Only
those far away from the rest are sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Accumulated, Pile

PIECE = 1 << 18
"""Samples counted together, so that no second copy of a long series is ever alive."""

_COUNTERS = 1 << 20  # different values that are counted one by one, at most; others are sorted
_SOME = 4096  # samples that show where most values lie


@dataclass(frozen=True)
class Distribution:
    values: NDArray[np.int64]  # different ones, rising
    upto: NDArray[np.int64]  # samples up to and with each value
    n: int
    least: int
    most: int
    total: int  # exact sum
    under: int = 0  # negative samples without a value
    limit: int | None = None  # samples from here on have no value

    def at(self, rank: int) -> int | None:
        """The value of that rank; None where it is not known."""
        if rank in (0, self.n - 1):
            return self.least if rank == 0 else self.most
        place = rank - self.under
        if place < 0 or not len(self.upto) or place >= self.upto[-1]:
            return None
        return int(self.values[np.searchsorted(self.upto, place, side="right")])

    def each(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """The values of these ranks, where all are known: of raw samples only."""
        return self.values[np.searchsorted(self.upto, ranks, side="right")]

    def one(self, rank: int) -> int:
        """The value of a rank, as `each` gives it."""
        return int(self.each(np.array([rank]))[0])

    @property
    def counts(self) -> NDArray[np.int64]:
        """Samples of each value."""
        return np.diff(self.upto, prepend=0)

    def below(self, ticks: int) -> int:
        """Number of samples of less than `ticks`; within a range without values, those below the range."""
        if ticks > self.most or ticks <= self.least:
            return self.n if ticks > self.most else 0
        place = int(np.searchsorted(self.values, ticks))
        known = int(self.upto[place - 1]) if place else 0
        # The smallest is below, and the largest is not, whatever their bins would say.
        return min(max(1, known + (self.under if ticks >= 0 else 0)), self.n - 1)


def of_samples(ticks: NDArray[np.int64] | NDArray[np.int32]) -> Distribution:
    """Of raw values in any order; at least one, and fewer than 2**31."""
    values, counts = _counted(ticks, *_window(ticks))
    return Distribution(
        values, np.cumsum(counts), len(ticks), int(values[0]), int(values[-1]), total_of(values, counts)
    )


def joined(raw: Sequence[Distribution], piles: Sequence[tuple[Pile, Accumulated]]) -> Distribution:
    """Of raw values (one set at least), and of all that was accumulated beside them."""
    full = [(pile, kept) for pile, kept in piles if pile.count]
    values, weights = [one.values for one in raw], [one.counts for one in raw]
    for pile, kept in full:
        values += [np.minimum(pile.bins * kept.width + (kept.width - 1), pile.max), pile.values]
        weights += [pile.counts, np.ones(len(pile.values), np.int64)]
    merged, place = np.unique(np.concatenate(values), return_inverse=True)
    weight = np.zeros(len(merged), np.int64)
    np.add.at(weight, place.reshape(-1), np.concatenate(weights))
    under = limit = None
    if any(pile.dropped_below for pile, _ in full):
        under = sum(pile.dropped_below for pile, _ in full) + int(weight[merged < 0].sum())
        merged, weight = merged[merged >= 0], weight[merged >= 0]
    if any(pile.dropped_beyond for pile, _ in full):
        limit = min(kept.bins * kept.width for pile, kept in full if pile.dropped_beyond)
        merged, weight = merged[merged < limit], weight[merged < limit]
    return Distribution(
        values=merged,
        upto=np.cumsum(weight),
        n=sum(one.n for one in raw) + sum(pile.count for pile, _ in full),
        least=min([*(one.least for one in raw), *(pile.min for pile, _ in full)]),
        most=max([*(one.most for one in raw), *(pile.max for pile, _ in full)]),
        total=sum(one.total for one in raw) + sum(pile.total for pile, _ in full),
        under=under or 0,
        limit=limit,
    )


def total_of(values: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """The exact sum of values that came so often, whatever they are: with the halves of 64 bits apart, the sums of
    fewer samples than 2**31 do not overflow."""
    upper, lower = values >> 32, values & 0xFFFF_FFFF
    return (int((upper * counts).sum()) << 32) + int((lower * counts).sum())


def _window(ticks: NDArray[np.int64] | NDArray[np.int32]) -> tuple[int, int]:
    """(first, last) of the values that are counted one by one, around the middle of some samples; not many more
    counters than samples."""
    least, most = int(ticks.min()), int(ticks.max())
    wide = min(_COUNTERS, len(ticks))
    some = np.sort(ticks[:: max(1, len(ticks) // _SOME)])
    first = max(least, min(int(some[len(some) // 2]) - wide // 2, most - wide + 1))
    return first, min(most, first + wide - 1)


def _counted(
    ticks: NDArray[np.int64] | NDArray[np.int32], first: int, last: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different values, rising, and how often each came; those from `first` to `last` are not sorted."""
    counters, aside = np.zeros(last - first + 1, np.int64), []
    for at in range(0, len(ticks), PIECE):
        piece = ticks[at : at + PIECE]
        if piece.min() < first or piece.max() > last:
            inside = (piece >= first) & (piece <= last)
            aside.append(piece[~inside])
            piece = piece[inside]
        found = np.bincount(piece - first)
        counters[: len(found)] += found
    others, often = _sorted(aside)
    near = np.flatnonzero(counters)
    low = int(np.searchsorted(others, first))
    values = np.concatenate([others[:low], near + first, others[low:]])
    return values, np.concatenate([often[:low], counters[near], often[low:]])


def _sorted(pieces: list[NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same of pieces that are sorted; they are used up, so that one copy of them is alive at a time."""
    if not pieces:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    every = np.concatenate(pieces)
    pieces.clear()
    every.sort()
    begin = np.flatnonzero(np.concatenate([[True], every[1:] != every[:-1]]))
    return every[begin].astype(np.int64), np.diff(begin, append=len(every))
