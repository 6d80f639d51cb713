"""Conditions on the form of the tail: it is one, it follows the distribution fitted, and the answer does not depend on
where the tail is taken to begin."""

from __future__ import annotations

import math

import numpy as np

from rtgauge.extremes import gpd
from rtgauge.extremes.gpd import Excesses, Floats, Pareto
from rtgauge.extremes.model import Condition

SURE = 0.01  # chance of calling a fit bad that is good
_REPLICAS = 199
_FARTHEST = 0.2  # share of the excesses that may make a cluster of their own
_GAP_SURE = 0.02
_GAPS = 4  # widest ones that are looked at
_SHAPES, _SCALES = 41, 21  # of the tails that are looked at,
_WIDE = 6  # so many standard errors of the scale around the median
_STABLE_SURE = 0.001
_FEWEST = 10  # excesses that a shape is told of


def fits(values: Floats, best: Pareto, step: float) -> Condition:
    """Anderson and Darling's distance of the excesses (rising) from the distribution; its chance by replicas of it."""
    rng = np.random.default_rng(len(values))
    n = len(values)
    random = rng.random((_REPLICAS, n))
    rows = gpd.reach(np.full(1, best.shape), np.full(1, best.scale), -np.log1p(-random))
    if step:
        rows = (np.floor(rows / step) + 0.5) * step
    rows.sort(axis=1)
    distances = _distance(np.concatenate([values[None, :], rows]))
    chance = (1 + np.count_nonzero(distances[1:] >= distances[0])) / (_REPLICAS + 1)
    figures = f"Anderson-Darling {distances[0]:.2f}, chance {chance:.2g}"
    if chance <= SURE:
        return Condition(
            "fit", False, f"{n} excesses do not follow the distribution of a tail ({figures}); several causes may mix"
        )
    return Condition("fit", True, f"{n} excesses follow the distribution fitted ({figures})")


def _distance(rows: Floats) -> Floats:
    """Of each row (rising) from the distribution that its own quick fit gives."""
    n = rows.shape[1]
    shape, scale = gpd.quick(rows)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        deep = np.log1p(np.maximum(shape[:, None] * rows / scale[:, None], -1 + 1e-12)) / shape[:, None]
    deep = np.clip(deep, 1e-12, 700)
    weight = (2 * np.arange(1, n + 1) - 1) / n
    made: Floats = -n - ((np.log(-np.expm1(-deep)) - deep[:, ::-1]) * weight).sum(axis=1)
    return made


def one_tail(values: Floats, step: float) -> Condition:
    """No gap between the excesses (rising) that those below it would not have left."""
    n = len(values)
    most = max(1, int(n * _FARTHEST))
    gaps = np.diff(values)[-most:]  # gaps[-m] lies below the m largest
    ratio = gaps / (values[-most - 1 : -1] + gaps.mean())
    tried = np.unique(np.append(np.argsort(ratio)[-_GAPS:], most - 1))
    chances = [_chance_of_gap(values[: n - most + at], values[n - most + at] - step, most - at) for at in tried]
    likeliest = int(np.argmin(chances))
    chance, beyond = chances[likeliest] * most, most - int(tried[likeliest])  # any gap might have been tried
    if chance < _GAP_SURE:
        stand = "1 largest stands" if beyond == 1 else f"{beyond} largest stand"
        what = f"the {stand} apart (chance {chance:.1g}): a rare cause of its own, of which too little was seen"
        return Condition("one tail", False, f"{what}; measure much longer, or find it (rtgauge run --blame)")
    return Condition("one tail", True, f"no gap among {n} excesses beyond chance ({min(1.0, chance):.2g})")


def _chance_of_gap(kept: Floats, next_: float, beyond: int) -> float:
    """Chance that none of `beyond` excesses above the kept ones lies below `next_`: the mean over all tails, each with
    the weight of the likelihood that the kept ones, and so many above them, give it."""
    if next_ <= kept[-1]:
        return 1.0
    data, ends = gpd.excesses(kept, 0.0), np.array([kept[-1], next_])
    shapes = np.linspace(gpd.LEAST_SHAPE, gpd.MOST_SHAPE, _SHAPES)
    # Each tail passes near the median, by a few standard errors.
    middle = kept[min(len(kept) - 1, (len(kept) + beyond) // 2)] / gpd.reach(shapes, np.ones(_SHAPES), math.log(2))
    near = np.exp(np.linspace(-_WIDE, _WIDE, _SCALES) / math.sqrt(len(kept)))
    shape, scale = np.repeat(shapes, _SCALES), np.outer(middle, near).ravel()
    deep = gpd.depth(shape, scale, ends)
    likely = gpd.log_likelihood(data, shape, scale) - beyond * deep[:, 0]
    weight = np.exp(likely - likely.max())
    with np.errstate(invalid="ignore"):
        chance = np.where(weight > 0, np.exp(-beyond * (deep[:, 1] - deep[:, 0])), 0.0)
    return float((chance * weight).sum() / weight.sum())


def stable(values: Floats, best: Pareto, step: float) -> Condition:
    """The shape above higher thresholds is the same, as far as their fewer excesses tell."""
    told, broken = [f"{best.shape:.2f} of {len(values)}"], False
    for part in (2, 4):
        data = higher(values, len(values) // part, step)
        if data.n < _FEWEST:
            few = f"the {len(values) // part} largest of {len(values)} excesses are equal or nearly so"
            return Condition("stability", False, f"{few}: something bounds them that the rest does not show")
        one = gpd.fit(data)
        told.append(f"{one.shape:.2f} of {data.n:.0f}")
        wide = max(1 + best.shape, 1.0) * math.sqrt(1 / data.n - 1 / len(values))
        broken |= math.erfc(abs(one.shape - best.shape) / wide / math.sqrt(2)) < _STABLE_SURE
    what = f"shape {', '.join(told)} excesses"
    if broken:
        return Condition("stability", False, f"{what}: the answer depends on where the tail begins; measure longer")
    return Condition("stability", True, what)


def higher(values: Floats, few: int, step: float) -> Excesses:
    """The excesses over the threshold that at most `few` exceed; fewer where equal ones lie at it."""
    threshold = float(values[len(values) - few - 1]) + step / 2
    return gpd.excesses(values[values > threshold] - threshold, step)
