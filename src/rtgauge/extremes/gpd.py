"""The generalised Pareto distribution of excesses over a threshold: its fit, and what else fits as well.

An excess y has the survival function (1 + shape * y / scale) ** (-1 / shape), for shape 0 exp(-y / scale). Where the
clock shows steps, a value stands for all that lie within half a step of it, and the likelihood is that of the whole
step. Every array of parameters is worked on at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEAST_SHAPE, MOST_SHAPE = -1.0, 1.0
"""Below, the density grows towards the end point and no likelihood has a maximum; above, not even a mean exists."""

_SHAPES = 33  # on the border of the region
_REACH = 4.5  # standard errors to where its shapes end, at the least
_FACTOR = 6.0  # from the best scale to one that does not fit at all
_HALVINGS = 24
_AT_BORDER = 0.95
_NEAR_ZERO = 1e-6  # a shape that counts as 0


@dataclass(frozen=True)
class Excesses:
    values: Floats  # above the threshold, rising, distinct where `step`
    counts: Floats
    step: float  # 0: as if continuous

    @property
    def n(self) -> float:
        return float(self.counts.sum())


@dataclass(frozen=True)
class Pareto:
    shape: float
    scale: float

    def above(self, excess: float) -> float:
        """Probability of an excess beyond this one."""
        return float(np.exp(-depth(np.array([self.shape]), np.array([self.scale]), np.array([excess]))[0, 0]))

    def reached(self, depth_: float) -> float:
        """The excess that is exceeded with probability exp(-depth_)."""
        return float(reach(np.array([self.shape]), np.array([self.scale]), depth_)[0])


def excesses(values: Floats, step: float) -> Excesses:
    """Of excesses, all above 0; none of them changes."""
    if not step:
        return Excesses(np.sort(values), np.ones(len(values)), 0.0)
    distinct, counts = np.unique(np.rint(values / step - 0.5), return_counts=True)
    return Excesses((distinct + 0.5) * step, counts.astype(np.float64), step)


def depth(shape: Floats, scale: Floats, values: Floats) -> Floats:
    """-log of the survival function, one row for each pair of parameters; infinite beyond the end point."""
    shape = np.where(np.abs(shape) < _NEAR_ZERO, _NEAR_ZERO, shape)[:, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        made: Floats = np.log1p(np.maximum(shape * (values[None, :] / scale[:, None]), -1.0)) / shape
    return made


def reach(shape: Floats, scale: Floats, depth_: float | Floats) -> Floats:
    """The inverse of `depth`, element by element."""
    shape = np.where(np.abs(shape) < _NEAR_ZERO, _NEAR_ZERO, shape)
    with np.errstate(over="ignore"):
        made: Floats = scale * np.expm1(shape * depth_) / shape
    return made


def log_likelihood(data: Excesses, shape: Floats, scale: Floats) -> Floats:
    """One for each pair of parameters; -inf where a value lies beyond the end point."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if data.step:
            from_ = depth(shape, scale, data.values - data.step / 2)
            to = depth(shape, scale, data.values + data.step / 2)
            each = -from_ + np.log(-np.expm1(from_ - to))
        else:
            each = -np.log(scale)[:, None] - (1 + shape)[:, None] * depth(shape, scale, data.values)
        made: Floats = np.where(np.isfinite(each), each, -np.inf) @ data.counts
    # A row with -inf times a count is -inf; nothing else may come out of it.
    return np.where(np.isnan(made), -np.inf, made)


def fit(data: Excesses) -> Pareto:
    """The most likely parameters, the shape from LEAST_SHAPE to MOST_SHAPE."""
    from scipy.optimize import minimize  # slow to import

    mean = float(data.values @ data.counts) / data.n
    first = quick(np.repeat(data.values, data.counts.astype(int))[None, :])

    def minus(at: Floats) -> float:
        if not LEAST_SHAPE <= at[0] <= MOST_SHAPE:
            return math.inf
        return -float(log_likelihood(data, at[:1], mean * np.exp(at[1:2]))[0])

    start = [float(np.clip(first[0][0], -0.9, 0.9)), math.log(max(first[1][0] / mean, 1e-3))]
    best = np.array(start)
    for again in range(2):
        if not again or abs(best[0]) > _AT_BORDER:  # where the simplex may have collapsed
            around = best + np.array([[0.0, 0.0], [-math.copysign(0.04, best[0]), 0.0], [0.0, 0.04]])
            best = minimize(
                minus, best, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-10, "initial_simplex": around}
            ).x
    return Pareto(float(best[0]), mean * math.exp(float(best[1])))


def quick(rows: Floats) -> tuple[Floats, Floats]:
    """Shape and scale of each row of rising excesses by the estimator of Zhang and Stephens (2009): the mean of a
    posterior on a few points, which needs no search and so serves where many fits are needed."""
    n = rows.shape[1]
    points = 30 + math.isqrt(n)
    place = 1 - np.sqrt(points / (np.arange(1, points + 1) - 0.5))
    quarter = np.maximum(rows[:, int(n / 4 + 0.5) - 1], rows[:, -1] * 1e-6)
    theta = 1 / rows[:, -1:] + place[None, :] / (3 * quarter[:, None])
    shape = np.stack([np.log1p(-theta[:, [i]] * rows).mean(axis=1) for i in range(points)], axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        profile = n * (np.log(-theta / shape) - shape - 1)
        weight = np.exp(profile - np.nanmax(profile, axis=1, keepdims=True))
    weight = np.where(np.isfinite(weight), weight, 0.0)
    best = (theta * weight).sum(axis=1) / weight.sum(axis=1)
    fitted = np.log1p(-best[:, None] * rows).mean(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.where(np.abs(best) > 1e-12 / rows[:, -1], -fitted / best, rows.mean(axis=1))
    return fitted, scale


def region(data: Excesses, best: Pareto, deviance: float) -> tuple[Floats, Floats]:
    """The border of all parameters whose deviance from the best is at most this: (shapes, scales).

    A figure that grows with the scale has its profile-likelihood interval between its least and its largest value here.
    """
    top = float(log_likelihood(data, np.array([best.shape]), np.array([best.scale]))[0])
    wide = _REACH * math.sqrt(deviance / 3.84) * max(1 + best.shape, 0.3) / math.sqrt(data.n)
    tried = np.linspace(max(LEAST_SHAPE, best.shape - wide), min(MOST_SHAPE, best.shape + wide), _SHAPES)
    tried = np.unique(np.append(tried, best.shape))
    scale, _ = _best_scale(data, tried, best.scale)
    fits = np.append(
        np.flatnonzero(2 * (top - log_likelihood(data, tried, scale)) <= deviance),
        np.argmin(np.abs(tried - best.shape)),
    )
    # Between the last that fit and the first that do not, closer together towards the ends, where figures change most.
    first, last = tried[max(0, fits.min() - 1)], tried[min(len(tried) - 1, fits.max() + 1)]
    shape = np.unique(
        np.append((first + last - (last - first) * np.cos(np.linspace(0, np.pi, _SHAPES))) / 2, best.shape)
    )
    middle, least = _best_scale(data, shape, best.scale)
    inside = 2 * (top - log_likelihood(data, shape, middle)) <= deviance
    inside |= shape == best.shape
    shape, least, middle = shape[inside], least[inside], middle[inside]
    low = _border(data, shape, middle, np.maximum(least, middle / _FACTOR), top - deviance / 2)
    high = _border(data, shape, middle, middle * _FACTOR, top - deviance / 2)
    return np.concatenate([shape, shape]), np.concatenate([low, high])


def _best_scale(data: Excesses, shape: Floats, guess: float) -> tuple[Floats, Floats]:
    """The most likely scale for each shape, by golden section of its logarithm; and the least that leaves no value
    beyond the end point."""
    least = np.maximum(-shape, 0) * (data.values[-1] - data.step / 2) * (1 + 1e-12) + guess * 1e-6
    low, high = np.log(np.maximum(least, guess / _FACTOR)), np.log(np.maximum(least * 2, guess * _FACTOR))
    part = (math.sqrt(5) - 1) / 2
    for _ in range(_HALVINGS):
        left, right = high - part * (high - low), low + part * (high - low)
        better = log_likelihood(data, shape, np.exp(left)) > log_likelihood(data, shape, np.exp(right))
        low, high = np.where(better, low, left), np.where(better, right, high)
    return np.exp((low + high) / 2), least


def _border(data: Excesses, shape: Floats, inside: Floats, outside: Floats, limit: float) -> Floats:
    """Between a scale inside and one outside, the last whose likelihood is not below the limit."""
    for _ in range(_HALVINGS):
        middle = np.sqrt(inside * outside)
        fits = log_likelihood(data, shape, middle) >= limit
        inside, outside = np.where(fits, middle, inside), np.where(fits, outside, middle)
    return inside
