"""The second opinion: the generalised extreme value distribution of the maxima of equal blocks."""

from __future__ import annotations

import math

import numpy as np

from rtgauge.extremes.model import Blocks
from rtgauge.extremes.scan import Floats

_MOST_SHAPE = 1.0
_NEAR_ZERO = 1e-6  # a shape that counts as 0


def fit(maxima: Floats, size: int) -> Blocks:
    """The most likely parameters, the shape from -1 to 1 and with the sign that is usual for both distributions (above
    0: heavy)."""
    from scipy.optimize import minimize  # slow to import

    middle, spread = float(np.median(maxima)), float(maxima.std()) or 1.0
    reduced = (maxima - middle) / spread
    # Begun at a shape of 0, where the median lies 0.37 and the deviation is 1.28 scales.
    start = np.array([-0.29, math.log(0.78), 0.0])
    around = start + np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])

    def minus(at: Floats) -> float:
        return -log_likelihood(reduced, float(at[0]), float(at[1]), float(at[2]))

    best = minimize(
        minus, start, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9, "initial_simplex": around}
    ).x
    location, scale, shape = (float(one) for one in best)
    found = location * spread + middle, math.exp(scale) * spread, shape
    return Blocks(size, len(maxima), *(float(f"{one:.6g}") for one in found))  # what the search is good for


def log_likelihood(values: Floats, location: float, log_scale: float, shape: float) -> float:
    """-inf where a value lies beyond the end point, and for shapes that have no likeliest one."""
    if abs(shape) > _MOST_SHAPE:
        return -math.inf
    shape = shape if abs(shape) > _NEAR_ZERO else _NEAR_ZERO
    inner = shape * (values - location) / math.exp(log_scale)
    if inner.min() <= -1:
        return -math.inf
    deep = np.log1p(inner) / shape
    with np.errstate(over="ignore"):
        return float(-len(values) * log_scale - ((1 + shape) * deep).sum() - np.exp(-deep).sum())


def level(blocks: Blocks, probability: float, index: float) -> float:
    """The value that an activation exceeds with this probability; `index`: extremal index, as exceedances that come
    together make one maximum."""
    reduced = -math.log(-blocks.size * index * math.log1p(-probability))
    if abs(blocks.shape) < _NEAR_ZERO:
        return blocks.location + blocks.scale * reduced
    return blocks.location + blocks.scale * math.expm1(blocks.shape * reduced) / blocks.shape
