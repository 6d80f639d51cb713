"""The steps by which a period is found, each against its definition written out."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.stats import period
from rtgauge.stats.view import View
from tests.support.series import make_samples, make_view

# ---- the whole, with the steps replaced ----

PEAKS = 20
SPAN = 1.9  # s
SPACING = 1.999 / 1999  # s


def view() -> View:
    """2000 samples 1 ms apart from second 7 on; every hundredth is a peak."""
    ticks = 1000 + np.random.default_rng(1).integers(0, 50, 2000)
    ticks[::100] += 50_000
    return make_view(ticks, starts=7 * 10**9 + np.arange(2000) * 1_000_000)


def found(monkeypatch: pytest.MonkeyPatch, scores: dict[float, tuple[float, float]]) -> dict[str, Any] | None:
    """What is reported when each period suggested has the given (strength, surprise)."""
    monkeypatch.setattr(period, "_suggested", lambda _: list(scores))
    monkeypatch.setattr(period, "_score", lambda _peaks, _others, tried: (tried, *scores[tried]))
    return period.compute(view())


@pytest.mark.parametrize(
    ("tried", "expected"),
    [(1.99 * SPACING, False), (2.01 * SPACING, True), (SPAN / 3 * 0.999, True), (SPAN / 3 * 1.001, False)],
)
def test_a_period_holds_two_samples_and_is_seen_three_times(
    monkeypatch: pytest.MonkeyPatch, tried: float, expected: bool
) -> None:
    assert (found(monkeypatch, {tried: (1.0, 50.0)}) is not None) == expected


def test_the_limits_belong_to_what_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    times = view().samples.at
    span, spacing = times[1900] - times[0], (times[-1] - times[0]) / 1999
    for limit in (2 * spacing, span / 3):
        assert found(monkeypatch, {limit: (1.0, 50.0)}) is not None


def test_the_record_is_that_of_the_period(monkeypatch: pytest.MonkeyPatch) -> None:
    made = found(monkeypatch, {0.1: (0.9, 15.0)})
    assert made is not None
    assert (made["period_s"], made["n"], made["strength"]) == (0.1, PEAKS, 0.9)
    assert made["chance"] == pytest.approx(4 * SPAN / 0.1 * math.exp(-15), rel=1e-6)


def test_the_longest_of_those_nearly_as_good_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    made = found(monkeypatch, {0.05: (1.0, 100.0), 0.1: (1.0, 80.0), 0.2: (1.0, 79.9)})
    assert made is not None
    assert made["period_s"] == 0.1


@pytest.mark.parametrize(
    ("strength", "surprise", "expected"), [(0.8, 50.0, True), (0.79, 50.0, False), (1.0, 13.0, False)]
)
def test_both_strength_and_chance_are_needed(
    monkeypatch: pytest.MonkeyPatch, strength: float, surprise: float, expected: bool
) -> None:
    assert (found(monkeypatch, {0.1: (strength, surprise)}) is not None) == expected


def test_a_chance_at_the_limit_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    times = view().samples.at
    monkeypatch.setattr(period, "_SURE", float(4 * (times[1900] - times[0]) / 0.1) * math.exp(-15.0))
    assert found(monkeypatch, {0.1: (1.0, 15.0)}) is not None


@pytest.mark.parametrize(("peaks", "expected"), [(7, False), (8, True)])
def test_eight_peaks_can_show_a_period(monkeypatch: pytest.MonkeyPatch, peaks: int, expected: bool) -> None:
    monkeypatch.setattr(period, "_peaks", lambda _: np.arange(peaks) * 100)
    assert (found(monkeypatch, {0.1: (1.0, 50.0)}) is not None) == expected


# ---- which samples are peaks ----


@pytest.mark.parametrize(("n", "expected"), [(40, 10), (1000, 16), (10_000, 20), (250_000, 400)])
def test_without_a_band_of_their_own_the_largest_are_peaks(n: int, expected: int) -> None:
    ticks = np.random.default_rng(2).normal(100_000, 3000, n).astype(np.int64)
    which = period._peaks(make_view(ticks))
    assert sorted(ticks[which].tolist()) == np.sort(ticks)[-expected:].tolist()


@pytest.mark.parametrize(("n", "above", "expected"), [(400, 8, 8), (400, 100, 100), (4000, 500, 400), (400, 101, 16)])
def test_a_band_above_the_main_one_is_the_peaks_up_to_a_quarter(n: int, above: int, expected: int) -> None:
    ticks = 1000 + np.random.default_rng(3).integers(0, 60, n)
    ticks[:above] += 90_000
    which = period._peaks(make_view(ticks))
    assert len(which) == expected
    assert ticks[which].min() > 90_000


def test_a_band_of_fewer_than_eight_is_filled_up() -> None:
    ticks = 1000 + np.random.default_rng(3).integers(0, 60, 400)
    ticks[:7] += 90_000
    assert len(period._peaks(make_view(ticks))) == 16


# ---- what stands for all samples ----


def test_up_to_five_thousand_samples_stand_for_themselves() -> None:
    samples = make_samples([1] * 5000)
    assert period._times_of_all(samples).tolist() == samples.at.tolist()


def test_of_more_samples_some_stand_for_all() -> None:
    samples = make_samples([1] * 5001)
    some, every = period._times_of_all(samples), samples.at
    assert some.shape == (5000,)
    assert set(some.tolist()) < set(every.tolist())
    assert (np.diff(some) >= 0).all()
    assert np.abs(some / every[-1] - np.linspace(0, 1, 5000)).max() < 0.03


def test_each_sample_may_stand_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(period, "_COMMON", 20)
    chosen = [period._times_of_all(make_samples([1] * n)) / 10e-6 for n in range(21, 40)]
    assert min(some[0] for some in chosen) == 0
    assert any(round(some[-1]) == n - 1 for n, some in enumerate(chosen, 21))


@pytest.mark.parametrize(("times", "n", "expected"), [([3, 5, 4], 5, 0.5), ([3, 5], 2, 2.0), ([7], 1, 0.0)])
def test_the_mean_distance_of_samples(times: list[float], n: int, expected: float) -> None:
    assert period._spacing(np.array(times, float), n) == expected


# ---- which periods are tried ----


def test_periods_are_suggested_by_quantiles_of_the_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(period, "_refined", lambda _, one: one)
    monkeypatch.setattr(period, "_commonest", lambda ordered: float(100 * ordered.min()))
    peaks = np.concatenate([[0.0], np.cumsum([3.0, 1.0, 2.0, 10.0, 7.0, 5.0])])
    seeds = [np.percentile(np.diff(peaks), q, method="nearest") for q in (5, 10, 25, 50, 75)] + [100.0]
    assert period._suggested(peaks) == sorted({seed / fold for seed in seeds for fold in (1, 2, 3, 4)})


def test_peaks_at_the_same_time_suggest_nothing() -> None:
    with np.errstate(all="raise"):
        assert period._suggested(np.array([5.0] * 9)) == []
        several = period._suggested(np.repeat(np.arange(9.0), 4))
    assert several == period._suggested(np.arange(9.0))


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=60))
def test_the_commonest_distance_is_the_middle_of_the_narrowest_range(distances: list[int]) -> None:
    ordered = sorted(map(float, distances))
    span = max(2, math.floor(len(ordered) * 15 / 100))
    expected = ordered[len(ordered) // 2]
    if span < len(ordered):
        ranges = [ordered[i : i + span + 1] for i in range(len(ordered) - span)]
        narrowest = min(ranges, key=lambda one: one[-1] - one[0])
        expected = sum(narrowest) / len(narrowest)
    assert period._commonest(np.array(ordered)) == pytest.approx(expected, rel=1e-12)


def refined(peaks: list[float], tried: float) -> float:
    """The stretches of 4, 16, ... periods, each peak with the last one within the stretch."""
    reach = 4 * tried
    while True:
        top = bottom = 0.0
        for first in peaks:
            apart = max(peak for peak in peaks if peak <= first + reach) - first
            turns = round(apart / tried)
            if abs(apart / tried - turns) <= 0.2:
                top += apart * turns
                bottom += turns * turns
        tried = top / bottom if bottom else tried
        if reach >= peaks[-1] - peaks[0]:
            return tried
        reach *= 4


@pytest.mark.parametrize("seed", range(20))
def test_the_fit_is_least_squares_over_growing_stretches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = np.flatnonzero(rng.random(150) < 0.6)
    peaks = 12.0 + turns * 0.7 + rng.normal(0, 0.03, len(turns)) + (rng.random(len(turns)) < 0.1) * 0.25
    peaks.sort()
    for tried in (0.7, 0.69, 0.72, 0.35, 0.5, 5.0, 0.03):
        assert period._refined(peaks, tried) == pytest.approx(refined(peaks.tolist(), tried), rel=1e-12)
    assert period._refined(peaks, 0.705) == pytest.approx(0.7, rel=2e-3)


@pytest.mark.parametrize(
    "peaks", [[0, 0.8, 1.91, 2.52, 4], [0, 1.04, 2.2, 2.28, 4], [0, 1.23, 2.89, 4.2], [0, 1.28, 3.04, 4.18]]
)
def test_the_fit_stops_with_the_stretch_that_holds_all(peaks: list[float]) -> None:
    """One more, or one fewer, would take other distances for whole turns."""
    assert period._refined(np.array(peaks), 1.0) == pytest.approx(refined(peaks, 1.0), rel=1e-12)


@pytest.mark.parametrize(
    "peaks",
    [
        [0, 1, 2, 3, 4.2],
        [0, 1.1, 2, 3, 4],
        [0, 1, 2, 3.1, 4],
        [0.0, 1, 2, 3, 4, 16],
        [0, 3, 16.2, 17.1],
        [0, 4],
        [0, 9],
    ],
)
def test_the_fit_at_the_ends_of_a_stretch(peaks: list[float]) -> None:
    assert period._refined(np.array(peaks, float), 1.0) == pytest.approx(refined(peaks, 1.0), rel=1e-12)


def test_a_distance_at_the_limit_of_being_in_step_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(period, "_IN_STEP", 0.25)
    assert period._refined(np.array([0.0, 1.25]), 1.0) == 1.25
    assert period._refined(np.array([0.0, 1.2501]), 1.0) == 1.0


# ---- how well peaks fit ----


def resultant(times: list[float], tried: float) -> complex:
    return sum(cmath.exp(2j * cmath.pi * (time / tried)) for time in times) / len(times)


@given(st.lists(st.floats(0, 30), min_size=1, max_size=20), st.lists(st.floats(0, 30), min_size=1, max_size=20))
def test_the_score_is_the_definition(peaks: list[float], others: list[float]) -> None:
    peaks_mean, all_mean = resultant(peaks, 1.7), resultant(others, 1.7)
    score = period._score(np.array(peaks), np.array(others), 1.7)
    if abs(all_mean) > 0.5 + 1e-9:
        assert score is None
    elif abs(all_mean) < 0.5 - 1e-9:
        beyond = abs(peaks_mean - all_mean) ** 2 / (1 - abs(all_mean) ** 2)
        assert score == pytest.approx((1.7, abs(peaks_mean), len(peaks) * beyond), abs=1e-9)


def test_a_period_of_all_samples_is_none_of_the_peaks() -> None:
    peaks = np.arange(5.0)
    assert period._score(peaks, np.array([0.0, 1, 2, 2.5]), 1.0) == pytest.approx((1.0, 1.0, 5 * 0.25 / 0.75))
    assert period._score(peaks, np.array([0.0, 1, 2, 3, 2.5]), 1.0) is None
    # Three quarter turns apart: the mean of all lies across, and its own length is taken out.
    assert period._score(peaks, np.array([0.25, 0.25, 0.25, 0.75, 0.0, 0.5]), 1.0) == pytest.approx(
        (1.0, 1.0, 5 * (1 + 1 / 9) / (1 - 1 / 9))
    )
