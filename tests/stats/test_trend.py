import numpy as np
import pytest
from scipy.stats import kendalltau

from rtgauge.stats import trend
from tests.support.series import make_view

RNG = np.random.default_rng(2)
PAGE = 4096
STEADY = 4_000_000 + PAGE * RNG.integers(0, 3, 600)


def of(ticks: object) -> dict[str, object]:
    return trend.compute(make_view(ticks, source="value", unit="B"))


def test_a_leak_is_found_with_its_growth_for_each_sample() -> None:
    found = of(STEADY + 64 * np.arange(600))
    assert found["verdict"] == "growing"
    assert found["per_sample"] == pytest.approx(64, abs=4)
    assert found["total"] == pytest.approx(64 * 539, abs=3 * PAGE)


def test_a_slow_leak_in_whole_pages_is_found() -> None:
    assert of(1_000_000 + np.arange(2000) // 90 * PAGE)["verdict"] == "growing"


@pytest.mark.parametrize(
    "ticks",
    [
        STEADY,
        np.full(600, 4_000_000),
        4_000_000 + PAGE * (np.arange(600) > 300),  # one more page
        4_000_000 + PAGE * (np.arange(600) > 90) + PAGE * (np.arange(600) > 500),  # two
        5_000_000 - 64 * np.arange(600),
        4_000_000 + 100_000 * np.minimum(np.arange(600), 50),  # caches that fill during warm-up
    ],
)
def test_what_is_no_leak(ticks: np.ndarray) -> None:
    assert of(ticks)["verdict"] == "steady"


def test_noise_is_rarely_a_leak() -> None:
    seen = sum(of(np.random.default_rng(seed).integers(0, 100, 300))["verdict"] == "growing" for seed in range(200))
    assert seen <= 4


def test_the_chance_is_that_of_kendalls_tau() -> None:
    ticks = RNG.integers(0, 20, 200)
    reference = kendalltau(np.arange(180), ticks[20:], method="asymptotic").pvalue
    assert of(ticks)["chance"] == pytest.approx(reference)


def test_long_series_are_thinned() -> None:
    found = of(np.arange(100_000) * 8)
    assert found["points"] == 2000
    assert (found["verdict"], found["per_sample"]) == ("growing", pytest.approx(8))


def test_too_few_samples() -> None:
    assert of([1, 2, 3])["verdict"] is None
