import numpy as np
import pytest

from rtgauge.stats import period
from tests.support.series import make_view


def ticked(n: int, every_ns: int, tick_ns: int, seed: int = 0, missed: float = 0.0) -> dict[str, object]:
    """Samples about `every_ns` apart; those under way at a tick are 2.6 us longer, but for a share that is missed."""
    rng = np.random.default_rng(seed)
    starts = np.cumsum(every_ns + rng.integers(0, 50, n))
    ticks = 1000 + rng.gamma(4, 12, n)
    hit = (starts // tick_ns != (starts + every_ns) // tick_ns) & (rng.random(n) >= missed)
    return {"ticks": (ticks + 2600 * hit).astype(np.int64), "starts": starts}


@pytest.mark.parametrize(
    ("n", "every", "tick"), [(10_000, 10_000, 4_000_000), (100_000, 1300, 1_000_000), (200_000, 5000, 10_000_000)]
)
def test_the_tick_is_found_in_the_peaks(n: int, every: int, tick: int) -> None:
    found = period.compute(make_view(**ticked(n, every, tick)))
    assert found is not None
    assert found["period_s"] == pytest.approx(tick / 1e9, rel=1e-3)
    assert found["strength"] > 0.95
    assert found["chance"] < 1e-4


def test_it_is_found_when_half_of_the_peaks_are_missing() -> None:
    found = period.compute(make_view(**ticked(200_000, 5000, 10_000_000, missed=0.5)))
    assert found is not None
    assert found["period_s"] == pytest.approx(0.01, rel=1e-3)


def test_every_fiftieth_of_samples_taken_in_step() -> None:
    n = 20_000
    ticks = 3000 + np.random.default_rng(1).gamma(3, 900, n).astype(np.int64)
    ticks[::50] += 20_000
    found = period.compute(make_view(ticks, starts=np.arange(n) * 1_000_000))
    assert found is not None
    assert found["period_s"] == pytest.approx(0.05)


@pytest.mark.parametrize("seed", range(40))
def test_no_period_is_seen_where_there_is_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(10 ** rng.uniform(1.5, 4.5))
    starts = [
        np.cumsum(1000 + rng.integers(0, 200, n)),
        np.arange(n) * 1_000_000,  # taken in step, without a period in the values
        np.cumsum(rng.exponential(5000, n)),
    ][seed % 3]
    ticks = [rng.lognormal(7, 1, n), 1000 + rng.gamma(2, 30, n), 100 * (1 + rng.pareto(2, n))][seed // 3 % 3]
    assert period.compute(make_view(ticks.astype(np.int64), starts=starts)) is None


def test_too_few_peaks() -> None:
    assert period.compute(make_view([1, 2, 3])) is None
    assert period.compute(make_view([7] * 1000, starts=[5] * 1000)) is None


def test_it_is_the_same_when_computed_again() -> None:
    view = make_view(**ticked(100_000, 1300, 1_000_000))
    assert period.compute(view) == period.compute(view)
