"""Does a value grow from sample to sample (memory that is not given back), or is it steady?

The first tenth is warm-up. "growing" needs all of: Mann and Kendall's test (ties allowed for) is significant, Theil and
Sen's slope is above zero, and the median of each quarter is above that of the quarter before. A single step up, such as
one more page for an allocator, is therefore no growth; a leak grows through all quarters.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.slope import evenly, fit
from rtgauge.stats.view import Statistic, View, settled

_WARM_UP = 10  # one part of so many is left out
_MOST = 2_000  # points tested
_FEWEST = 16
_SURE = 0.01
_QUARTERS = 4


def compute(view: View) -> dict[str, Any]:
    """{"verdict": "growing", "steady" or None (too few samples), "per_sample": growth in the unit for each sample with
    its "low" and "high", "total": last minus first after warm-up, "chance", "points"}."""
    first = view.n // _WARM_UP
    at = evenly(first, view.n, _MOST)
    ticks = view.samples.raw.ticks[at]
    total = (int(ticks[-1]) - int(ticks[0])) * view.samples.scale
    made: dict[str, Any] = {"verdict": None, "points": len(at), "total": total}
    if len(at) < _FEWEST:
        return made
    chance = _mann_kendall(ticks)
    slope, low, high = fit(at, ticks * view.samples.scale)
    rising = all(earlier < later for earlier, later in _neighbours(ticks))
    growing = chance < _SURE and slope > 0 and rising
    made |= {"per_sample": slope, "low": low, "high": high, "chance": settled(chance)}
    return made | {"verdict": "growing" if growing else "steady"}


def _mann_kendall(ticks: NDArray[Any]) -> float:
    """Two-sided chance of such an order without a trend: Kendall's tau against time, with ties."""
    from scipy.stats import kendalltau  # slow to import

    if ticks.min() == ticks.max():
        return 1.0
    return float(kendalltau(np.arange(len(ticks)), ticks, method="asymptotic").pvalue)


def _neighbours(ticks: NDArray[Any]) -> list[tuple[float, float]]:
    medians = [float(np.median(part)) for part in np.array_split(ticks, _QUARTERS)]
    return list(pairwise(medians))


STATISTIC = Statistic("trend", "", compute)
