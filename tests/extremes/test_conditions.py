"""Each condition by itself: what it refuses alone, and that it holds where nothing is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rtgauge.extremes import form, gpd, order, rate_above, tail_of
from rtgauge.extremes.gpd import Pareto
from rtgauge.extremes.levels import _clopper_pearson
from rtgauge.extremes.model import Blocks
from rtgauge.extremes.scan import scan
from rtgauge.extremes.tail import _agrees

N = 20_000
K = 200
RNG = np.random.default_rng(12)
SEEN = scan(RNG.exponential(size=N))
PLACES = np.sort(RNG.choice(N, K, replace=False))
SIZES = RNG.exponential(size=K)
ALONE = order.Clusters(1.0, 0, np.arange(K))
BY_SIZE = np.sort(SIZES)


# ---- order ----------------------------------------------------------------------------------------------------------


def test_even_steady_exceedances_are_stationary() -> None:
    assert order.stationary(SEEN, PLACES, SIZES, 1.0).holds


@pytest.mark.parametrize(
    "places", [PLACES // 2, N // 4 + PLACES // 2, np.sort(PLACES % 2000 + 4000 * (PLACES // 4000))]
)
def test_a_rate_that_changes_is_not(places: np.ndarray) -> None:
    found = order.stationary(SEEN, places, SIZES, 1.0)
    assert not found.holds
    assert "rate" in found.what


def test_a_size_that_drifts_is_not() -> None:
    found = order.stationary(SEEN, PLACES, SIZES + 2 * PLACES / N, 1.0)
    assert not found.holds
    assert "size" in found.what


def test_a_middle_that_drifts_is_not_if_it_matters() -> None:
    drifting = replace(SEEN, medians=np.linspace(0.0, 1.0, len(SEEN.medians)))
    found = order.stationary(drifting, PLACES, SIZES, 1.0)
    assert not found.holds
    assert "middle" in found.what
    assert order.stationary(drifting, PLACES, SIZES, 10.0).holds


def test_sizes_that_follow_each_other_are_not_independent() -> None:
    assert order.independent(ALONE, PLACES, SIZES, N).holds
    found = order.independent(ALONE, PLACES, 1 + np.sin(np.arange(K) / 5), N)
    assert not found.holds
    assert "size" in found.what


def test_strong_dependence_is_refused_and_weak_allowed_for() -> None:
    few = np.arange(0, K, 4)
    for index, holds in ((0.9, True), (0.25, False)):
        assert order.independent(order.Clusters(index, 3, few), PLACES, SIZES, N).holds is holds


def test_clusters_that_come_close_together_are_not_independent() -> None:
    first = RNG.choice(N // 20, K // 2, replace=False) * 20
    places = np.sort(np.concatenate([first, first + 6]))
    found = order.independent(order.Clusters(0.9, 1, np.arange(K)), places, SIZES, N)
    assert not found.holds
    assert "close together" in found.what


@pytest.mark.parametrize("every", [3, 7.7, 50])
def test_a_period_is_found_and_told(every: float) -> None:
    places = np.unique((np.round(PLACES / every) * every).astype(int))
    found = order.without_period(places, N)
    assert not found.holds
    assert "step" in found.what
    assert order.without_period(PLACES, N).holds


def test_a_period_is_found_in_a_part_of_a_long_run() -> None:
    n = 5 << 20
    places = np.sort(RNG.choice(n // 33, 600, replace=False)) * 33
    assert not order.without_period(places, n).holds
    assert order.without_period(np.sort(RNG.choice(n, 600, replace=False)), n).holds


# ---- form -----------------------------------------------------------------------------------------------------------


def test_what_follows_the_distribution_fits() -> None:
    assert form.fits(BY_SIZE, gpd.fit(gpd.excesses(BY_SIZE, 0.0)), 0.0).holds


def test_two_heaps_do_not() -> None:
    two = np.sort(np.concatenate([SIZES[:100] / 10, 5 + SIZES[100:]]))
    assert not form.fits(two, gpd.fit(gpd.excesses(two, 0.0)), 0.0).holds


def test_rounding_does_not_spoil_the_fit() -> None:
    step = 0.5
    rounded = (np.floor(BY_SIZE / step) + 0.5) * step
    assert form.fits(rounded, gpd.fit(gpd.excesses(rounded, step)), step).holds


def test_a_shape_that_is_another_higher_up_is_not_stable() -> None:
    best = gpd.fit(gpd.excesses(BY_SIZE, 0.0))
    assert form.stable(BY_SIZE, best, 0.0).holds
    assert not form.stable(BY_SIZE, Pareto(best.shape + 0.6, best.scale), 0.0).holds


@pytest.mark.parametrize("far", [1, 5, 20])
def test_some_that_stand_apart_are_another_tail(far: int) -> None:
    assert form.one_tail(BY_SIZE, 0.0).holds
    found = form.one_tail(np.sort(np.concatenate([SIZES, 60.0 + SIZES[:far]])), 0.0)
    assert not found.holds
    assert f"the {far} largest" in found.what


def test_a_heavy_tail_leaves_gaps_too() -> None:
    assert form.one_tail(np.sort(np.expm1(0.4 * SIZES) / 0.4), 0.0).holds


def test_block_maxima_that_say_something_else_are_told() -> None:
    tail = tail_of(np.random.default_rng(1).exponential(size=N))
    assert _agrees(tail, 1.0).holds
    found = _agrees(replace(tail, blocks=Blocks(200, 100, 5.0, 1.0, 0.9)), 1.0)
    assert not found.holds
    assert "agree" in found.what


# ---- counting below the threshold -----------------------------------------------------------------------------------


def test_between_two_rungs_the_rate_lies_between_their_counts() -> None:
    tail = tail_of(np.random.default_rng(1).exponential(size=N))
    (upper, few), (lower, many) = tail.below[1], tail.below[2]
    found = rate_above(tail, (upper + lower) / 2)
    assert found.low == pytest.approx(_clopper_pearson(few, N, 0.95)[0], rel=1e-5)
    assert found.high == pytest.approx(_clopper_pearson(many, N, 0.95)[1], rel=1e-5)
    assert rate_above(tail, upper).estimate == few / N
