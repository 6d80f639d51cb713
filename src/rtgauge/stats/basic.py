"""Number, extremes, mean, median, percentiles, the first sample.

Percentiles use the nearest rank: the p-th percentile of n samples is the ceil(p / 100 * n)-th smallest, so each is a
sample that was really measured. A percentile is given only where at least one sample is expected beyond it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.view import PIECE, Statistic, View

PERCENTILES: Mapping[str, tuple[int, int]] = {
    "50": (1, 2),
    "99": (99, 100),
    "99.9": (999, 1000),
    "99.99": (9999, 10000),
}
"""Name of each percentile, and the share of samples up to it as a fraction; its denominator is the least n."""


def rank(n: int, share: tuple[int, int]) -> int:
    """Position, counted from 0, of a percentile among n sorted samples."""
    return -(-n * share[0] // share[1]) - 1


def supported(n: int) -> dict[str, int]:
    """Position of each percentile that n samples support; the median always."""
    return {name: rank(n, share) for name, share in PERCENTILES.items() if n >= share[1] or name == "50"}


def compute(view: View) -> dict[str, Any]:
    ticks, raw = view.samples.raw.ticks, view.samples.raw
    percentiles = {name: view.unit(int(view.ordered[at])) for name, at in supported(view.n).items()}
    first_is_there = not (raw.missing and raw.missing[0][0] == 0)
    rest = ticks[1:] if first_is_there else ticks
    return {
        "n": view.n,
        "negatives": view.below(view.samples.overhead_ticks),
        "min": view.unit(int(view.ordered[0])),
        "avg": view.unit(sum_of(ticks) / view.n),
        "max": view.unit(int(view.ordered[-1])),
        "median": percentiles["50"],
        "percentiles": percentiles,
        "first": view.unit(int(ticks[0])) if first_is_there else None,
        "max_after_first": view.unit(int(rest.max())) if len(rest) else None,
    }


def sum_of(ticks: NDArray[np.int64] | NDArray[np.int32]) -> int:
    """The exact sum, whatever the values: pieces so small, and the halves of 64 bits apart, that nothing overflows."""
    total = 0
    for first in range(0, len(ticks), PIECE):
        piece = ticks[first : first + PIECE].astype(np.int64)
        total += (int((piece >> 32).sum()) << 32) + int((piece & 0xFFFF_FFFF).sum())
    return total


STATISTIC = Statistic("basic", "sample", compute, always=True)
