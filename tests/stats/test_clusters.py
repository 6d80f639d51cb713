from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rtgauge.stats import clusters
from tests.support.series import make_view


def counts(ticks: object, **more: int) -> list[int]:
    return [one["count"] for one in clusters.compute(make_view(ticks, **more))]


@given(hnp.arrays(np.int64, st.integers(1, 300), elements=st.integers(-(2**40), 2**40) | st.integers(0, 60)))
def test_every_sample_is_in_one_band_and_bands_do_not_overlap(ticks: np.ndarray) -> None:
    found = clusters.compute(make_view(ticks))
    assert sum(one["count"] for one in found) == len(ticks)
    for one in found:
        inside = ticks[(ticks >= one["from"]) & (ticks <= one["to"])]
        assert len(inside) == one["count"]
        assert one["median"] == np.percentile(inside, 50, method="inverted_cdf")
    assert all(lower["to"] < upper["from"] for lower, upper in pairwise(found))


def test_a_tick_shows_as_a_second_band() -> None:
    rng = np.random.default_rng(3)
    ticks = 1000 + rng.gamma(4, 12, 10_000).astype(np.int64)
    ticks[::400] += 2600
    found = clusters.compute(make_view(ticks))
    assert [one["count"] for one in found] == [9975, 25]
    assert found[1]["median"] - found[0]["median"] == pytest.approx(2600, abs=30)


def test_a_band_close_to_the_main_one_relative_to_its_value() -> None:
    """A loop of 300 us that a tick of 2.4 us hits: less than a hundredth."""
    rng = np.random.default_rng(4)
    ticks = 300_000 + rng.integers(0, 90, 8000)
    ticks[::13] += 2400 + rng.gamma(3, 90, len(ticks[::13])).astype(np.int64)
    assert counts(ticks) == [7384, 616]


def test_ten_samples_are_enough_for_two_clear_bands() -> None:
    assert counts([100, 101, 102, 103, 104, 1000, 1001, 1002, 1003, 1005]) == [5, 5]


@pytest.mark.parametrize("n", [30, 300, 3000, 100_000])
@pytest.mark.parametrize("seed", range(4))
def test_one_heap_with_any_tail_is_one_band(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    heaps = {
        "normal": rng.normal(1000, 30, n),
        "lognormal": rng.lognormal(7, 1, n),
        "pareto": 100 * (1 + rng.pareto(1.5, n)),
        "exponential": rng.exponential(1000, n),
        "uniform": rng.integers(0, 1000, n),
    }
    for name, ticks in heaps.items():
        assert counts(ticks.astype(np.int64)) == [n], name


def test_a_coarse_clock_makes_no_bands_of_its_steps() -> None:
    rng = np.random.default_rng(5)
    ticks = 20 + rng.integers(0, 8, 10_000) * 26
    assert counts(ticks, resolution=26) == [10_000]
    assert counts(ticks, resolution=1) == [10_000]


def test_constant_samples_are_one_band() -> None:
    assert clusters.compute(make_view([5] * 100)) == ({"from": 5.0, "to": 5.0, "count": 100, "median": 5.0},)


def test_a_few_outliers_are_no_band_and_not_lost() -> None:
    ticks = np.concatenate([1000 + np.random.default_rng(6).integers(0, 100, 10_000), [9_000, 50_000, 700_000]])
    found = clusters.compute(make_view(ticks))
    assert [one["count"] for one in found] == [10_003]
    assert found[0]["to"] == 700_000


def test_many_samples() -> None:
    rng = np.random.default_rng(7)
    ticks = 1000 + rng.gamma(4, 12, 1_000_000).astype(np.int64)
    ticks[::4000] += 2600
    assert counts(ticks) == [999_750, 250]
