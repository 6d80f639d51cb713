import numpy as np
import pytest
from scipy.stats import theilslopes

from rtgauge.stats import slope
from tests.support.series import make_view

WAITERS = np.repeat(np.arange(1, 101), 10)
RNG = np.random.default_rng(1)


def waiting(ticks: np.ndarray, aux: np.ndarray = WAITERS, **more: int) -> dict[str, object]:
    return slope.compute(make_view(ticks.astype(np.int64), aux=aux, aux_name="waiters", **more))


def test_growth_is_found_with_its_interval() -> None:
    found = waiting(3700 + 220 * WAITERS + RNG.normal(0, 30, 1000))
    assert found["verdict"] == "grows"
    assert found["low"] <= 220 <= found["high"]
    assert found["slope"] == pytest.approx(220, abs=2)
    assert (found["from"], found["to"], found["points"], found["against"]) == (1, 100, 100, "waiters")
    assert found["at_from"] == pytest.approx(3920, abs=60)
    assert found["at_to"] == pytest.approx(25_700, abs=60)


def test_it_is_theil_and_sens_line_through_the_medians() -> None:
    ticks = (500 + 3 * WAITERS + RNG.gamma(2, 20, 1000)).astype(np.int64)
    medians = [np.percentile(ticks[w == WAITERS], 50, method="inverted_cdf") for w in range(1, 101)]
    reference = theilslopes(medians, np.arange(1, 101), 0.95)
    found = waiting(ticks)
    assert found["slope"] == pytest.approx(reference.slope)
    assert (found["low"], found["high"]) == (pytest.approx(reference.low_slope), pytest.approx(reference.high_slope))


def test_noise_is_constant() -> None:
    assert waiting(900 + RNG.gamma(3, 10, 1000))["verdict"] == "constant"


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
