"""Figures of the spread within a run, worked out by hand."""

from __future__ import annotations

import math

import pytest

from rtgauge.stats.between import between, within


def test_a_bin_holds_nothing_beyond_the_smallest_and_the_largest_sample() -> None:
    found = within([(0, 10, 100)], 4.0, 6.0, 5.0, 1.0, {})
    assert found is not None
    assert (found.p25, found.p75) == (4.5, 5.5)


def test_the_error_of_the_mean_of_two_samples() -> None:
    found = within([(1, 2, 1), (3, 4, 1)], 1.0, 3.0, 2.0, 1.0, {})
    assert found is not None
    assert found.errors == {"avg": pytest.approx(math.sqrt(2 / 1 / 2 + 0.25))}


def test_a_figure_that_is_not_finite_is_refused_in_these_words() -> None:
    with pytest.raises(ValueError, match=r"^a figure of a run is not finite$"):
        between([1.0, math.nan])


def test_the_error_within_is_the_root_of_the_mean_of_squares() -> None:
    assert between([1.0, 2.0], [3.0, 4.0]).standard_error == math.sqrt((9 + 16) / 2)
