"""What a tail tells: the value exceeded with a probability, and the probability of exceeding a value.

Intervals are those of the profile likelihood of the fitted distribution, somewhat widened upwards; the share of samples
above the threshold is uncertain too, and its part is added as independent errors add. What was seen needs no fit: below
the maximum a rate is counted, and its interval is Clopper and Pearson's.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from rtgauge.extremes import gpd
from rtgauge.extremes.gpd import Floats, Pareto
from rtgauge.extremes.model import CONFIDENCE, Bound, Tail

_CERTAIN = 0.005
"""Chance of a sample beyond a level among all samples below which the level is known to lie above the maximum."""

_ALLOWANCE = 40
"""Added to the deviance towards higher levels, as a share of it for each peak: the likelihood of few peaks falls too
fast there. Chosen by simulation (bench/coverage.py), so that levels too low are as rare as the confidence says."""

_REGULAR = -0.5
"""Shape below which the likelihood of an end point falls exponentially from the largest value on, not as a normal."""


def level(tail: Tail, probability: float, confidence: float = CONFIDENCE) -> Bound:
    """The value that an activation exceeds with this probability. ValueError for a refused tail, and for a probability
    above that of the threshold, where the percentiles of the samples tell."""
    _must_know(tail, confidence)
    share = tail.exceedances / tail.n
    if not 0 < probability <= share:
        raise ValueError(f"a level is told for probabilities above 0 and up to {share:.3g}, not for {probability!r}")
    best, deep = Pareto(tail.shape, tail.scale), math.log(share / probability)
    at = best.reached(deep)
    least = float(gpd.reach(*_region(tail, confidence), deep).min())
    most = float(gpd.reach(*_region(tail, confidence, upper=True), deep).max())
    error = _normal(confidence) / math.sqrt(max(1, len(tail.peaks)))  # relative, of the share
    of_share = best.reached(deep + error) - at, at - best.reached(max(0.0, deep - error))
    low = at - math.hypot(at - least, of_share[1])
    high = at + math.hypot(most - at, of_share[0])
    if not math.isfinite(high):
        raise ValueError(f"a level as rare as {probability!r} is not known at all")
    low, at, high = (tail.threshold + one for one in (max(0.0, low), at, high))
    if tail.max is not None and tail.n * probability <= _CERTAIN:
        low, at = max(low, tail.max), max(at, tail.max)
    return Bound(_settled(at), _settled(low), _settled(max(at, high)))


def rate_above(tail: Tail, limit: float, confidence: float = CONFIDENCE) -> Bound:
    """The probability that an activation exceeds the limit. ValueError for a refused tail."""
    _must_know(tail, confidence)
    if math.isnan(limit):
        raise ValueError("the limit is not a number")
    if tail.max is None or limit < tail.max:
        return _counted(tail, limit, confidence)
    share = tail.exceedances / tail.n
    excess = limit - tail.threshold
    if not excess > 0 or math.isinf(excess):
        return Bound(0.0, 0.0, 0.0)
    at = float(gpd.depth(np.array([tail.shape]), np.array([tail.scale]), np.array([excess]))[0, 0])
    low, high = (gpd.depth(*_region(tail, confidence, upper=up), np.array([excess]))[:, 0] for up in (False, True))
    error = _normal(confidence) / math.sqrt(max(1, len(tail.peaks)))
    deepest, shallowest = float(low.max()), float(high.min())
    if math.isinf(at):  # beyond the end point of the best fit, not of all
        depths = at, at, shallowest - error
    else:
        depths = at, at + math.hypot(deepest - at, error), at - math.hypot(at - shallowest, error)
    shares = [share * math.exp(-max(0.0, one)) for one in depths]
    none = _clopper_pearson(0, tail.n, confidence)[1]
    return Bound(*(_settled(min(one, none)) for one in shares))


def _must_know(tail: Tail, confidence: float) -> None:
    if tail.refused is not None:
        raise ValueError(tail.refused)
    if not 0.5 <= confidence < 1:
        raise ValueError(f"a confidence is at least 0.5 and less than 1, not {confidence!r}")


@lru_cache(maxsize=16)
def _region(tail: Tail, confidence: float, *, upper: bool = False) -> tuple[Floats, Floats]:
    """The fits that the peaks do not rule out; every figure's interval is taken over these."""
    data = gpd.excesses(np.array(tail.peaks) - tail.threshold, tail.step)
    allowed = 1 + _ALLOWANCE / len(tail.peaks) if upper else 1.0
    deviance = allowed * _normal(confidence) ** 2
    if tail.shape < _REGULAR:
        deviance = max(deviance, -2 * math.log((1 - confidence) / 2))
    return gpd.region(data, Pareto(tail.shape, tail.scale), deviance)


def _counted(tail: Tail, limit: float, confidence: float) -> Bound:
    """By the samples above the limit; between two values of which only the number of samples above is known, by both:
    the larger number is the estimate."""
    if limit >= tail.threshold:
        more = less = sum(value > limit for value in (*tail.peaks, *tail.others))
    else:
        ladder = ((tail.threshold, tail.exceedances), *tail.below)
        less = max(count for value, count in ladder if value >= limit)
        more = min((count for value, count in ladder if value <= limit), default=tail.n)
    low = _clopper_pearson(less, tail.n, confidence)[0]
    high = _clopper_pearson(more, tail.n, confidence)[1]
    return Bound(_settled(more / tail.n), _settled(low), _settled(high))


def _clopper_pearson(count: int, n: int, confidence: float) -> tuple[float, float]:
    from scipy.stats import beta  # slow to import

    rest = (1 - confidence) / 2
    low = float(beta.ppf(rest, count, n - count + 1)) if count else 0.0
    high = float(beta.isf(rest, count + 1, n - count)) if count < n else 1.0
    return low, high


def _normal(confidence: float) -> float:
    from scipy.special import ndtri  # slow to import

    return float(ndtri((1 + confidence) / 2))


def _settled(figure: float) -> float:
    """Six digits: more would differ between processors and libraries."""
    return float(f"{figure:.6g}")
