"""blocking, exposure, periodic, unmeasurable and the table of contents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.model import Samples
from rtgauge.stats import basic, blocking, clusters, exposure, histogram, period, periodic, unmeasurable, worst
from rtgauge.stats.summary import statistics, summarise
from rtgauge.stats.view import view_of
from tests.support.series import make_samples, make_view


def test_longest_time_blocked() -> None:
    assert blocking.compute(make_view([100, 100, 100, 500], scale=0.5)) == {"longest": 150.0}


# ---- exposure ----


def test_exposure_is_from_the_first_start_to_the_last_stop() -> None:
    assert exposure.compute(make_view([100, 50], starts=[1000, 9000])) == pytest.approx(8050e-9)
    assert exposure.compute(make_view([100, 5], starts=[9000, 1000])) == pytest.approx(8100e-9)  # two threads
    assert exposure.compute(make_view([5], starts=[9000])) == pytest.approx(5e-9)


def test_pauses_for_draining_are_no_exposure() -> None:
    starts = [0, 1000, 5_000_000, 5_001_000]
    assert exposure.compute(make_view([100] * 4, starts=starts, resumed=(2,))) == pytest.approx(2200e-9)


def test_values_take_no_time() -> None:
    assert exposure.compute(make_view([4096, 4096], starts=[0, 700], source="value")) == pytest.approx(700e-9)


def test_exposure_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    view = make_view(np.arange(100), starts=np.arange(100)[::-1] * 1000)
    whole = exposure.compute(view)
    monkeypatch.setattr("rtgauge.stats.view.PIECE", 7)
    assert exposure.compute(view) == whole


@given(st.lists(st.tuples(st.integers(-9, 99), st.integers(0, 50)), min_size=1, max_size=30), st.booleans())
def test_exposure_lasts_to_the_last_stop_wherever_it_is(both: list[tuple[int, int]], down: bool) -> None:
    samples = make_samples([tick for tick, _ in both], starts=[50 + start for _, start in both])
    samples = replace(samples, tick_s=-1e-9 if down else 1e-9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rtgauge.stats.view.PIECE", 3)
        found = exposure.compute(view_of(samples))
    begin = [-start if down else start for _, start in both]
    end = [at + max(tick, 0) for at, (tick, _) in zip(begin, both, strict=True)]
    assert found == pytest.approx((max(end) - min(begin)) * 1e-9, abs=1e-15)


@pytest.mark.parametrize(("width", "sizes"), [(64, [2] * 16), (32, [100])])
def test_only_a_clock_that_wraps_is_taken_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, width: int, sizes: list[int]
) -> None:
    seen = []
    at_of = Samples.at_of
    monkeypatch.setattr("rtgauge.stats.view.PIECE", 7)
    monkeypatch.setattr(Samples, "at_of", lambda self, which: [made := at_of(self, which), seen.append(len(made))][0])
    starts = np.arange(100) * 2**26 % (2**32 if width == 32 else 2**62)
    found = exposure.compute(make_view([1] * 100, starts=starts, width=width))
    assert seen == sizes
    assert found == pytest.approx((99 * 2**26 + 1) * 1e-9)


def test_a_loop_of_no_or_negative_time_adds_nothing() -> None:
    assert exposure.compute(make_view([0], starts=[9000])) == 0.0
    assert exposure.compute(make_view([-50], starts=[9000])) == 0.0


def test_a_pause_before_the_first_sample_is_none() -> None:
    assert exposure.compute(make_view([100, 100], starts=[9000, 1000], resumed=(0,))) == pytest.approx(8100e-9)


def test_a_pause_is_from_the_stop_of_the_sample_before_it() -> None:
    view = make_view([100, 20, 3], starts=[0, 1000, 9000], resumed=(1,))
    assert exposure.compute(view) == pytest.approx(9003e-9 - 900e-9)
    view = make_view([100, 20, 3], starts=[0, 1000, 9000], resumed=(2,))
    assert exposure.compute(view) == pytest.approx(9003e-9 - 7980e-9)
    view = make_view([100, 20, 3], starts=[0, 1000, 9000], resumed=(1, 2))
    assert exposure.compute(view) == pytest.approx(123e-9)


# ---- unmeasurable ----


@pytest.mark.parametrize(
    ("ticks", "more", "expected"),
    [
        ([20, 21, 22, 23], {}, False),  # exactly half within 20 and 21
        ([20, 21, 21, 23], {}, True),
        ([20, 46, 46, 72], {"resolution": 26}, True),
        ([30, 31, 21], {}, False),
        ([20, 20, 20], {"source": "value"}, False),
        ([20, 20, 20], {"id": "CAL-P-TRC"}, False),
        ([1, -1, 5], {"source": "os", "overhead": 0}, True),
        ([2, -2, 1], {"source": "os", "overhead": 0}, False),
    ],
)
def test_too_short_for_the_clock(ticks: list[int], more: dict[str, object], expected: bool) -> None:
    assert unmeasurable.compute(make_view(ticks, **{"overhead": 20, **more})) is expected


# ---- periodic ----


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=50), st.lists(st.integers(0, 10_000), max_size=50))
def test_figures_with_what_was_skipped(late: list[int], entered: list[int]) -> None:
    found = periodic.compute(make_view(late, source="os", synthetic=entered, overruns=len(entered) + 1))
    every = np.array(late + entered, float)
    assert (found["overruns"], found["entered"], found["n"]) == (len(entered) + 1, len(entered), len(every))
    assert (found["min"], found["max"]) == (every.min(), every.max())
    assert found["avg"] == pytest.approx(every.mean())
    assert found["median"] == np.percentile(every, 50, method="inverted_cdf")


# ---- the table of contents ----


def test_every_statistic_is_found_under_its_own_name() -> None:
    found = statistics()
    assert all(name == one.name for name, one in found.items())
    assert {name for name, one in found.items() if one.always} == {
        "basic",
        "clusters",
        "exposure",
        "histogram",
        "period",
        "unmeasurable",
        "worst",
    }
    assert {"slope", "trend", "ticks", "blocking", "periodic"} <= set(found)


def test_a_summary_holds_what_the_series_names() -> None:
    found = summarise(make_samples([1, 2, 3], analyse=("blocking", "clusters", "unheard-of"), dropped=2))
    assert list(found.analysis) == ["blocking"]
    assert found.problems == ("there is no analysis 'unheard-of'",)
    assert (found.n, found.lost, found.synthetic) == (3, 2, None)
    assert sum(count for *_, count in found.histogram) == 3


def test_a_summary_holds_each_figure_in_its_place() -> None:
    ticks = 3000 + np.random.default_rng(1).gamma(3, 900, 2000).astype(np.int64)
    ticks[::50] += 200_000
    samples = make_samples(ticks, starts=np.arange(2000) * 1_000_000, overhead=20, scale=0.5, resolution=4)
    view, found = view_of(samples), summarise(samples)
    assert {name: getattr(found, name) for name in basic.compute(view)} == basic.compute(view)
    assert (found.overhead, found.resolution) == (10.0, 2.0)
    assert found.exposure_s == exposure.compute(view)
    assert found.worst == worst.compute(view)
    assert found.histogram == histogram.compute(view)
    assert found.clusters == clusters.compute(view)
    assert found.period == period.compute(view)
    assert found.period is not None
    assert found.unmeasurable is False
    assert summarise(make_samples([20] * 9, overhead=20)).unmeasurable is True


def test_periodic_goes_to_its_own_place() -> None:
    found = summarise(make_samples([1, 2, 3], source="os", analyse=("periodic",), synthetic=[9], overruns=1))
    assert found.synthetic is not None
    assert found.synthetic["max"] == 9.0
    assert (found.max, found.analysis) == (3.0, {})


def test_no_samples_have_no_summary() -> None:
    with pytest.raises(ValueError, match="no samples"):
        summarise(make_samples([]))


def test_samples_are_not_changed_by_looking_at_them() -> None:
    samples = make_samples([5, 3, 9, 1])
    summarise(samples)
    assert samples.raw.ticks.tolist() == [5, 3, 9, 1]
