"""Thinning of series for diagrams. Pure functions; no extreme is ever lost.

A diagram of every sample would weigh megabytes. What is dropped here lies between two samples that are kept in the
same slice of time, so a band, a period or a single outlier stays to be seen. Series are read once, in pieces: one of a
hundred million samples costs no more memory than one of a quarter million. What a block of neighbours holds at most is
all that is kept of it; only blocks that lie across the edge of a slice are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Column = NDArray[Any]
Fetch = Callable[["slice | Indices"], tuple[Column, Column]]
"""fetch(which) -> (x, value) of these samples: whole numbers or finite ones."""

LIMIT = 1500  # points of one diagram: two for each pixel of a wide page
ALWAYS = 32  # the largest samples of the whole series, kept whatever their slice
_SHARE_OF_EXTREMES = 2 / 3  # of the points; the rest shows how dense the samples lie between them
_PIECE = 1 << 18  # samples read together, some whole blocks
_BLOCK = 1 << 10  # neighbours
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class _Blocks:
    """Of each block: the range of x, and which sample is the smallest and which the largest, the first of equals."""

    low: Column
    high: Column
    least: Indices
    least_value: Column
    most: Indices
    most_value: Column


def samples(fetch: Fetch, n: int, limit: int = LIMIT) -> tuple[Indices, Column, Column]:
    """(index, x, value) of at most `limit` (>= 128) of `n` samples to draw, by rising x.

    Kept: the first and the last sample, the `ALWAYS` largest, the smallest and the largest of each of many equal
    slices of x, and an even choice of the rest.
    """
    if limit < 128:
        raise ValueError("limit below 128 leaves no room for the extremes")
    kept = np.arange(n) if n <= limit else _chosen(fetch, n, limit)
    x, value = fetch(kept)
    order = np.argsort(x, kind="stable")
    return kept[order], x[order], value[order]


def tail(value: Floats, count: Indices, limit: int = 300) -> tuple[Floats, Floats]:
    """The share of samples at or above each of at most `limit` values, from all (1.0) down to the largest (1/n).

    `value`: different ones, rising; `count`: samples of each. The largest samples are all there; towards the bulk the
    ranks are spaced logarithmically. Values keep the seven digits that a diagram can show.
    """
    if not value.size:
        return np.empty(0), np.empty(0)
    seen, upto = value.astype(np.float32), np.concatenate(([0], np.cumsum(count)))
    n = int(upto[-1])
    top = np.arange(1, min(n, limit // 3) + 1)
    spaced = np.rint(np.geomspace(1, n, limit - top.size - 1)).astype(np.int64)
    ranks = np.unique(np.concatenate((top, spaced, [n])))
    shown = np.unique(seen[np.searchsorted(upto, n - ranks, side="right") - 1])
    share = (n - upto[np.searchsorted(seen, shown, side="left")]) / n
    return shown.astype(np.float64), share


def bins(rows: Floats, limit: int = 400) -> Floats:
    """A histogram of rows (from, to, count) with neighbours put together until at most `limit` are left.

    No count is lost: the sum stays, and so do the first `from` and the last `to`. Empty bins are dropped.
    """
    rows = rows[rows[:, 2] > 0] if rows.size else rows.reshape(0, 3)
    if len(rows) <= limit:
        return rows
    groups = np.array_split(np.arange(len(rows)), limit)
    return np.array([(rows[g[0], 0], rows[g[-1], 1], rows[g, 2].sum()) for g in groups])


def _chosen(fetch: Fetch, n: int, limit: int) -> Indices:
    slices = int(limit * _SHARE_OF_EXTREMES) // 2 - ALWAYS // 2 - 1
    blocks = _blocks(fetch, n)
    firm = np.unique(np.concatenate(([0, n - 1], _extremes(fetch, n, blocks, slices), _largest(fetch, n, blocks))))
    room = limit - firm.size
    # one of each of `room` equal stretches, at a place that steps by the golden ratio: no period matches that
    stretch = n / room
    places = (np.arange(room) + (np.arange(room) * _GOLDEN) % 1.0) * stretch
    return np.union1d(firm, np.minimum(places.astype(np.int64), n - 1))


def _blocks(fetch: Fetch, n: int) -> _Blocks:
    found = [one for low in range(0, n, _PIECE) for one in _of_piece(low, *fetch(slice(low, min(low + _PIECE, n))))]
    return _Blocks(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _of_piece(low: int, x: Column, value: Column) -> Iterator[tuple[Column, ...]]:
    """The fields of _Blocks for the whole blocks of a piece, and for the shorter one at its end."""
    whole = x.size - x.size % _BLOCK
    for begin, end, size in ((0, whole, _BLOCK), (whole, x.size, x.size - whole)):
        if begin < end:
            xs, values = x[begin:end].reshape(-1, size), value[begin:end].reshape(-1, size)
            first = np.arange(begin, end, size)
            least, most = first + values.argmin(axis=1), first + values.argmax(axis=1)
            yield xs.min(axis=1), xs.max(axis=1), least + low, value[least], most + low, value[most]


def _extremes(fetch: Fetch, n: int, blocks: _Blocks, slices: int) -> Indices:
    """Indices of the smallest and of the largest sample of each slice of x that holds any."""
    first, last = float(blocks.low.min()), float(blocks.high.max())
    span = max(last - first, float(np.finfo(np.float64).tiny))

    def number(x: Column) -> Indices:
        return np.clip((x.astype(np.float64) - first) / span * slices, 0, slices - 1).astype(np.int64)

    of_low = number(blocks.low)
    inside = of_low == number(blocks.high)
    parts = [
        (blocks.least[inside], blocks.least_value[inside], of_low[inside]),
        (blocks.most[inside], blocks.most_value[inside], of_low[inside]),
    ]
    for block in np.flatnonzero(~inside).tolist():
        low = block * _BLOCK
        x, value = fetch(slice(low, min(low + _BLOCK, n)))
        parts.append(_best(np.arange(low, low + x.size), value, number(x)))
    return _best(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))[0]


def _best(index: Indices, value: Column, number: Indices) -> tuple[Indices, Column, Indices]:
    """Those of the smallest and of the largest value of each number, the first of equals."""
    by_value = np.lexsort((index, value, number))
    falling = np.lexsort((-index, value, number))
    starts = np.flatnonzero(np.diff(number[by_value], prepend=-1))
    ends = np.append(starts[1:], number.size) - 1
    chosen = np.concatenate((by_value[starts], falling[ends]))
    return index[chosen], value[chosen], number[chosen]


def _largest(fetch: Fetch, n: int, blocks: _Blocks) -> Indices:
    """The ALWAYS largest are in as many blocks: those with the largest of all."""
    order = np.lexsort((-blocks.most, blocks.most_value))[-ALWAYS:]
    index = np.concatenate([np.arange(low, min(low + _BLOCK, n)) for low in (order * _BLOCK).tolist()])
    value = fetch(index)[1]
    found: Indices = index[np.lexsort((-index, value))[-ALWAYS:]]
    return found
