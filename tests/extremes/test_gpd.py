"""The generalised Pareto distribution against scipy.stats, and the region of likely fits against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import genpareto

from rtgauge.extremes import gpd

SHAPES = (-0.5, -0.2, 0.0, 0.2, 0.5)


def drawn(shape: float, n: int = 250, seed: int = 1) -> np.ndarray:
    found: np.ndarray = genpareto.rvs(shape, scale=3.0, size=n, random_state=np.random.default_rng(seed))
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_depth_is_the_survival_function_and_reach_its_inverse(shape: float) -> None:
    at = np.array([0.1, 1.0, 5.0])
    deep = gpd.depth(np.array([shape]), np.array([3.0]), at)[0]
    assert deep == pytest.approx(-genpareto.logsf(at, shape, scale=3.0), rel=1e-5)
    assert gpd.reach(np.full(3, shape), np.full(3, 3.0), deep) == pytest.approx(at, rel=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_likelihood_is_that_of_scipy(shape: float) -> None:
    values = drawn(shape)
    ours = gpd.log_likelihood(gpd.excesses(values, 0.0), np.array([shape]), np.array([3.1]))[0]
    assert ours == pytest.approx(genpareto.logpdf(values, shape, scale=3.1).sum(), rel=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_fit_is_that_of_scipy(shape: float) -> None:
    values = drawn(shape)
    ours, (theirs, _, scale) = gpd.fit(gpd.excesses(values, 0.0)), genpareto.fit(values, floc=0)
    assert (ours.shape, ours.scale) == (pytest.approx(theirs, abs=1e-3), pytest.approx(scale, rel=1e-3))


def test_a_bounded_tail_is_fitted_up_to_its_bound() -> None:
    found = gpd.fit(gpd.excesses(np.random.default_rng(1).random(250), 0.0))
    assert -1 <= found.shape < -0.9
    assert found.reached(40.0) == pytest.approx(1.0, abs=0.01)


def test_rounded_values_are_fitted_as_what_they_stand_for() -> None:
    values, step = drawn(0.0, 2000), 2.0
    rounded = gpd.fit(gpd.excesses((np.floor(values / step) + 0.5) * step, step))
    exact = gpd.fit(gpd.excesses(values, 0.0))
    assert rounded.shape == pytest.approx(exact.shape, abs=0.03)
    assert rounded.scale == pytest.approx(exact.scale, rel=0.04)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_quick_fit_is_near_the_likeliest(shape: float) -> None:
    values = np.sort(drawn(shape))
    best = gpd.fit(gpd.excesses(values, 0.0))
    (found,), (scale,) = gpd.quick(values[None, :])
    assert found == pytest.approx(best.shape, abs=0.05)
    assert scale == pytest.approx(best.scale, rel=0.05)


@pytest.mark.parametrize("shape", [-0.3, 0.0, 0.3])
@pytest.mark.parametrize("step", [0.0, 0.5])
def test_the_border_of_the_region_has_the_deviance_asked_for(shape: float, step: float) -> None:
    values = drawn(shape)
    if step:
        values = (np.floor(values / step) + 0.5) * step
    data = gpd.excesses(values, step)
    best = gpd.fit(data)
    top = gpd.log_likelihood(data, np.array([best.shape]), np.array([best.scale]))[0]
    shapes, scales = gpd.region(data, best, 3.84)
    deviance = 2 * (top - gpd.log_likelihood(data, shapes, scales))
    assert deviance == pytest.approx(3.84, abs=0.01)
    assert len(shapes) > 30
    assert shapes.min() < best.shape < shapes.max()


def test_no_fit_outside_the_region_is_as_likely() -> None:
    """The interval of a level, found by brute force on a fine grid."""
    data = gpd.excesses(drawn(0.1), 0.0)
    best = gpd.fit(data)
    shape, scale = (one.ravel() for one in np.meshgrid(np.linspace(-0.2, 0.5, 200), np.linspace(1.5, 6.0, 200)))
    top = gpd.log_likelihood(data, np.array([best.shape]), np.array([best.scale]))[0]
    inside = 2 * (top - gpd.log_likelihood(data, shape, scale)) <= 3.84
    wanted = gpd.reach(shape[inside], scale[inside], math.log(1e6))
    found = gpd.reach(*gpd.region(data, best, 3.84), math.log(1e6))
    assert found.min() == pytest.approx(wanted.min(), rel=0.02)
    assert found.max() == pytest.approx(wanted.max(), rel=0.02)
