import numpy as np
import pytest
from scipy.stats import kendalltau, theilslopes

from rtgauge.stats import trend
from tests.support.series import make_view

PAGE = 4096
STEADY = 4_000_000 + PAGE * np.random.default_rng(2).integers(0, 3, 600)


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
    ticks = np.random.default_rng(2).integers(0, 20, 200)
    reference = kendalltau(np.arange(180), ticks[20:], method="asymptotic").pvalue
    assert of(ticks)["chance"] == pytest.approx(reference)


def test_long_series_are_thinned() -> None:
    found = of(np.arange(100_000) * 8)
    assert found["points"] == 2000
    assert (found["verdict"], found["per_sample"]) == ("growing", pytest.approx(8))


def test_too_few_samples() -> None:
    assert of([1, 2, 3])["verdict"] is None


def test_figures_are_in_the_unit_and_exact() -> None:
    made = np.arange(17) ** 2
    found = trend.compute(make_view(made, scale=0.5))
    reference = theilslopes(made[1:] / 2, np.arange(1, 17), 0.95)
    assert (found["points"], found["verdict"]) == (16, "growing")
    assert found["total"] == (16**2 - 1) / 2
    assert (found["per_sample"], found["low"], found["high"]) == pytest.approx(
        (reference.slope, reference.low_slope, reference.high_slope)
    )


def test_one_sample_fewer_is_too_few() -> None:
    assert of(np.arange(16))["verdict"] is None
    assert of(np.arange(17))["verdict"] == "growing"


def test_the_total_of_huge_values_is_exact() -> None:
    assert of(2**62 + np.arange(20))["total"] == 17


def test_growth_of_less_than_one_for_each_sample_is_growth() -> None:
    found = of(np.arange(600) // 3)
    assert (found["verdict"], found["per_sample"]) == ("growing", pytest.approx(1 / 3, rel=0.01))


def test_two_steps_with_a_flat_middle_are_no_growth() -> None:
    quarters = np.arange(540) // 135  # 0, 1, 2, 3
    levels = np.array([0, 1, 1, 2])[quarters]
    assert of(np.concatenate([np.zeros(60, int), levels]))["verdict"] == "steady"
    assert of(np.concatenate([np.zeros(60, int), quarters]))["verdict"] == "growing"


@pytest.mark.parametrize(
    ("chance", "slope", "expected"),
    [(0.0099, 1e-9, "growing"), (0.01, 1e-9, "steady"), (0.0099, 0.0, "steady"), (0.0099, -1.0, "steady")],
)
def test_each_condition_is_needed(monkeypatch: pytest.MonkeyPatch, chance: float, slope: float, expected: str) -> None:
    monkeypatch.setattr(trend, "_mann_kendall", lambda *_: chance)
    monkeypatch.setattr(trend, "fit", lambda *_: (slope, slope, slope))
    assert of(np.arange(100))["verdict"] == expected


def test_a_constant_value_is_certainly_no_trend() -> None:
    assert of([7] * 100)["chance"] == 1.0


def test_the_chance_is_the_asymptotic_one_for_few_samples_too() -> None:
    ticks = np.array([3, 1, 4, 15, 9, 2, 6, 5, 35, 8, 97, 93, 23, 84, 62, 64, 33, 83])
    reference = kendalltau(np.arange(17), ticks[1:], method="asymptotic").pvalue
    assert of(ticks)["chance"] == pytest.approx(reference, rel=1e-8)


def test_the_first_tenth_is_left_out_in_whole_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(trend, "fit", lambda x, _: seen.append(x.tolist()) or (0.0, 0.0, 0.0))
    of(np.arange(5009))
    assert seen == [[500 + i * 4508 // 1999 for i in range(2000)]]
