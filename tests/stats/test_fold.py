import numpy as np
import pytest

from rtgauge.stats.fold import fold, guess, holds_instant


def test_an_instant_belongs_to_the_loop_that_it_ends() -> None:
    begin, end = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    assert holds_instant(begin, end, 2.0, 0.0).tolist() == [False, True, False]
    assert holds_instant(begin, end, 2.0, 0.5).tolist() == [True, False, True]


@pytest.mark.parametrize("phase", [0.0, 1.7, 3.99])
@pytest.mark.parametrize("error", [0.981, 0.9996, 1.0, 1.001, 1.019])
def test_period_and_phase_are_found_over_many_periods(phase: float, error: float) -> None:
    n, period, loop = 60_000, 4.0, 0.1
    begin = 1000 + np.arange(n) * loop
    end = begin + loop
    rng = np.random.default_rng(1)
    disturbed = holds_instant(begin, end, period, phase + 0.05) | (rng.random(n) < 0.2)
    first = guess(begin, end, disturbed, period * error)
    assert first.contrast > 0.7
    found, at = fold(begin, end, disturbed, first)
    assert found == pytest.approx(period, rel=2e-5)
    apart = (at - phase - 0.05 + period / 2) % period - period / 2
    assert abs(apart) < loop


def test_a_stretch_with_a_rhythm_of_its_own_does_not_win() -> None:
    n, period, loop = 40_000, 4.0, 0.1
    begin = np.arange(n) * loop
    end = begin + loop
    rng = np.random.default_rng(2)
    disturbed = holds_instant(begin, end, period, 1.05) | (rng.random(n) < 0.1)
    disturbed[:2000] = holds_instant(begin[:2000], end[:2000], period * 1.008, 3.05)  # the calmest one
    first = guess(begin, end, disturbed, period * 0.995)
    assert first.period == pytest.approx(period, rel=8e-4)
    assert fold(begin, end, disturbed, first)[0] == pytest.approx(period, rel=4e-5)


def test_where_nothing_is_periodic_the_contrast_is_low() -> None:
    begin = np.arange(20_000.0)
    disturbed = np.random.default_rng(3).random(len(begin)) < 0.05
    assert guess(begin, begin + 1, disturbed, 40.0).contrast < 0.25


def test_a_period_shorter_than_a_loop_is_left_alone() -> None:
    begin = np.arange(10.0)
    first = guess(begin, begin + 1, np.ones(10, bool), 0.5)
    assert first.contrast == 0
    assert fold(begin, begin + 1, np.ones(10, bool), first) == (0.5, 0.0)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_few_loops_are_enough_to_answer(n: int) -> None:
    begin = np.arange(float(n))
    disturbed = np.arange(n) == n - 1
    period, phase = fold(begin, begin + 1, disturbed, guess(begin, begin + 1, disturbed, 40.0))
    assert period == pytest.approx(40, rel=0.5)
    assert np.isfinite(phase)
