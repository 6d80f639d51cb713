"""Thinning: bounded, and no extreme is ever lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from rtgauge.report import thin

FLOATS = st.floats(-1e9, 1e9, allow_nan=False, width=32)


def fetch_of(x: thin.Column, value: thin.Column) -> thin.Fetch:
    return lambda which: (x[which], value[which])


@st.composite
def series(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A long series, with a few values anywhere, in order of time or not."""
    n = draw(st.integers(1, 4000))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    x = np.cumsum(rng.exponential(draw(st.sampled_from([1e-9, 1e-4, 10.0])), n))
    if draw(st.booleans()):
        rng.shuffle(x)
    value = rng.gamma(2, 100, n)
    for place, odd in draw(st.lists(st.tuples(st.integers(0, n - 1), FLOATS), max_size=20)):
        value[place] = odd
    return x, value


@settings(deadline=None, max_examples=60)
@given(series(), st.integers(128, 1500))
def test_samples_keeps_every_extreme_within_the_limit(
    given_: tuple[NDArray[np.float64], NDArray[np.float64]], limit: int
) -> None:
    x, value = given_
    index, at, drawn = thin.samples(fetch_of(x, value), x.size, limit)

    assert index.size <= limit
    assert np.unique(index).size == index.size
    assert np.array_equal(at, x[index])
    assert np.array_equal(drawn, value[index])
    assert np.all(np.diff(at) >= 0)
    assert drawn.max() == value.max()
    assert drawn.min() == value.min()
    assert {0, x.size - 1} <= set(index.tolist())
    top = np.sort(value)[::-1][: thin.ALWAYS]
    assert np.array_equal(np.sort(drawn)[::-1][: top.size], top)


@settings(deadline=None, max_examples=60)
@given(series())
def test_samples_keeps_the_extremes_of_every_slice(given_: tuple[NDArray[np.float64], NDArray[np.float64]]) -> None:
    x, value = given_
    limit = 256
    _, at, drawn = thin.samples(fetch_of(x, value), x.size, limit)
    slices = int(limit * 2 / 3) // 2 - thin.ALWAYS // 2 - 1
    span = max(x.max() - x.min(), np.finfo(np.float64).tiny)
    number = np.clip((x - x.min()) / span * slices, 0, slices - 1).astype(int)
    drawn_number = np.clip((at - x.min()) / span * slices, 0, slices - 1).astype(int)
    for one in np.unique(number):
        assert drawn[drawn_number == one].max() == value[number == one].max()
        assert drawn[drawn_number == one].min() == value[number == one].min()


def test_samples_short_series_is_whole() -> None:
    x, value = np.arange(1500.0), np.ones(1500)
    assert thin.samples(fetch_of(x, value), 1500)[0].tolist() == list(range(1500))


def test_samples_read_in_pieces_are_those_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    x, value = np.cumsum(rng.random(20_000)), rng.gamma(2, 10, 20_000)
    whole = thin.samples(fetch_of(x, value), x.size)
    monkeypatch.setattr(thin, "_PIECE", 3 * thin._BLOCK)
    in_pieces = thin.samples(fetch_of(x, value), x.size)
    assert all(np.array_equal(a, b) for a, b in zip(whole, in_pieces, strict=True))


@pytest.mark.parametrize("alike", [False, True])
def test_samples_does_not_depend_on_the_order_of_reading(alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of equal samples the first is drawn, in blocks that hold one slice and in others."""
    x = np.arange(50_000)
    value = np.full(50_000, 7) if alike else np.random.default_rng(4).integers(0, 3, 50_000)
    small = thin.samples(fetch_of(x, value), x.size)
    monkeypatch.setattr(thin, "_BLOCK", 64)
    assert thin.samples(fetch_of(x, value), x.size)[0].tolist() == small[0].tolist()


def test_samples_reads_long_series_once() -> None:
    x, value, read = np.arange(2_000_000), np.random.default_rng(5).integers(0, 9, 2_000_000), []

    def fetch(which: slice | thin.Indices) -> tuple[thin.Column, thin.Column]:
        read.append(x[which].size)
        return x[which], value[which]

    thin.samples(fetch, x.size)
    assert sum(read) < 1.5 * x.size


def test_samples_keeps_the_largest_wherever_they_are() -> None:
    """More of them than slices, each in a block of its own."""
    value = np.random.default_rng(6).integers(0, 9, 2_000_000)
    places = 700_000 + 1100 * np.arange(thin.ALWAYS)
    value[places] = 100 + np.arange(thin.ALWAYS)
    kept, _, _ = thin.samples(fetch_of(np.arange(value.size), value), value.size)
    assert set(places.tolist()) <= set(kept.tolist())


def test_samples_shows_a_period_at_each_of_its_turns() -> None:
    value = np.ones(10_000)
    value[::40] = 2.0
    _, _, drawn = thin.samples(fetch_of(np.arange(10_000.0), value), 10_000)
    assert (drawn == 2.0).sum() == 250


def test_samples_even_choice_does_not_fall_in_step_with_a_period() -> None:
    """With equal strides a band that holds one sample in 20 could fill the whole choice."""
    for period in (19, 20, 21, 22):
        value = np.ones(10_000)
        value[::period] = 2.0
        kept = thin._chosen(fetch_of(np.arange(10_000.0), value), 10_000, 1500)
        only_choice = np.setdiff1d(kept, np.flatnonzero(value == 2.0))
        assert only_choice.size > 600


def test_samples_refuses_a_limit_without_room() -> None:
    with pytest.raises(ValueError, match="128"):
        thin.samples(fetch_of(np.arange(9.0), np.ones(9)), 9, 100)


@settings(deadline=None, max_examples=60)
@given(st.lists(FLOATS, min_size=1, max_size=3000))
def test_tail_falls_from_one_to_the_largest_sample(values: list[float]) -> None:
    value = np.array(values)
    shown, share = thin.tail(*np.unique(value, return_counts=True))
    assert shown.size <= 300
    assert share[0] == 1.0
    assert shown[0] == value.min()
    assert shown[-1] == value.max()
    assert np.all(np.diff(shown) > 0)
    assert np.all(np.diff(share) < 0)
    for x, y in zip(shown, share, strict=True):
        assert y == (value >= x).sum() / value.size


def test_tail_holds_the_largest_hundred() -> None:
    value = np.arange(100_000.0)
    shown, share = thin.tail(value, np.ones(100_000, np.int64))
    assert set(range(99_900, 100_000)) <= set(shown.tolist())
    assert share[-1] == 1 / 100_000


def test_tail_of_nothing_is_empty() -> None:
    assert thin.tail(np.empty(0), np.empty(0, np.int64))[0].size == 0


@given(st.lists(st.integers(0, 1000), max_size=1200), st.integers(1, 500))
def test_bins_lose_no_count(counts: list[int], limit: int) -> None:
    rows = np.array([(float(i), float(i + 1), float(c)) for i, c in enumerate(counts)]).reshape(-1, 3)
    thinned = thin.bins(rows, limit)
    assert len(thinned) <= limit
    assert thinned[:, 2].sum() == sum(counts)
    assert (thinned[:, 2] > 0).all()
    kept = rows[rows[:, 2] > 0]
    if len(kept):
        assert thinned[0, 0] == kept[0, 0]
        assert thinned[-1, 1] == kept[-1, 1]
