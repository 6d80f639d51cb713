from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rtgauge.stats.view import settled
from tests.support.series import make_samples, make_view

LEAST, MOST = -(2**63), 2**63 - 1
EDGES = (LEAST - 1, LEAST, LEAST + 1, -(2**31) - 1, -(2**31), -1, 0, 1, 2**31 - 1, 2**31, MOST - 1, MOST, MOST + 1)
ANY = st.integers(LEAST, MOST) | st.sampled_from([edge for edge in EDGES if LEAST <= edge <= MOST])


@given(hnp.arrays(np.int64, st.integers(1, 50), elements=ANY), ANY | st.sampled_from(EDGES))
def test_below_counts_as_whole_numbers_do(ticks: np.ndarray, limit: int) -> None:
    assert make_view(ticks).below(limit) == sum(tick < limit for tick in ticks.tolist())


@pytest.mark.parametrize("limit", EDGES)
@pytest.mark.parametrize("ticks", [[0, 5, 2**31 - 1, -(2**31)], [LEAST, 0, MOST]])
def test_below_at_the_ends_of_what_fits(ticks: list[int], limit: int) -> None:
    assert make_view(ticks).below(limit) == sum(tick < limit for tick in ticks)


def test_pieces_hold_each_sample_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.stats.view.PIECE", 4)
    found = [np.arange(10)[piece].tolist() for piece in make_view(range(10)).pieces()]
    assert found == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_a_value_is_exact_until_it_is_scaled() -> None:
    view = make_view([1], overhead=2**60 + 1, scale=0.5)
    assert view.unit(2**60 + 4) == 1.5


def test_the_samples_keep_their_order() -> None:
    samples = make_samples([5, 3, 9])
    assert make_view([5, 3, 9]).raw.values.tolist() == [3, 5, 9]
    assert samples.raw.ticks.tolist() == [5, 3, 9]


def test_nine_digits_are_kept() -> None:
    assert settled(1.2345678949) == 1.23456789
    assert settled(-2e-300) == -2e-300
