from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rtgauge.stats import histogram
from tests.support.series import make_view


@given(
    hnp.arrays(np.int64, st.integers(1, 300), elements=st.integers(-(2**40), 2**40) | st.integers(-3, 60)),
    st.integers(0, 40),
    st.integers(1, 30),
)
def test_every_sample_is_in_exactly_one_bin(ticks: np.ndarray, overhead: int, resolution: int) -> None:
    values = ticks - overhead
    bins = histogram.compute(make_view(ticks, overhead=overhead, resolution=resolution))
    assert sum(count for *_, count in bins) == len(ticks)
    for lower, upper, count in bins:
        assert ((values >= lower) & (values < upper)).sum() == count > 0
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(bins))
    assert len(bins) <= 200


@pytest.mark.parametrize("high", [10, 1000, 10**6, 10**12, 2**62])
@pytest.mark.parametrize("resolution", [1, 13])
def test_the_number_of_bins_is_bounded_and_none_is_narrower_than_a_step(high: int, resolution: int) -> None:
    rng = np.random.default_rng(1)
    ticks = np.unique(np.geomspace(1, high, 5000).astype(np.int64)) + rng.integers(0, 2)
    bins = histogram.compute(make_view(ticks, resolution=resolution))
    assert len(bins) <= histogram.MOST + 5
    assert all(upper - lower >= resolution for lower, upper, _ in bins)


def test_negatives_and_zeros_have_bins_of_their_own() -> None:
    bins = histogram.compute(make_view([7, 8, 10, 10, 12], overhead=10))
    assert bins == ((-3.0, 0.0, 2), (0.0, 2.0, 2), (2.0, 3.0, 1))


def test_only_negatives() -> None:
    assert histogram.compute(make_view([7, 8], overhead=10)) == ((-3.0, 0.0, 2),)


def test_an_outlier_is_not_folded_into_another_bin() -> None:
    bins = histogram.compute(make_view([*range(1000, 1100), 900_000_000]))
    assert bins[-1][2] == 1
    assert bins[-1][0] <= 900_000_000 < bins[-1][1]


@pytest.mark.parametrize("resolution", [1, 13])
@pytest.mark.parametrize("overhead", [0, 700])
@pytest.mark.parametrize("high", [30, 5000, 40_000])
def test_each_edge_is_the_least_whole_number_beyond_the_growth(high: int, overhead: int, resolution: int) -> None:
    """Without a gap, so that every bin is there; exact growth would miss by less than one."""
    bins = histogram.compute(make_view(np.arange(3, high + 1) + overhead, overhead=overhead, resolution=resolution))
    growth = (high / 3) ** (1 / histogram.MOST)
    assert bins[0][0] == 3
    assert bins[-1][0] <= high < bins[-1][1]
    assert all(earlier[1] == later[0] for earlier, later in pairwise(bins))
    for lower, upper, _ in bins:
        assert upper >= max(lower + resolution, lower * growth - 1e-5)
        assert upper == lower + resolution or upper - 1 < lower * growth


def test_zeros_alone_have_one_bin_of_one_tick() -> None:
    assert histogram.compute(make_view([10, 10], overhead=10)) == ((0.0, 1.0, 2),)
    assert histogram.compute(make_view([8, 10, 10], overhead=10)) == ((-2.0, 0.0, 1), (0.0, 1.0, 2))


def test_the_largest_number_there_is_has_a_bin() -> None:
    bins = histogram.compute(make_view([-(2**63), 0, 1, 2**63 - 1]))
    assert [count for *_, count in bins] == [1, 1, 1, 1]
