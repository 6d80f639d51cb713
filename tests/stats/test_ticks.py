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
    assert found["by_aux"] == {}
