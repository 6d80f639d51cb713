"""The one pass over the samples, against numpy over all of them at once."""

from __future__ import annotations

import numpy as np
import pytest

from rtgauge.extremes.scan import BLOCKS, scan


@pytest.mark.parametrize("n", [4_000, 100_003, 600_000])
@pytest.mark.parametrize("kind", ["float", "ticks", "rising", "falling"])
def test_the_largest_are_those_of_all(n: int, kind: str) -> None:
    values = np.random.default_rng(n).exponential(size=n)
    if kind == "ticks":
        values = (values * 50).astype(np.int32)
    elif kind != "float":
        values = np.sort(values)[:: 1 if kind == "rising" else -1]
    seen = scan(values)
    assert (np.sort(seen.values) == np.sort(values)[-len(seen.values) :]).all()
    assert (values[seen.places] == seen.values).all()
    assert (np.diff(seen.places) > 0).all()
    least = seen.values.min()
    assert np.count_nonzero(values > least) <= len(seen.values), "each that exceeds the smallest of them is there"


def test_blocks_have_their_maxima_and_the_last_one_the_rest() -> None:
    values = np.arange(10_050)[::-1].copy()
    seen = scan(values)
    assert seen.size == 100
    assert len(seen.maxima) == BLOCKS
    assert seen.maxima[0] == 10_049
    assert seen.maxima[-1] == values[99 * 100 :].max()
    assert (np.diff(seen.medians) < 0).all()


def test_the_ladder_counts_the_samples_above() -> None:
    values = np.random.default_rng(1).normal(size=50_000)
    ladder = scan(values).ladder
    assert len(ladder) > 2
    assert ladder[-1][1] >= 49_000
    for value, count in ladder:
        assert count == np.count_nonzero(values > value)


def test_too_few_for_blocks_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        scan(np.arange(50))
