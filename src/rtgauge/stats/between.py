"""The spread of one figure between whole runs, beside what the samples within a run let expect.

The samples of one run are not independent: a run has one placement in memory, one set of neighbours, one phase to the
tick. So a figure moves from run to run by more than its samples tell, and only whole runs show by how much. `ratio` is
the standard deviation between runs over the standard error that independent samples would have; for the mean its
square is the F of a one-way analysis of variance. `chance` is how often runs that differ by nothing else would reach
such a ratio.

Standard errors within a run: of the mean, the standard deviation over the root of n; of a percentile, half the
distance of the percentiles one binomial standard deviation below and above it, which assumes no distribution. Both
hold half a step of the clock, the standard deviation of a figure that falls on one of two neighbouring steps: a shift
by one step from run to run, e.g. of the subtracted overhead, is no finding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Between

CONFIDENCE = 0.95
FEWEST = 2  # runs
SURE = 0.01  # a ratio that less than this share of equal runs reach: the runs differ
_LEAST_SAMPLES = 2  # that have a spread

Bins = Sequence[Sequence[float]]  # (from, to, count) of [from, to), rising


@dataclass(frozen=True)
class Within:
    """The spread within one run, in the unit of its samples."""

    p25: float
    p75: float
    errors: dict[str, float]  # standard error of "avg", "median", "p99", ..., as far as independent samples tell


def within(bins: Bins, low: float, high: float, mean: float, step: float, shares: dict[str, float]) -> Within | None:
    """From a histogram. `low`, `high`: smallest and largest sample; `shares`: of the percentiles by name, 0 to 1.

    None where there are too few samples for a spread.
    """
    table = np.array([[one[0], one[1], one[2]] for one in bins], dtype=np.float64).reshape(-1, 3)
    n = table[:, 2].sum()
    if n < _LEAST_SAMPLES:
        return None
    edges, below = _cumulative(table, low, high, step)
    rounding = step * step / 4
    middle = (edges[::2] + edges[1::2]) / 2
    errors = {"avg": math.sqrt(float((table[:, 2] * (middle - mean) ** 2).sum()) / (n - 1) / n + rounding)}
    for name, share in shares.items():
        aside = math.sqrt(share * (1 - share) / n)
        around = [min(1.0, max(0.0, share + sign * aside)) for sign in (-1, 1)]
        lower, upper = np.interp(np.array(around) * n, below, edges)
        errors[name] = math.sqrt(((upper - lower) / 2) ** 2 + rounding)
    p25, p75 = np.interp(np.array([0.25, 0.75]) * n, below, edges)
    return Within(float(p25), float(p75), errors)


def _cumulative(
    table: NDArray[np.float64], low: float, high: float, step: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and the largest value that a sample in each bin can have, and how many samples lie below each."""
    least, upto = table[:, 0], np.cumsum(table[:, 2])
    edges = np.column_stack((least, np.maximum(least, table[:, 1] - step))).ravel()
    return np.clip(edges, low, high), np.column_stack((upto - table[:, 2], upto)).ravel()


def between(values: Sequence[float], errors: Sequence[float] = ()) -> Between:
    """One figure of each run, in the order of the runs. `errors`: its standard error within each run, none where that
    is not known (extremes). ValueError for fewer than two runs: one run has no spread between runs."""
    n = len(values)
    if n < FEWEST:
        raise ValueError(f"{n} run has no spread between runs: at least {FEWEST} are needed")
    array = np.array(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError("a figure of a run is not finite")
    ordered = np.sort(array)
    mean = min(max(math.fsum(values) / n, float(ordered[0])), float(ordered[-1]))  # rounding can leave the range
    sd = float(np.std(ordered, ddof=1)) if ordered[0] < ordered[-1] else 0.0
    half = _student(n) * sd / math.sqrt(n)
    error = math.sqrt(math.fsum(one * one for one in errors) / len(errors)) if errors else None
    ratio = sd / error if error else None
    return Between(
        values=tuple(float(one) for one in values),
        min=float(ordered[0]),
        median=float(np.median(ordered)),
        max=float(ordered[-1]),
        mean=mean,
        sd=sd,
        mean_interval=(mean - half, mean + half),
        median_interval=_of_median(ordered),
        standard_error=error,
        ratio=ratio,
        chance=None if ratio is None else _chance(ratio, n),
    )


def _student(n: int) -> float:
    from scipy.stats import t  # slow to import

    return float(t.ppf((1 + CONFIDENCE) / 2, n - 1))


def _chance(ratio: float, n: int) -> float:
    """The share of sets of n equal runs whose ratio is at least this; the error within is taken as known, since it
    comes from many samples."""
    from scipy.stats import chi2

    return float(chi2.sf((n - 1) * ratio * ratio, n - 1))


def _of_median(ordered: NDArray[np.float64]) -> tuple[float, float] | None:
    """The innermost pair of order statistics that covers the median with at least CONFIDENCE, whatever the
    distribution. None with fewer than six values, of which not even the extremes do."""
    from scipy.stats import binom

    n = len(ordered)
    outside = int(binom.ppf((1 - CONFIDENCE) / 2, n, 0.5)) - 1  # values left out on each side
    return (float(ordered[outside]), float(ordered[n - 1 - outside])) if outside >= 0 else None
