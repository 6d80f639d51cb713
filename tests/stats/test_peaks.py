"""Peaks at regular distances in operations, and the series that follow from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from rtgauge.model import Samples
from rtgauge.stats import peaks
from tests.support.series import make_samples, make_view


def writes(n: int, every: int, peak: float, seed: int = 1) -> NDArray[np.int64]:
    """Times around 1000 with a heavy tail; each `every`-th is `peak` times as long."""
    rng = np.random.default_rng(seed)
    ticks = 1000 + rng.exponential(60, n)
    ticks[every - 1 :: every] *= peak
    return ticks.astype(np.int64)


@pytest.mark.parametrize(("n", "every", "peak"), [(500, 32, 10), (500, 8, 2), (2000, 32, 2), (2000, 100, 5)])
def test_the_period_is_found_in_operations(n: int, every: int, peak: int) -> None:
    # Starts say nothing of it: operations may take any time.
    starts = np.cumsum(np.random.default_rng(2).integers(1, 10**6, n))
    found = peaks.compute(make_view(writes(n, every, peak), starts=starts))
    assert found["every"] == pytest.approx(every, rel=1e-3)
    assert found["n"] == n // every
    assert found["typical"] == pytest.approx(1040 * peak, rel=0.1)
    assert found["median"] == pytest.approx(1040, rel=0.05)


def test_the_overhead_is_no_part_of_a_peak() -> None:
    """Of 10 ticks 9 are overhead: peaks of 11 are twice as long."""
    ticks = np.full(500, 10)
    ticks[31::32] = 11
    assert peaks.compute(make_view(ticks, overhead=9))["every"] == pytest.approx(32)
    assert peaks.compute(make_view(ticks, overhead=0)) == {"every": None}


@pytest.mark.parametrize("seed", range(20))
def test_a_heavy_tail_has_no_period(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ticks = (1000 + rng.pareto(1.5, 500) * 300).astype(np.int64)
    assert peaks.compute(make_view(ticks)) == {"every": None}


@pytest.mark.parametrize("ticks", [[5] * 500, [5] * 4, np.arange(500)])
def test_without_peaks(ticks: object) -> None:
    assert peaks.compute(make_view(ticks)) == {"every": None}


def parts_of(ticks: object, **more: object) -> list[Samples]:
    whole = make_samples(ticks, analyse=("peaks",), id="FS-P-WR", **more)  # type: ignore[arg-type]
    series = [whole]
    for name, unit in (("peaks", "ns"), ("others", "ns"), ("between", "1")):
        empty = make_samples([], unit=unit, source="host", analyse=(f"{name}:",), id="FS-P-WR")
        series.append(replace(empty, params={"part": name}))
    return [one for one in peaks.with_parts(series) if one is not None]


def test_the_parts_hold_every_sample_once() -> None:
    ticks = writes(640, 32, 10)
    starts = np.arange(640) * 777
    whole, peak, other, between = parts_of(ticks, starts=starts, overhead=30, scale=0.5)
    assert peak.n == 20
    assert sorted([*peak.raw.ticks, *other.raw.ticks]) == sorted(ticks)
    assert peak.value.tolist() == ((ticks[31::32] - 30) * 0.5).tolist()
    assert peak.at.tolist() == whole.at[31::32].tolist()
    assert between.value.tolist() == [32.0] * 19
    assert (peak.unit, other.unit, between.unit) == ("ns", "ns", "1")
    assert [one.params.get("part") for one in (peak, other, between)] == ["peaks", "others", "between"]
    assert (peak.raw.recorded, between.raw.recorded) == (20, 19)


def test_without_a_period_the_parts_are_empty() -> None:
    whole, *parts = parts_of([1000] * 640)
    assert whole.n == 640
    assert [one.n for one in parts] == [0, 0, 0]


def test_other_series_stay_as_they_are() -> None:
    both = [make_samples(writes(640, 32, 10)), make_samples([], source="host", analyse=("half:a", "less:b"))]
    assert peaks.with_parts(both) == both
    assert peaks.with_parts([]) == []
    assert peaks.with_parts([None, both[1]]) == [None, both[1]]
