"""The spread between runs against references, and the error that samples within a run let expect."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rtgauge.stats.between import between, within
from rtgauge.stats.summary import summarise
from tests.support.series import make_samples

VALUES = st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=40)
SHARES = {"median": 0.5, "p99": 0.99}


@given(VALUES)
def test_between_is_what_numpy_and_scipy_say(values: list[float]) -> None:
    found = between(values)
    scale = max(1.0, *map(abs, values))
    assert found.n == len(values)
    assert found.values == tuple(values)
    assert (found.min, found.max) == (min(values), max(values))
    assert found.median == pytest.approx(np.median(values), abs=1e-9 * scale)
    assert found.mean == pytest.approx(np.mean(values), abs=1e-9 * scale)
    assert found.sd == pytest.approx(np.std(values, ddof=1), abs=1e-7 * scale)
    if found.sd > 1e-6 * scale:
        wanted = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
        assert found.mean_interval == pytest.approx(wanted, abs=1e-6 * scale)


@given(VALUES, st.floats(1e-3, 1e3))
def test_between_has_an_order_and_scales(values: list[float], factor: float) -> None:
    found, scaled = between(values), between([value * factor for value in values])
    assert found.min <= found.median <= found.max
    assert found.min <= found.mean <= found.max
    assert found.mean_interval[0] <= found.mean <= found.mean_interval[1]
    assert scaled.sd == pytest.approx(found.sd * factor, rel=1e-6, abs=1e-6)
    turned = between(values[::-1])
    assert (turned.sd, turned.mean, turned.median) == (found.sd, found.mean, found.median)
    if found.median_interval is not None:
        assert found.median_interval[0] <= found.median <= found.median_interval[1]


@pytest.mark.parametrize("values", [[], [1.0]])
def test_one_run_has_no_spread(values: list[float]) -> None:
    with pytest.raises(ValueError, match="at least 2"):
        between(values)


def test_what_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        between([1.0, float("nan")])


def test_equal_runs_have_no_spread() -> None:
    found = between([0.1] * 3, [0.5] * 3)
    assert (found.sd, found.ratio, found.chance) == (0.0, 0.0, 1.0)
    assert found.mean_interval == (0.1, 0.1)
    assert between([0.1] * 3).ratio is None
    assert between([1.0, 2.0], [0.0, 0.0]).ratio is None  # nothing to divide by


@pytest.mark.parametrize(("n", "pair"), [(2, None), (5, None), (6, (0, 5)), (8, (0, 7)), (9, (1, 7)), (20, (5, 14))])
def test_the_interval_of_the_median_is_of_order_statistics(n: int, pair: tuple[int, int] | None) -> None:
    """The pairs are those of published tables of the sign test at 95 %."""
    assert between([float(i) for i in range(n)]).median_interval == pair


def test_the_ratio_squared_is_the_f_of_an_analysis_of_variance() -> None:
    rng = np.random.default_rng(1)
    runs = [np.rint(rng.normal(5000 + shift, 30, 2000)) for shift in (0, 1, -1, 2)]
    summaries = [summarise(make_samples(run.astype(np.int64))) for run in runs]
    errors = []
    for one in summaries:
        found = within(one.histogram, one.min, one.max, one.avg, 0.0, SHARES)
        assert found is not None
        errors.append(found.errors["avg"])
    found = between([one.avg for one in summaries], errors)
    reference = stats.f_oneway(*runs)
    assert found.ratio is not None
    assert found.ratio**2 == pytest.approx(reference.statistic, rel=0.03)
    assert found.chance == pytest.approx(reference.pvalue, rel=0.3)


def test_runs_of_independent_samples_have_a_ratio_of_one() -> None:
    """And reach one of small chance as often as it says."""
    rng = np.random.default_rng(2)
    ratios, chances = [], []
    for _ in range(120):
        errors, medians = [], []
        for _ in range(4):
            run = np.floor(rng.gamma(3, 400, 600))
            values, counts = np.unique(run, return_counts=True)
            bins = [(float(v), float(v) + 1, int(n)) for v, n in zip(values, counts, strict=True)]
            found = within(bins, run.min(), run.max(), run.mean(), 1.0, SHARES)
            assert found is not None
            errors.append(found.errors["median"])
            medians.append(float(np.median(run)))
        made = between(medians, errors)
        assert made.ratio is not None
        assert made.chance is not None
        ratios.append(made.ratio)
        chances.append(made.chance)
    assert np.sqrt(np.mean(np.square(ratios))) == pytest.approx(1, abs=0.15)
    assert 0.3 < np.mean(chances) < 0.7
    assert np.mean(np.array(chances) < 0.01) < 0.05


def test_dependent_samples_have_a_large_one() -> None:
    """Each run has its own shift, which its samples share: no number of them tells it."""
    rng = np.random.default_rng(3)
    errors, medians = [], []
    for shift in (0, 60, 130):
        one = summarise(make_samples(np.rint(rng.normal(3000 + shift, 50, 5000)).astype(np.int64)))
        found = within(one.histogram, one.min, one.max, one.avg, one.resolution, SHARES)
        assert found is not None
        errors.append(found.errors["median"])
        medians.append(one.median)
    made = between(medians, errors)
    assert made.ratio is not None
    assert made.ratio > 20
    assert made.chance is not None
    assert made.chance < 1e-9


def test_within_is_what_numpy_says_of_the_samples() -> None:
    rng = np.random.default_rng(4)
    ticks = rng.gamma(3, 400, 20_000).astype(np.int64) + 1000
    one = summarise(make_samples(ticks))
    found = within(one.histogram, one.min, one.max, one.avg, one.resolution, SHARES)
    assert found is not None
    value = make_samples(ticks).value
    assert found.p25 == pytest.approx(np.percentile(value, 25), rel=0.01)
    assert found.p75 == pytest.approx(np.percentile(value, 75), rel=0.01)
    assert found.errors["avg"] == pytest.approx(stats.sem(value), rel=0.1)
    medians = [np.median(rng.gamma(3, 400, 20_000)) for _ in range(200)]
    assert found.errors["median"] == pytest.approx(np.std(medians), rel=0.25)


def test_a_figure_on_one_step_of_the_clock_is_known_to_half_a_step() -> None:
    found = within([(20.0, 30.0, 1000)], 20.0, 20.0, 20.0, 10.0, SHARES)
    assert found is not None
    assert (found.p25, found.p75) == (20.0, 20.0)
    assert found.errors == pytest.approx({"avg": 5.0, "median": 5.0, "p99": 5.0})
    assert between([20.0, 20.0, 30.0], [5.0] * 3).chance > 0.05  # type: ignore[operator]


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 1000)), min_size=1, max_size=20))
def test_quartiles_lie_within_the_samples(steps: list[tuple[int, int]]) -> None:
    edges = np.cumsum([0, *(width for width, _ in steps)])
    bins = [(float(a), float(b), count) for a, b, (_, count) in zip(edges[:-1], edges[1:], steps, strict=True)]
    high = bins[-1][1] - 1
    found = within(bins, 0.0, high, high / 2, 1.0, SHARES)
    if sum(count for _, _, count in bins) < 2:
        assert found is None
        return
    assert found is not None
    assert 0 <= found.p25 <= found.p75 <= high
    assert all(np.isfinite(error) and error >= 0.5 for error in found.errors.values())


def test_fewer_than_two_samples_have_no_spread() -> None:
    assert within([(1.0, 2.0, 1)], 1.0, 1.0, 1.0, 1.0, SHARES) is None
    assert within([], 0.0, 0.0, 0.0, 1.0, SHARES) is None


def test_a_sample_lies_on_a_step_of_the_clock() -> None:
    found = within([(20.0, 30.0, 700), (30.0, 40.0, 300)], 20.0, 30.0, 23.0, 10.0, SHARES)
    assert found is not None
    assert (found.p25, found.p75) == (20.0, 30.0)
