import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import theilslopes

from rtgauge.stats import slope
from tests.support.series import make_view

WAITERS = np.repeat(np.arange(1, 101), 10)


def waiting(ticks: np.ndarray, aux: np.ndarray = WAITERS, **more: int) -> dict[str, object]:
    return slope.compute(make_view(ticks.astype(np.int64), aux=aux, aux_name="waiters", **more))


def test_growth_is_found_with_its_interval() -> None:
    found = waiting(3700 + 220 * WAITERS + np.random.default_rng(1).normal(0, 30, 1000))
    assert found["verdict"] == "grows"
    assert found["low"] <= 220 <= found["high"]
    assert found["slope"] == pytest.approx(220, abs=2)
    assert (found["from"], found["to"], found["points"], found["against"]) == (1, 100, 100, "waiters")
    assert found["at_from"] == pytest.approx(3920, abs=60)
    assert found["at_to"] == pytest.approx(25_700, abs=60)


def test_it_is_theil_and_sens_line_through_the_medians() -> None:
    ticks = (500 + 3 * WAITERS + np.random.default_rng(1).gamma(2, 20, 1000)).astype(np.int64)
    medians = [np.percentile(ticks[w == WAITERS], 50, method="inverted_cdf") for w in range(1, 101)]
    reference = theilslopes(medians, np.arange(1, 101), 0.95)
    found = waiting(ticks)
    assert found["slope"] == pytest.approx(reference.slope)
    assert (found["low"], found["high"]) == (pytest.approx(reference.low_slope), pytest.approx(reference.high_slope))


def test_noise_is_constant() -> None:
    assert waiting(900 + np.random.default_rng(1).gamma(3, 10, 1000))["verdict"] == "constant"


def test_growth_below_a_tenth_of_the_median_is_constant() -> None:
    assert waiting(10_000 + 9 * WAITERS)["verdict"] == "constant"
    assert waiting(10_000 + 12 * WAITERS)["verdict"] == "grows"


def test_growth_below_one_step_of_the_clock_is_constant() -> None:
    assert waiting(10 + WAITERS // 5, resolution=1)["verdict"] == "grows"
    assert waiting(10 + WAITERS // 5, resolution=26)["verdict"] == "constant"


def test_costs_that_fall_do_not_grow() -> None:
    found = waiting(30_000 - 200 * WAITERS)
    assert (found["verdict"], found["slope"]) == ("constant", -200.0)


def test_too_few_numbers_for_a_line() -> None:
    found = waiting(np.array([5.0, 6.0, 7.0]), aux=np.array([1, 1, 2]))
    assert found["verdict"] is None
    assert "slope" not in found
    assert (found["at_from"], found["at_to"]) == (5.0, 7.0)


def test_overhead_and_unit_are_taken_into_account() -> None:
    found = waiting(20 + 100 * WAITERS, overhead=20, scale=0.5)
    assert (found["slope"], found["at_from"]) == (50.0, 50.0)


def line(slope_per_number: int, *, scale: float, ticks_at_30: int = 20_000) -> dict[str, object]:
    """Five numbers from 10 to 50 on an exact line; `slope_per_number` in ticks."""
    numbers = np.arange(10, 51, 10)
    return waiting(ticks_at_30 + slope_per_number * (numbers - 30), aux=numbers, scale=scale)


def test_growth_of_exactly_a_tenth_of_the_median_is_growth() -> None:
    found = line(50, scale=0.05)  # 2.5 x 40 = 100 with a median of 1000
    assert (found["verdict"], found["slope"], found["at_from"], found["at_to"]) == ("grows", 2.5, 950.0, 1050.0)
    assert line(49, scale=0.05)["verdict"] == "constant"


def test_a_slope_of_one_is_a_slope() -> None:
    numbers = np.arange(1, 41)
    assert waiting(numbers, aux=numbers)["verdict"] == "grows"


def test_an_interval_that_begins_at_zero_includes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slope, "fit", lambda *_: (50.0, 0.0, 90.0))
    assert line(50, scale=0.05)["verdict"] == "constant"
    monkeypatch.setattr(slope, "fit", lambda *_: (50.0, 1e-6, 90.0))
    assert line(50, scale=0.05)["verdict"] == "grows"


def test_many_numbers_are_thinned_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(300)
    y = np.random.default_rng(4).normal(x**1.5, 300)
    monkeypatch.setattr(slope, "_MOST", 40)
    some = [i * 299 // 39 for i in range(40)]
    reference = theilslopes(y[some], x[some], 0.95)
    assert slope.fit(x, y) == pytest.approx((reference.slope, reference.low_slope, reference.high_slope))


@given(st.integers(0, 500), st.integers(1, 2500), st.integers(2, 2000))
def test_positions_are_all_or_evenly_spread(first: int, n: int, most: int) -> None:
    found = slope.evenly(first, first + n, most)
    assert (found[0], found[-1], len(found)) == (first, first + n - 1, min(n, most))
    steps = np.diff(found)
    assert not len(steps) or steps.max() - steps.min() <= 1
