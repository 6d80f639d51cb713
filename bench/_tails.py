"""Samples whose levels are known, for bench/coverage.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, signal, stats

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Case:
    name: str
    kind: Literal["good", "bad"]
    draw: Callable[[Rng, int], Floats]
    level: Callable[[float], float]  # exceeded with this probability
    middle: float = 0.0  # median of the samples, about
    step: float = 0.0  # of the clock


def _exponential_level(probability: float) -> float:
    return float(-np.log(probability))


def _reversed_weibull(shape: float) -> Case:
    """Below 0, which nothing exceeds; the tail's shape is -1 / shape."""
    return Case(
        f"bounded Weibull {shape:g}",
        "good",
        lambda rng, n: -rng.weibull(shape, n),
        lambda p: float(-((-np.log1p(-p)) ** (1 / shape))),
        -(np.log(2) ** (1 / shape)),
    )


def _pareto(shape: float) -> Case:
    def draw(rng: Rng, n: int) -> Floats:
        made: Floats = np.expm1(shape * rng.exponential(size=n)) / shape
        return made

    return Case(f"Pareto {shape:g}", "good", draw, lambda p: float(np.expm1(-shape * np.log(p)) / shape))


def _rounded(step: float) -> Case:
    return Case(
        f"exponential, step {step:g}",
        "good",
        lambda rng, n: (np.floor(rng.exponential(size=n) / step) + 0.5) * step,
        _exponential_level,
        0.7,
        step,
    )


def _far(share: float, distance: float, name: str, kind: Literal["good", "bad"]) -> Case:
    """Most samples are exponential; this share lies so much further."""
    return Case(
        name,
        kind,
        lambda rng, n: rng.exponential(size=n) + distance * (rng.random(n) < share),
        lambda p: float(distance + np.log(share / p)) if p < share / 3 else float(-np.log(p)),
        0.7,
    )


def _wider(share: float, scale: float) -> Case:
    return Case(
        f"{share:g} five times as wide",
        "bad",
        lambda rng, n: rng.exponential(size=n) * np.where(rng.random(n) < share, scale, 1.0),
        lambda p: float(scale * np.log(share / p)) if p < share / 30 else float(-np.log(p)),
        0.7,
    )


def _autoregressive(factor: float, kind: Literal["good", "bad"]) -> Case:
    """Normal, each sample this much of the one before."""

    def draw(rng: Rng, n: int) -> Floats:
        noise = rng.normal(size=n + 1000) * np.sqrt(1 - factor * factor)
        made: Floats = signal.lfilter([1.0], [1.0, -factor], noise)[1000:]
        return made

    return Case(f"autoregressive {factor:g}", kind, draw, lambda p: float(stats.norm.isf(p)))


def _moving_maximum(width: int, kind: Literal["good", "bad"]) -> Case:
    """The largest of so many: exponential samples that come in clusters of this size."""

    def draw(rng: Rng, n: int) -> Floats:
        each = 1 / (width * rng.exponential(size=n + width))
        largest = np.max([each[i : i + n] for i in range(width)], axis=0)  # its distribution function: exp(-1 / x)
        made: Floats = -np.log(-np.expm1(-1 / largest))
        return made

    return Case(f"moving maximum of {width}", kind, draw, _exponential_level, 0.7)


def _changing(name: str, scale: Callable[[Floats], Floats], shift: Callable[[Floats], Floats]) -> Case:
    """Exponential samples of a scale and a shift that depend on where in the run they are, from 0 to 1. The level is
    that of the whole run: what a sample exceeds whose place is unknown."""
    places = (np.arange(1000) + 0.5) / 1000

    def draw(rng: Rng, n: int) -> Floats:
        at = np.arange(n) / n
        return rng.exponential(size=n) * scale(at) + shift(at)

    def level(probability: float) -> float:
        def beyond(value: float) -> float:
            return float(np.exp(-(value - shift(places)) / scale(places)).mean()) / probability - 1

        return float(optimize.brentq(beyond, 3.0, 200.0))

    return Case(name, "bad", draw, level, 0.7)


def _tick(every: float) -> Case:
    """Each sample that a tick hits takes longer."""
    return Case(
        f"every {every:g}th longer",
        "bad",
        lambda rng, n: rng.exponential(size=n) + 5.0 * (np.arange(n) % every < 1),
        lambda p: float(5.0 - np.log(p * every)),
        0.7,
    )


CASES = (
    Case("exponential", "good", lambda rng, n: rng.exponential(size=n), _exponential_level, 0.7),
    _rounded(0.1),
    _rounded(0.4),
    Case("normal", "good", lambda rng, n: rng.normal(size=n), lambda p: float(stats.norm.isf(p))),
    Case("gamma 4", "good", lambda rng, n: rng.gamma(4.0, size=n), lambda p: float(stats.gamma.isf(p, 4.0)), 3.7),
    Case(
        "lognormal 0.5",
        "good",
        lambda rng, n: rng.lognormal(0.0, 0.5, n),
        lambda p: float(stats.lognorm.isf(p, 0.5)),
        1.0,
    ),
    Case("uniform", "good", lambda rng, n: rng.random(n), lambda p: 1 - p, 0.5),
    _reversed_weibull(5),
    _reversed_weibull(3),
    _pareto(0.2),
    _pareto(0.5),
    _far(0.1, 20.0, "0.1 far", "good"),
    _far(1e-3, 20.0, "0.001 far", "bad"),
    _far(1e-4, 20.0, "0.0001 far", "bad"),
    _wider(1e-3, 5.0),
    _autoregressive(0.5, "good"),
    _autoregressive(0.9, "bad"),
    _autoregressive(0.99, "bad"),
    _moving_maximum(2, "bad"),
    _moving_maximum(8, "bad"),
    _changing("grows by 20 %", lambda t: 1 + 0.2 * t, lambda t: 0 * t),
    _changing("grows twofold", lambda t: 1 + t, lambda t: 0 * t),
    _changing("rises by two scales", lambda t: 1 + 0 * t, lambda t: 2 * t),
    _changing("comes and goes", lambda t: 1 + 0.3 * np.sin(8 * np.pi * t), lambda t: 0 * t),
    _tick(4),
    _tick(33.3),
)
