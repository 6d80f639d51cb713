"""Block maxima against scipy.stats."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import genextreme

from rtgauge.extremes import gev
from rtgauge.extremes.model import Blocks

SHAPES = (-0.4, -0.1, 0.0, 0.1, 0.4)


def maxima(shape: float) -> np.ndarray:
    found: np.ndarray = genextreme.rvs(-shape, 50.0, 3.0, size=100, random_state=np.random.default_rng(2))
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_the_likelihood_is_that_of_scipy(shape: float) -> None:
    values = maxima(shape)
    wanted = genextreme.logpdf(values, -shape, 50.0, 3.1).sum()
    assert gev.log_likelihood(values, 50.0, math.log(3.1), shape) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_fit_is_that_of_scipy(shape: float) -> None:
    values = maxima(shape)
    found, theirs = gev.fit(values, 1000), genextreme.fit(values, -shape, loc=50.0, scale=3.0)
    assert (found.size, found.count) == (1000, 100)
    assert (-found.shape, found.location, found.scale) == pytest.approx(theirs, rel=1e-2, abs=2e-3)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_level_is_that_of_the_maximum_of_as_many_activations(shape: float) -> None:
    found = gev.level(Blocks(1000, 100, 50.0, 3.0, shape), 1e-6, 1.0)
    assert genextreme.logcdf(found, -shape, 50.0, 3.0) == pytest.approx(1000 * math.log1p(-1e-6), rel=1e-5)


def test_activations_that_come_together_make_fewer_maxima() -> None:
    blocks = Blocks(1000, 100, 50.0, 3.0, 0.0)
    assert gev.level(blocks, 1e-6, 0.5) == pytest.approx(gev.level(blocks, 1e-6, 1.0) + 3 * math.log(2))


def test_values_that_are_all_alike_break_nothing() -> None:
    assert math.isfinite(gev.fit(np.full(100, 7.0), 10).location)
