"""How often each raw value came: from the samples themselves, or from what the target accumulated of them.

Ranks are those of all samples in order, counted from 0. Where the target counted values without keeping them, the ranks
that they fill have no value, and `at` says so; their number is known all the same. A value of which only the bin is
known is taken as the largest that the bin holds, so no figure is too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Accumulated, Pile

PIECE = 1 << 20
"""Samples turned into wider numbers together, so that no second copy of a long series is ever alive."""


@dataclass(frozen=True)
class Distribution:
    values: NDArray[np.int64] | NDArray[np.int32]  # rising; distinct where `upto` is given
    upto: NDArray[np.int64] | None  # samples up to and with each value; None: each value is one sample
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
        if self.upto is None:
            return int(self.values[rank])
        place = rank - self.under
        if place < 0 or not len(self.upto) or place >= self.upto[-1]:
            return None
        return int(self.values[np.searchsorted(self.upto, place, side="right")])

    def below(self, ticks: int) -> int:
        """Number of samples of less than `ticks`; within a range without values, those below the range."""
        if ticks > self.most or ticks <= self.least:
            return self.n if ticks > self.most else 0
        if self.upto is None:
            return int(np.searchsorted(self.values, self.values.dtype.type(ticks)))
        place = int(np.searchsorted(self.values, ticks))
        known = int(self.upto[place - 1]) if place else 0
        # The smallest is below, and the largest is not, whatever their bins would say.
        return min(max(1, known + (self.under if ticks >= 0 else 0)), self.n - 1)


def of_samples(ordered: NDArray[np.int64] | NDArray[np.int32]) -> Distribution:
    """Of raw values in order; at least one."""
    return Distribution(ordered, None, len(ordered), int(ordered[0]), int(ordered[-1]), sum_of(ordered))


def joined(ordered: NDArray[np.int64] | NDArray[np.int32], piles: Sequence[tuple[Pile, Accumulated]]) -> Distribution:
    """Of raw values in order (at least one), and of all that was accumulated beside them."""
    full = [(pile, kept) for pile, kept in piles if pile.count]
    distinct, counts = np.unique(ordered, return_counts=True)
    values = [distinct.astype(np.int64)]
    weights = [counts.astype(np.int64)]
    for pile, kept in full:
        values += [np.minimum(pile.bins * kept.width + (kept.width - 1), pile.max), pile.values]
        weights += [pile.counts, np.ones(len(pile.values), np.int64)]
    merged, place = np.unique(np.concatenate(values), return_inverse=True)
    weight = np.zeros(len(merged), np.int64)
    np.add.at(weight, place.reshape(-1), np.concatenate(weights))
    n = len(ordered) + sum(pile.count for pile, _ in full)
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
        n=n,
        least=min([int(ordered[0]), *(pile.min for pile, _ in full)]),
        most=max([int(ordered[-1]), *(pile.max for pile, _ in full)]),
        total=sum_of(ordered) + sum(pile.total for pile, _ in full),
        under=under or 0,
        limit=limit,
    )


def sum_of(ticks: NDArray[np.int64] | NDArray[np.int32]) -> int:
    """The exact sum, whatever the values: pieces so small, and the halves of 64 bits apart, that nothing overflows."""
    total = 0
    for first in range(0, len(ticks), PIECE):
        piece = ticks[first : first + PIECE].astype(np.int64)
        total += (int((piece >> 32).sum()) << 32) + int((piece & 0xFFFF_FFFF).sum())
    return total
