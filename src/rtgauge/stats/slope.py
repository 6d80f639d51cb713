"""Cost against the small number that each sample carries (waiters, size): constant, or does it grow?

The line is Theil and Sen's through the medians of equal numbers, with its 95 % confidence interval. "constant": the
growth over the whole range is less than a tenth of the median or one step of the clock, whichever is more, or the
interval includes zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.basic import rank
from rtgauge.stats.view import Statistic, View, settled

_FEWEST = 5  # different numbers that a line needs
_MOST = 1_000  # points that the line is fitted to
_CONFIDENCE = 0.95
_RELEVANT = 0.1  # growth over the range as a share of the median


def compute(view: View) -> dict[str, Any]:
    """{"verdict", "slope" and its "low", "high" in the unit for each one more, "from", "to": the ends of the range,
    "at_from", "at_to": the medians there, "points"}; verdict None when there are too few different numbers."""
    numbers, medians = medians_by_number(view)
    made: dict[str, Any] = {"against": view.samples.raw.info.aux, "points": len(numbers), "verdict": None}
    made |= {"from": int(numbers[0]), "to": int(numbers[-1]), "at_from": medians[0], "at_to": medians[-1]}
    if len(numbers) < _FEWEST:
        return made
    slope, low, high = fit(numbers, np.array(medians))
    growth = slope * float(numbers[-1] - numbers[0])
    relevant = max(_RELEVANT * abs(view.unit(view.raw.one(rank(view.n, (1, 2))))), view.samples.resolution)
    # Growth that is relevant is above zero, and so is the upper end of its interval.
    constant = growth < relevant or low <= 0
    return made | {"verdict": "constant" if constant else "grows", "slope": slope, "low": low, "high": high}


def medians_by_number(view: View) -> tuple[NDArray[np.uint16], list[float]]:
    """The different numbers that samples carry, and the median (nearest rank) of each in the unit."""
    raw = view.samples.raw
    order = np.lexsort((raw.ticks, raw.aux))
    numbers, first = np.unique(raw.aux[order], return_index=True)
    ends = [*first[1:].tolist(), view.n]
    medians = [
        view.unit(int(raw.ticks[order[start + rank(end - start, (1, 2))]]))
        for start, end in zip(first.tolist(), ends, strict=True)
    ]
    return numbers, medians


def evenly(first: int, end: int, most: int) -> NDArray[np.int64]:
    """Positions from `first` to before `end`: all of them, or `most` evenly spread ones with both ends."""
    return np.unique(np.linspace(first, end - 1, most).astype(np.int64))


def fit(x: NDArray[Any], y: NDArray[Any]) -> tuple[float, float, float]:
    """Slope of y against x and its confidence interval; of points in between some are left out when there are many."""
    from scipy.stats import theilslopes  # slow to import

    some = evenly(0, len(x), _MOST)
    line = theilslopes(y[some], x[some], _CONFIDENCE)
    return settled(line.slope), settled(line.low_slope), settled(line.high_slope)


STATISTIC = Statistic("slope", "", compute)
