import numpy as np
import pytest

from rtgauge.stats.fold import fold, holds_instant


def test_an_instant_belongs_to_the_loop_that_it_ends() -> None:
    begin, end = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    assert holds_instant(begin, end, 2.0, 0.0).tolist() == [False, True, False]
    assert holds_instant(begin, end, 2.0, 0.5).tolist() == [True, False, True]


@pytest.mark.parametrize("phase", [0.0, 0.3, 1.7, 3.99])
@pytest.mark.parametrize("error", [0.999, 0.9996, 1.0, 1.0004, 1.001])
def test_period_and_phase_are_found_over_many_periods(phase: float, error: float) -> None:
    n, period, loop = 60_000, 4.0, 0.1
    begin = 1000 + np.arange(n) * loop
    end = begin + loop
    rng = np.random.default_rng(1)
    disturbed = holds_instant(begin, end, period, phase + 0.05) | (rng.random(n) < 0.2)
    found, at = fold(begin, end, disturbed, period * error)
    assert found == pytest.approx(period, rel=2e-5)
    apart = (at - phase - 0.05 + period / 2) % period - period / 2
    assert abs(apart) < loop


def test_a_period_shorter_than_a_loop_is_left_alone() -> None:
    begin = np.arange(10.0)
    assert fold(begin, begin + 1, np.ones(10, bool), 0.5) == (0.5, 0.0)
