"""Figures of samples that were kept one by one, and of the same samples accumulated: the same where the bins tell."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtgauge.model import Samples
from rtgauge.samples import skipped_activations
from rtgauge.stats import distribution
from rtgauge.stats.distribution import joined, of_samples
from rtgauge.stats.summary import MedianUnknownError, summarise
from tests.support.accumulated import folded, pile_of
from tests.support.series import make_samples

MS = 1_000_000
WHOLE = (
    *("n", "lost", "negatives", "min", "avg", "max", "median", "percentiles", "first", "max_after_first"),
    *("worst", "histogram", "unmeasurable", "synthetic"),
)

values = st.lists(st.integers(-50, 3000) | st.integers(-(2**40), 2**40), min_size=2, max_size=300)


def periodic(late: list[int]) -> Samples:
    """Threads that are due every ms, and skip what they sleep through."""
    due, starts = 0, []
    for one in late:
        starts.append(due)
        due += (one // MS + 1) * MS
    made = make_samples(late, starts=starts, source="os", analyse=("periodic",), aux_name="cpu")
    made = replace(made, params={"interval": MS})
    synthetic, overruns, problems = skipped_activations(made.raw, MS)
    return replace(made, synthetic=synthetic, overruns=overruns, problems=problems)


def halved(whole: Samples, raw: int, **limits: int) -> Samples:
    made = folded(whole, raw, **limits)
    if "periodic" not in whole.raw.info.analyse or made.raw.accumulated is None:
        return made
    synthetic, overruns, _ = skipped_activations(made.raw, MS)
    return replace(made, synthetic=synthetic, overruns=overruns + made.raw.accumulated.overruns)


def same(whole: Samples, part: Samples, names: tuple[str, ...] = WHOLE) -> None:
    one, other = asdict(summarise(whole)), asdict(summarise(part))
    assert {name: one[name] for name in names} == {name: other[name] for name in names}
    assert one["exposure_s"] == pytest.approx(other["exposure_s"], rel=1e-9, abs=1e-12)


@given(values, st.data())
def test_accumulated_samples_have_the_same_figures(ticks: list[int], data: st.DataObject) -> None:
    whole = make_samples(ticks, overhead=data.draw(st.sampled_from([0, 20])), aux=np.arange(len(ticks)) % 4)
    raw = data.draw(st.integers(1, len(ticks) - 1))
    bins = data.draw(st.sampled_from([1, 64, 1024, 1 << 16]))
    same(whole, folded(whole, raw, bins=bins))


@given(st.lists(st.integers(0, 5 * MS), min_size=2, max_size=120), st.data())
def test_skipped_activations_are_the_same(late: list[int], data: st.DataObject) -> None:
    whole = periodic(late)
    same(whole, halved(whole, data.draw(st.integers(1, len(late) - 1))))


@given(values, st.data())
@settings(max_examples=200)
def test_what_is_told_in_spite_of_dropped_values_is_true(ticks: list[int], data: st.DataObject) -> None:
    whole = make_samples(ticks, overhead=data.draw(st.sampled_from([0, 20])))
    limits = {"bins": data.draw(st.sampled_from([1, 64, 1024])), "beyond": data.draw(st.integers(0, 5))}
    part = folded(whole, data.draw(st.integers(1, len(ticks) - 1)), **limits)
    exact = summarise(whole)
    try:
        told = summarise(part)
    except MedianUnknownError:
        assert part.raw.accumulated is not None
        assert part.raw.accumulated.measured.dropped_below + part.raw.accumulated.measured.dropped_beyond
        return
    for name in ("n", "min", "avg", "max", "median", "first", "max_after_first", "worst"):
        assert getattr(told, name) == getattr(exact, name), name
    assert told.percentiles.items() <= exact.percentiles.items()
    assert sum(count for _, _, count in told.histogram) == exact.n
    for low, high, count in told.histogram:
        inside = sum(low <= one < high for one in whole.value.tolist())
        assert inside == count, (low, high)


@given(st.lists(st.integers(0, 5000), min_size=2, max_size=200), st.data())
def test_in_wide_bins_no_figure_is_too_small_nor_off_by_more_than_a_bin(ticks: list[int], data: st.DataObject) -> None:
    whole, width = make_samples(ticks), data.draw(st.sampled_from([2, 16, 256]))
    part = folded(whole, data.draw(st.integers(1, len(ticks) - 1)), width=width, bins=8192)
    exact, told = summarise(whole), summarise(part)
    for name in ("n", "min", "avg", "max", "worst"):
        assert getattr(told, name) == getattr(exact, name), name
    for name, value in exact.percentiles.items():
        assert value <= told.percentiles[name] < value + width


def test_the_summary_says_what_was_kept_and_how() -> None:
    part = folded(make_samples([10, 20, 30, 5000, 6000, 7000]), 2, bins=100, beyond=1)
    made = summarise(part)
    assert made.accumulated == {
        "raw": 2,
        "folded": 4,
        "bin": 1.0,
        "bins": 100,
        "bins_to": 100.0,
        "beyond": 1,
        "dropped": 2,
        "pauses": 0,
        "paused_s": 0.0,
        "of_raw": ["clusters", "period"],
    }
    assert made.problems == (
        "clusters and period are of the first 2 of 6 samples, which were kept one by one",
        "2 values beyond the bins were counted and not kept: percentiles among them are not known",
    )


def test_no_median_is_told_that_is_not_known() -> None:
    with pytest.raises(MedianUnknownError, match="more than half"):
        summarise(folded(make_samples([10, 500, 600, 700, 800, 900]), 1, bins=100, beyond=0))


def test_a_clock_that_wraps_gives_the_same_times() -> None:
    starts = np.cumsum(np.full(400, 3_000_000, np.uint64)) % np.uint64(1 << 24)
    whole = make_samples(np.arange(400) % 97, starts=starts, width=24)
    part = folded(whole, 5)
    kept = part.raw.accumulated
    assert kept is not None
    unwrapped = np.arange(400) * 3_000_000
    rows = [replace(one, since=int(unwrapped[one.index] - unwrapped[5])) for one in kept.largest]
    part = replace(part, raw=replace(part.raw, accumulated=replace(kept, largest=tuple(rows))))
    assert summarise(part).worst == summarise(whole).worst


@pytest.mark.parametrize(("rank", "value"), [(0, -7), (1, None), (2, None), (3, 5), (4, 6), (5, None), (6, 90)])
def test_ranks_without_a_value_have_none(rank: int, value: int | None) -> None:
    kept: Any = folded(make_samples([5, -7, -3, -5, 6, 70, 90]), 1, bins=50, beyond=0).raw.accumulated
    whole = joined([of_samples(np.array([5]))], [(kept.measured, kept)])
    assert (whole.n, whole.at(rank)) == (7, value)
    assert [whole.below(edge) for edge in (-7, -1, 0, 6, 50, 80, 91)] == [0, 1, 3, 4, 5, 5, 7]


EXTREMES = st.sampled_from([-(2**63), -(2**63) + 1, -(2**31), 2**31 - 1, 2**63 - 2, 2**63 - 1])


@given(st.lists(st.integers(-5, 5) | st.integers(-3000, 3000) | EXTREMES, min_size=1, max_size=120), st.data())
def test_counted_values_are_those_that_sorting_gives(ticks: list[int], data: st.DataObject) -> None:
    """However few values are counted one by one, and in whatever pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distribution, "PIECE", data.draw(st.integers(1, 130)))
        patch.setattr(distribution, "_COUNTERS", data.draw(st.sampled_from([1, 2, 10, 1 << 20])))
        patch.setattr(distribution, "_SOME", data.draw(st.integers(1, 130)))
        found = of_samples(np.array(ticks, np.int64))
    ordered = sorted(ticks)
    assert found.each(np.arange(len(ticks))).tolist() == ordered
    assert [found.at(rank) for rank in range(len(ticks))] == ordered
    assert (found.n, found.least, found.most, found.total) == (len(ticks), ordered[0], ordered[-1], sum(ticks))
    assert found.counts.tolist() == [ordered.count(one) for one in sorted(set(ticks))]
    assert np.all(np.diff(found.values.astype(object)) > 0)


def test_an_empty_pile_adds_nothing() -> None:
    kept: Any = folded(make_samples([5, 6]), 1).raw.accumulated
    other = of_samples(np.array([5, 9]))
    one = joined([other], [(pile_of([], 1, 10, 1), kept)])
    assert (one.n, one.total, one.least, one.most) == (other.n, other.total, other.least, other.most)
