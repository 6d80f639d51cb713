"""The interval of the difference of two means of runs, by Welch, at the confidence that one of many may have.

Each run gives one figure: samples of one run are not independent of each other. It assumes that runs are, and that
their figures scatter about as a normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Means:
    base: float
    run: float
    low: float  # of run - base
    high: float

    @property
    def difference(self) -> float:
        return self.run - self.base


def welch(run: Sequence[float], base: Sequence[float], error: float, step: float = 0.0) -> Means:
    """`error`: the chance that may remain on each side. `step`: of the clock, half of which is the least standard
    deviation that a figure can be known to have. Both sides have at least two figures; ValueError otherwise."""
    from scipy.special import stdtrit

    if min(len(run), len(base)) < 2:
        raise ValueError("an interval needs two runs on each side")
    means = [math.fsum(one) / len(one) for one in (run, base)]
    parts = [_variance(one, mean, step) / len(one) for one, mean in zip((run, base), means, strict=True)]
    difference, variance = means[0] - means[1], math.fsum(parts)
    if not variance > 0:
        return Means(means[1], means[0], difference, difference)
    freedom = 1 / math.fsum((p / variance) ** 2 / (len(v) - 1) for p, v in zip(parts, (run, base), strict=True))
    half = -float(stdtrit(freedom, error)) * math.sqrt(variance)
    return Means(means[1], means[0], difference - half, difference + half)


def _variance(values: Sequence[float], mean: float, step: float) -> float:
    return max(math.fsum((one - mean) ** 2 for one in values) / (len(values) - 1), (step / 2) ** 2)
