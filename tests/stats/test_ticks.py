import numpy as np
import pytest

from rtgauge.model import Evidence
from rtgauge.stats import ticks
from rtgauge.verdict import tick_rate_doubt
from tests.support.series import make_view

PERIOD = 4_000_000


def loops(work: np.ndarray, tick: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Durations and starts of loops that follow each other, and which of them a tick made longer by its part of
    `tick`. `work`: what each takes without."""
    starts, hit, now = np.zeros(len(work), np.int64), np.zeros(len(work), bool), 0
    for i, takes in enumerate(work.tolist()):
        starts[i], hit[i] = now, now // PERIOD != (now + takes) // PERIOD
        now += takes + int(tick[i] * hit[i]) + 200
    return work + hit * tick, starts, hit


def quiet(n: int = 8000, loop: int = 300_000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Nothing but ticks, of 2.5 us."""
    rng = np.random.default_rng(seed)
    return loops(loop + rng.integers(0, 60, n), 2500 + rng.integers(0, 40, n))[:2]


def test_the_duration_of_a_tick_is_the_distance_of_the_bands() -> None:
    duration, starts = quiet()
    found = ticks.compute(make_view(duration, starts=starts))
    assert found["typical"] == pytest.approx(2520, abs=30)
    assert found["worst"] == duration.max() - found["clean"]
    assert found["clean"] == pytest.approx(300_030, abs=3)
    assert found["clean_spread"] == 59
    assert found["rate_hz"] == pytest.approx(250, rel=0.05)
    assert found["hits"] == (duration > 301_000).sum()


def test_expiries_are_told_apart() -> None:
    duration, starts = quiet()
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


def noisy(seed: int, n: int = 20_000, most: int = 6000) -> tuple[np.ndarray, np.ndarray]:
    """Ticks of 18 us, and three times as many other interruptions of 1 to `most` us, in bursts at the beginning."""
    rng = np.random.default_rng(seed)
    other = rng.random(n) < np.where(np.arange(n) < n // 20, 0.95, 0.1)
    work = 100_000 + rng.integers(0, 60, n) + other * rng.integers(1000, most, n)
    return loops(work, 18_000 + rng.integers(0, 40, n))[:2]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("error", [-60_000, -2500, 0, 90, 60_000])
def test_ticks_are_told_from_other_interruptions(seed: int, error: int) -> None:
    duration, starts = noisy(seed)
    found = ticks.compute(make_view(duration, starts=starts, tick_ns=PERIOD + error))
    assert found["rate_hz"] == pytest.approx(250, rel=0.05)
    assert found["typical"] == pytest.approx(18_000, rel=0.15)
    assert found["others"]["hits"] < 0.01 * found["hits"]  # none lasts as long as a tick
    assert found["contrast"] > 0.95


@pytest.mark.parametrize("seed", range(2))
def test_interruptions_longer_than_a_tick_are_told_from_it(seed: int) -> None:
    duration, starts = noisy(seed, most=60_000)
    found = ticks.compute(make_view(duration, starts=starts, tick_ns=PERIOD))
    assert found["rate_hz"] == pytest.approx(250, rel=0.05)
    assert found["typical"] == pytest.approx(18_000, rel=0.15)
    assert found["others"]["hits"] > 2 * found["hits"]
    assert found["contrast"] > 0.75


def uneven(seed: int, n: int = 20_000, lost: float = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Loops as in a virtual machine whose processor others share: clean ones are of two lengths, and every length
    between them and the ticks, 14 us and more, occurs. Duration, start, and whether a tick fell into the loop, which it
    left alone in a share `lost` of them."""
    rng = np.random.default_rng(seed)
    other = (rng.random(n) < 0.25) * rng.lognormal(7, 1.3, n)
    work = 98_000 + rng.integers(0, 60, n) + (rng.random(n) < 0.5) * 110 + other.astype(np.int64)
    return loops(work, (rng.random(n) >= lost) * (14_000 + rng.gamma(3, 12_000, n).astype(np.int64)))


@pytest.mark.parametrize("seed", range(2))
def test_no_hollow_between_clean_loops_and_ticks_is_needed(seed: int) -> None:
    duration, starts, hit = uneven(seed)
    found = ticks.tell(make_view(duration, starts=starts, tick_ns=PERIOD - 20_000))
    assert found is not None
    told = found.disturbed & found.at_tick
    assert (told & hit).sum() > 0.98 * hit.sum()
    assert (told & ~hit).sum() < 0.02 * hit.sum()


@pytest.mark.parametrize("seed", range(2))
def test_ticks_that_are_left_out_lower_the_rate(seed: int) -> None:
    duration, starts, hit = uneven(seed, lost=0.3)
    found = ticks.compute(make_view(duration, starts=starts, tick_ns=PERIOD))
    assert found["hits"] == pytest.approx((hit & (duration > 112_000)).sum(), rel=0.03)
    assert found["rate_hz"] < 0.8 * 250


@pytest.mark.parametrize("seed", range(2))
def test_without_ticks_nothing_stands_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 20_000
    duration = 100_000 + (rng.random(n) < 0.1) * rng.integers(1000, 6000, n)
    found = ticks.compute(make_view(duration, starts=np.arange(n) * 101_000, tick_ns=PERIOD))
    assert found["contrast"] < 0.2


def test_loops_that_are_all_alike_tell_no_tick() -> None:
    found = ticks.compute(make_view([100_000] * 2000, starts=np.arange(2000) * 101_000, tick_ns=PERIOD))
    assert (found["hits"], found["typical"], found["contrast"]) == (0, None, None)


def test_an_expiry_away_from_a_tick_is_counted() -> None:
    duration, starts = noisy(1)
    aux = np.zeros(len(duration))
    quiet = np.flatnonzero(duration < 100_100)[[500, 9000]]
    duration[quiet] += 4000
    aux[quiet] = 1
    found = ticks.compute(make_view(duration, starts=starts, aux=aux, tick_ns=PERIOD))
    assert found["by_aux"]["1"]["hits"] == 2
    assert found["by_aux"]["1"]["typical"] == pytest.approx(4000, abs=100)


@pytest.mark.parametrize("period", [PERIOD * of // 20 for of in (10, 15, 19, 21, 40, 60)])
@pytest.mark.parametrize("seed", range(2))
def test_a_rate_that_does_not_match_is_doubted(seed: int, period: int) -> None:
    duration, starts, _ = uneven(seed)
    found = ticks.compute(make_view(duration, starts=starts, tick_ns=period))
    assert tick_rate_doubt(found, [Evidence("tick_ns", period, "ns")]) is not None


def test_a_clock_that_ran_backwards_tells_no_tick() -> None:
    duration, starts = quiet()
    starts[4000:] -= 20_000_000
    assert ticks.tell(make_view(duration, starts=starts, tick_ns=PERIOD)) is None
    duration, starts = quiet()
    duration[4000] = -5
    assert ticks.tell(make_view(duration, starts=starts, tick_ns=PERIOD)) is None
