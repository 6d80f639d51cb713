"""One pass over the samples, block by block: the largest with their places, the maxima and middles of blocks.

Nothing as long as the series is ever copied, so a hundred million samples need no more memory than they have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCKS = 100
TOP = 2_000
"""Largest samples that are kept with their places; the tests of time and order look at these."""

_SOME = 1_000  # samples of a block that its middle is taken from
_LADDER = 4  # each step of the ladder below the threshold has so many times the samples above it

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Scan:
    """Values as they were given (e.g. ticks), as floating point."""

    n: int
    values: Floats  # the largest samples, in the order of measuring: all that exceed the smallest of them, at least
    places: Ints  # their positions
    maxima: Floats  # of each block
    medians: Floats  # of each block, from some of its samples
    size: int  # samples of a block
    ladder: tuple[tuple[float, int], ...]  # (value, samples above it), falling


def scan(values: NDArray[Any], keep: int = TOP) -> Scan:
    """ValueError where there are not enough samples for the blocks."""
    n, size = len(values), len(values) // BLOCKS
    if size < 1:
        raise ValueError("too few samples for blocks")
    keep = min(keep, n // 4)
    rng = np.random.default_rng(n)  # the same choice whenever it is computed again
    rungs = _rungs(values[np.sort(rng.integers(0, n, 1 << 16))], keep / n)
    counts = np.zeros(len(rungs), np.int64)
    top, at = np.empty(0, values.dtype), np.empty(0, np.int64)
    maxima, medians = np.empty(BLOCKS), np.empty(BLOCKS)
    floor = None
    for number in range(BLOCKS):
        first = number * size
        block = values[first : first + size if number < BLOCKS - 1 else n]
        maxima[number] = float(block.max())
        some = block if len(block) <= _SOME else block[rng.integers(0, len(block), _SOME)]
        medians[number] = float(np.median(some))
        counts += [np.count_nonzero(block > rung) for rung in rungs]
        which = _largest(block, keep) if floor is None else np.flatnonzero(block > floor)
        top, at = np.concatenate([top, block[which]]), np.concatenate([at, which + first])
        if len(top) > 2 * keep:
            best = np.sort(_largest(top, keep))
            top, at, floor = top[best], at[best], top[best].min()
    best = _largest(top, keep)
    best = best[np.argsort(at[best])]
    ladder = tuple((float(rung), int(count)) for rung, count in zip(rungs, counts, strict=True))
    return Scan(n, top[best].astype(np.float64), at[best], maxima, medians, size, ladder)


def _largest(values: NDArray[Any], most: int) -> Ints:
    """Positions of the `most` largest, in no order."""
    if len(values) <= most:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - most)[len(values) - most :]


def _rungs(some: NDArray[Any], share: float) -> list[Any]:
    """Values with about `share` of the samples above them, and 4, 16, ... times as many, down to the smallest."""
    ordered, rungs = np.sort(some), []
    while share < 1:
        rungs.append(ordered[len(ordered) - 1 - int(share * len(ordered))])
        share *= _LADDER
    return list(dict.fromkeys([*rungs, ordered[0]]))
