import numpy as np
import pytest

from rtgauge.stats import ticks
from tests.support.series import make_view

PERIOD = 4_000_000


def loops(n: int = 8000, loop: int = 300_000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Durations and starts of back-to-back loops; a tick makes the loop that it hits 2.5 us longer."""
    rng = np.random.default_rng(seed)
    clean = loop + rng.integers(0, 60, n)
    starts = np.cumsum(np.concatenate([[0], clean[:-1] + 200]))
    hit = starts // PERIOD != (starts + clean) // PERIOD
    return clean + hit * (2500 + rng.integers(0, 40, n)), starts


def test_the_duration_of_a_tick_is_the_distance_of_the_bands() -> None:
    duration, starts = loops()
    found = ticks.compute(make_view(duration, starts=starts))
    assert found["typical"] == pytest.approx(2520, abs=30)
    assert found["worst"] == duration.max() - found["clean"]
    assert found["clean"] == pytest.approx(300_030, abs=3)
    assert found["clean_spread"] == 59
    assert found["rate_hz"] == pytest.approx(250, rel=0.05)
    assert found["hits"] == (duration > 301_000).sum()


def test_expiries_are_told_apart() -> None:
    duration, starts = loops()
    hit = np.flatnonzero(duration > 301_000)
    aux = np.zeros(len(duration))
    aux[hit[::50]] = 1
    duration[hit[::50]] += 1500
    found = ticks.compute(make_view(duration, starts=starts, aux=aux))
    assert found["by_aux"]["1"]["hits"] == len(hit[::50])
    assert found["by_aux"]["1"]["typical"] - found["by_aux"]["0"]["typical"] == pytest.approx(1500, abs=40)
    assert found["by_aux"]["0"]["hits"] + found["by_aux"]["1"]["hits"] == found["hits"] == len(hit)


def test_without_a_hit_there_is_no_duration() -> None:
    found = ticks.compute(make_view([300_000, 300_001] * 500))
    assert (found["hits"], found["typical"], found["worst"], found["rate_hz"]) == (0, None, None, 0.0)
    assert found["by_aux"] == {"0": {"hits": 0, "typical": None, "worst": None}}


def noisy(seed: int, n: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    """Ticks of 18 us, and three times as many other interruptions of 1 to 6 us, in bursts at the beginning."""
    rng = np.random.default_rng(seed)
    duration, starts = loops(n, loop=100_000, seed=seed)
    duration = duration + (duration > 101_000) * 15_500
    other = rng.random(n) < np.where(np.arange(n) < n // 20, 0.95, 0.1)
    return duration + other * rng.integers(1000, 6000, n), starts


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("error", [-2500, 0, 90, 2500])
def test_ticks_are_told_from_other_interruptions(seed: int, error: int) -> None:
    duration, starts = noisy(seed)
    found = ticks.compute(make_view(duration, starts=starts, tick_ns=PERIOD + error))
    assert found["rate_hz"] == pytest.approx(250, rel=0.05)
    assert found["typical"] == pytest.approx(18_000, rel=0.15)
    assert found["others"]["typical"] < 6_000
    assert found["others"]["hits"] > 3 * found["hits"]
    assert found["contrast"] > 0.75


def test_without_ticks_nothing_stands_out() -> None:
    rng = np.random.default_rng(3)
    n = 20_000
    duration = 100_000 + (rng.random(n) < 0.1) * rng.integers(1000, 6000, n)
    found = ticks.compute(make_view(duration, starts=np.arange(n) * 101_000, tick_ns=PERIOD))
    assert found["contrast"] < 0.2
    assert found["rate_hz"] < 80
    assert found["others"]["hits"] > 1500


def test_an_expiry_away_from_a_tick_is_counted() -> None:
    duration, starts = noisy(1)
    aux = np.zeros(len(duration))
    quiet = np.flatnonzero(duration < 100_100)[[500, 9000]]
    duration[quiet] += 4000
    aux[quiet] = 1
    found = ticks.compute(make_view(duration, starts=starts, aux=aux, tick_ns=PERIOD))
    assert found["by_aux"]["1"]["hits"] == 2
    assert found["by_aux"]["1"]["typical"] == pytest.approx(4000, abs=100)
