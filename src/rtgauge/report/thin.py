"""Thinning of series for diagrams. Pure functions; no extreme is ever lost.

A diagram of every sample would weigh megabytes. What is dropped here lies between two samples that are kept in the
same slice of time, so a band, a period or a single outlier stays to be seen. Series are read in pieces: one of ten
million samples costs no more memory than one of a quarter million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Fetch = Callable[[int, int], tuple[Floats, Floats]]
"""fetch(low, high) -> (x, value) of the samples low to high - 1."""

LIMIT = 1500  # points of one diagram: two for each pixel of a wide page
ALWAYS = 32  # the largest samples of the whole series, kept whatever their slice
_SHARE_OF_EXTREMES = 2 / 3  # of the points; the rest shows how dense the samples lie between them
_PIECE = 1 << 18
_GOLDEN = (5**0.5 - 1) / 2


def samples(fetch: Fetch, n: int, limit: int = LIMIT) -> tuple[Indices, Floats, Floats]:
    """(index, x, value) of at most `limit` (>= 128) of `n` samples to draw, by rising x.

    Kept: the first and the last sample, the `ALWAYS` largest, the smallest and the largest of each of many equal
    slices of x, and an even choice of the rest. Samples that are not finite cannot be drawn and are left out.
    """
    if limit < 128:
        raise ValueError("limit below 128 leaves no room for the extremes")
    kept = np.arange(n) if n <= limit else _chosen(fetch, n, limit)
    x, value = _gather(fetch, n, kept)
    drawable = np.isfinite(x) & np.isfinite(value)
    kept, x, value = kept[drawable], x[drawable], value[drawable]
    order = np.argsort(x, kind="stable")
    return kept[order], x[order], value[order]


def tail(fetch: Fetch, n: int, limit: int = 300) -> tuple[Floats, Floats]:
    """The share of samples at or above each of at most `limit` values, from all (1.0) down to the largest (1/n).

    The largest samples are all there; towards the bulk the ranks are spaced logarithmically. Values keep the seven
    digits that a diagram can show.
    """
    ranked = np.empty(n, dtype=np.float32)
    for low, _, value in _pieces(fetch, n):
        ranked[low : low + value.size] = value
    ranked = ranked[np.isfinite(ranked)]
    ranked.sort()
    n = ranked.size
    if n == 0:
        return np.empty(0), np.empty(0)
    top = np.arange(1, min(n, limit // 3) + 1)
    spaced = np.rint(np.geomspace(1, n, limit - top.size - 1)).astype(np.int64)
    ranks = np.unique(np.concatenate((top, spaced, [n])))
    shown = np.unique(ranked[n - ranks])
    share = (n - np.searchsorted(ranked, shown, side="left")) / n
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


def _pieces(fetch: Fetch, n: int) -> Iterator[tuple[int, Floats, Floats]]:
    for low in range(0, n, _PIECE):
        x, value = fetch(low, min(low + _PIECE, n))
        yield low, x, value


def _gather(fetch: Fetch, n: int, kept: Indices) -> tuple[Floats, Floats]:
    found = [
        (x[some - low], value[some - low])
        for low, x, value in _pieces(fetch, n)
        for some in (kept[(kept >= low) & (kept < low + _PIECE)],)
    ]
    if not found:
        return np.empty(0), np.empty(0)
    return np.concatenate([x for x, _ in found]), np.concatenate([value for _, value in found])


def _chosen(fetch: Fetch, n: int, limit: int) -> Indices:
    slices = int(limit * _SHARE_OF_EXTREMES) // 2 - ALWAYS // 2 - 1
    firm = np.unique(np.concatenate(([0, n - 1], *_extremes(fetch, n, slices), _largest(fetch, n))))
    room = limit - firm.size
    # one of each of `room` equal stretches, at a place that steps by the golden ratio: no period matches that
    stretch = n / room
    places = (np.arange(room) + (np.arange(room) * _GOLDEN) % 1.0) * stretch
    return np.union1d(firm, np.minimum(places.astype(np.int64), n - 1))


def _extremes(fetch: Fetch, n: int, slices: int) -> tuple[Indices, Indices]:
    """Indices of the smallest and of the largest sample of each slice of x that holds any."""
    first, last = np.inf, -np.inf
    for _, x, value in _pieces(fetch, n):
        times = x[np.isfinite(x) & np.isfinite(value)]
        if times.size:
            first, last = min(first, times.min()), max(last, times.max())
    best = (np.full(slices, np.inf), np.full(slices, -np.inf))
    where = (np.full(slices, -1, dtype=np.int64), np.full(slices, -1, dtype=np.int64))
    for low, x, value in _pieces(fetch, n):
        drawable = np.flatnonzero(np.isfinite(x) & np.isfinite(value))
        if drawable.size == 0:
            continue
        x, value = x[drawable], value[drawable]
        span = max(last - first, np.finfo(np.float64).tiny)
        of_slice = np.clip((x - first) / span * slices, 0, slices - 1).astype(np.int64)
        ranked = np.lexsort((value, of_slice))  # by slice, then by value
        here, starts = np.unique(of_slice[ranked], return_index=True)
        ends = np.append(starts[1:], ranked.size) - 1
        for side, (places, better) in enumerate(((starts, np.less), (ends, np.greater))):
            found = ranked[places]
            improves = better(value[found], best[side][here])
            best[side][here[improves]] = value[found[improves]]
            where[side][here[improves]] = drawable[found[improves]] + low
    return where[0][where[0] >= 0], where[1][where[1] >= 0]


def _largest(fetch: Fetch, n: int) -> Indices:
    index: Indices = np.empty(0, dtype=np.int64)
    top: Floats = np.empty(0)
    for low, _, piece in _pieces(fetch, n):
        value = np.where(np.isfinite(piece), piece, -np.inf)
        some: Indices = np.argpartition(value, -min(ALWAYS, value.size))[-ALWAYS:]
        index, top = np.concatenate((index, some + low)), np.concatenate((top, value[some]))
        best = np.argsort(top, kind="stable")[-ALWAYS:]
        index, top = index[best], top[best]
    return index
