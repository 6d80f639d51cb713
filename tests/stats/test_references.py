"""The figures against references that share no code with them: HdrHistogram, numpy's own percentiles, exact rationals,
and the definitions of the rank statistics written out in full."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hdrh.histogram import HdrHistogram
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import linregress, norm

from rtgauge.stats import basic, blocking, exposure, histogram, periodic, slope, trend, unmeasurable
from tests.support.series import make_view

SHAPES = ("normal", "lognormal", "pareto", "uniform", "two bands")


def shaped(shape: str, n: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    made = {
        "normal": rng.normal(5000, 300, n),
        "lognormal": rng.lognormal(9, 1.5, n),
        "pareto": 300 * (1 + rng.pareto(1.2, n)),
        "uniform": rng.uniform(1, 2000, n),
        "two bands": np.where(rng.random(n) < 0.99, rng.normal(2000, 40, n), rng.normal(90_000, 500, n)),
    }[shape]
    return np.maximum(made, 1).astype(np.int64)


def recorded(ticks: np.ndarray) -> HdrHistogram:
    made = HdrHistogram(1, 2**42, 3)
    for tick in ticks.tolist():
        assert made.record_value(tick)
    return made


# ---- HdrHistogram ----


@pytest.mark.parametrize("shape", SHAPES)
def test_percentiles_are_those_of_hdrhistogram(shape: str) -> None:
    """Within its three digits. The quantity makes each rank whole, since HdrHistogram rounds ranks to the nearest."""
    ticks = shaped(shape, 10_000)
    reference = recorded(ticks)
    found = basic.compute(make_view(ticks))["percentiles"]
    assert list(found) == ["50", "99", "99.9", "99.99"]
    for name, value in found.items():
        assert value == pytest.approx(reference.get_value_at_percentile(float(name)), rel=1e-3, abs=0.5)


@pytest.mark.parametrize("shape", SHAPES)
def test_frequencies_are_those_of_hdrhistogram(shape: str) -> None:
    """Up to each edge as many samples as in the other's buckets below it, but for the bucket that the edge cuts."""
    ticks = shaped(shape, 3000)
    buckets = [
        (one.value_iterated_from, one.value_iterated_to, one.count_added_in_this_iter_step)
        for one in recorded(ticks).get_recorded_iterator()
    ]
    below = 0
    for _, upper, count in histogram.compute(make_view(ticks)):
        below += count
        sure = sum(number for _, highest, number in buckets if highest < upper)
        perhaps = sum(number for lowest, _, number in buckets if lowest < upper)
        assert sure <= below <= perhaps
    assert below == len(ticks)


@given(hnp.arrays(np.int64, st.integers(1, 200), elements=st.integers(1, 2000)))
def test_below_its_precision_hdrhistogram_agrees_to_the_sample(ticks: np.ndarray) -> None:
    reference = recorded(ticks)
    for lower, upper, count in histogram.compute(make_view(ticks)):
        assert sum(reference.get_count_at_value(value) for value in range(int(lower), int(upper))) == count


# ---- exact rationals ----


@given(
    hnp.arrays(np.int64, st.integers(1, 60), elements=st.integers(-(2**62), 2**62)),
    st.integers(0, 1000),
    st.sampled_from([1.0, 0.5, 0.4166666666666667, 62.5]),
)
def test_averages_of_any_values_are_exact_to_the_last_digits(ticks: np.ndarray, overhead: int, scale: float) -> None:
    view = make_view(ticks, overhead=overhead, scale=scale)
    total = Fraction(sum(ticks.tolist()))
    largest = max(abs(int(ticks.min())), abs(int(ticks.max())), overhead) * scale
    average = (total / len(ticks) - overhead) * Fraction(scale)
    blocked = (int(ticks.max()) - total / len(ticks)) * Fraction(scale)
    close = 4 * np.finfo(float).eps * max(largest, 1.0)
    assert abs(basic.compute(view)["avg"] - average) <= close
    assert abs(blocking.compute(view)["longest"] - blocked) <= close


@given(
    hnp.arrays(np.int64, st.integers(1, 60), elements=st.integers(-50, 5000)),
    st.lists(st.integers(0, 5000), max_size=40),
    st.integers(0, 30),
    st.sampled_from([1.0, 0.5, 8.0]),
)
def test_periodic_figures_are_those_of_the_values_in_one_array(
    ticks: np.ndarray, entered: list[int], overhead: int, scale: float
) -> None:
    found = periodic.compute(make_view(ticks, overhead=overhead, scale=scale, synthetic=entered))
    every = np.concatenate([(ticks - overhead) * scale, np.array(entered, float)])
    assert (found["min"], found["max"], found["n"]) == (every.min(), every.max(), len(every))
    assert found["avg"] == float(sum(map(Fraction, every.tolist())) / len(every))
    assert found["median"] == np.percentile(every, 50, method="inverted_cdf")


@pytest.mark.parametrize("n", [999, 1000, 1001])
def test_periodic_percentiles_are_the_nearest_rank(n: int) -> None:
    ticks = shaped("lognormal", n - 40)
    entered = shaped("pareto", 40, seed=2) + 0.25
    found = periodic.compute(make_view(ticks, synthetic=entered))["percentiles"]
    assert list(found) == ["50", "99", "99.9"][: 2 + (n >= 1000)]
    for name, value in found.items():
        # Not numpy's: 99.9 % of 1000 are 999, and a little more in floating point.
        assert value == sorted([*ticks, *entered])[math.ceil(Fraction(name) / 100 * n) - 1]


# ---- simple counts ----


@given(
    hnp.arrays(np.int64, st.integers(1, 60), elements=st.integers(-20, 100)),
    st.integers(0, 40),
    st.integers(1, 30),
    st.sampled_from(["stamp", "os"]),
)
def test_too_short_for_the_clock_as_counted_one_by_one(
    ticks: np.ndarray, overhead: int, resolution: int, source: str
) -> None:
    within = ticks <= overhead + resolution if source == "stamp" else np.abs(ticks) <= resolution
    view = make_view(ticks, overhead=overhead, resolution=resolution, source=source)
    assert unmeasurable.compute(view) is bool(2 * within.sum() > len(ticks))


@given(st.lists(st.tuples(st.integers(0, 10**12), st.integers(-100, 10**9)), min_size=1, max_size=60), st.data())
def test_exposure_added_up_in_whole_ticks(made: list[tuple[int, int]], data: st.DataObject) -> None:
    starts, ticks = [one[0] for one in made], [one[1] for one in made]
    resumed = data.draw(st.sets(st.integers(0, len(made) - 1)))
    stops = [start + max(tick, 0) for start, tick in made]
    pauses = sum(max(0, starts[i] - stops[i - 1]) for i in resumed if i > 0)
    expected = max(0, max(stops) - min(starts) - pauses)
    found = exposure.compute(make_view(ticks, starts=starts, resumed=tuple(sorted(resumed))))
    assert found == pytest.approx(expected * 1e-9, abs=1e-11 * len(made) * max(1, max(stops) * 1e-9))


# ---- rank statistics ----


def theil_sen(x: Any, y: Any) -> tuple[float, float, float]:
    """The median of the slopes of all pairs, and Sen's interval (1968) of 95 % with ties of y allowed for."""
    n = len(x)
    slopes = sorted((y[j] - y[i]) / (x[j] - x[i]) for i, j in combinations(range(n), 2) if x[i] != x[j])
    ties = [count for count in np.unique(y, return_counts=True)[1].tolist() if count > 1]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18
    width = norm.ppf(0.975) * math.sqrt(variance)
    low = max(round((len(slopes) - width) / 2) - 1, 0)
    high = min(round((len(slopes) + width) / 2), len(slopes) - 1)
    return float(np.median(slopes)), slopes[low], slopes[high]


@given(hnp.arrays(np.int64, st.integers(5, 40), elements=st.integers(-3000, 3000) | st.integers(0, 4)))
def test_the_line_is_the_median_of_all_slopes(y: np.ndarray) -> None:
    x = np.cumsum(1 + np.abs(y) % 7)
    assert slope.fit(x, y) == pytest.approx(theil_sen(x.tolist(), y.tolist()), rel=1e-8, abs=1e-9)


def test_without_outliers_the_line_is_that_of_least_squares() -> None:
    rng = np.random.default_rng(8)
    x = np.arange(1, 200)
    y = 500 + 12.5 * x + rng.normal(0, 20, len(x))
    reference = linregress(x, y)
    found, low, high = slope.fit(x, y)
    assert found == pytest.approx(reference.slope, abs=3 * reference.stderr)
    assert (high - low) / (2 * 1.96 * reference.stderr) == pytest.approx(1, abs=0.2)


def test_the_interval_holds_the_true_slope_as_often_as_it_says() -> None:
    rng = np.random.default_rng(9)
    x = np.arange(30)
    lines = (slope.fit(x, 3 * x + rng.normal(0, 10, 30)) for _ in range(400))
    held = sum(low <= 3 <= high for _, low, high in lines)
    assert 0.92 <= held / 400 <= 0.98


def mann_kendall(y: list[int]) -> float:
    """Two-sided chance of S, the later greater less the later smaller; its variance with ties of y (Kendall 1975)."""
    n = len(y)
    s = sum((later > earlier) - (later < earlier) for earlier, later in combinations(y, 2))
    ties = np.unique(y, return_counts=True)[1].tolist()
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in ties)) / 18
    return float(2 * norm.sf(abs(s) / math.sqrt(variance))) if variance else 1.0


@given(hnp.arrays(np.int64, st.integers(18, 60), elements=st.integers(0, 10**6) | st.integers(0, 3)))
def test_the_chance_is_mann_and_kendalls(ticks: np.ndarray) -> None:
    found = trend.compute(make_view(ticks, source="value"))
    assert found["chance"] == pytest.approx(mann_kendall(ticks[len(ticks) // 10 :].tolist()), rel=1e-6)


def test_the_chance_is_uniform_where_there_is_no_trend() -> None:
    rng = np.random.default_rng(10)
    chances = sorted(trend.compute(make_view(rng.integers(0, 10**6, 50)))["chance"] for _ in range(300))
    apart = max(abs(chance - (i + 0.5) / 300) for i, chance in enumerate(chances))
    assert apart < 0.094  # Kolmogorov and Smirnov's distance that one in a hundred exceeds
