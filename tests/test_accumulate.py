"""Samples that the engine folds instead of sending them. On the simulated OS two runs are the same to the tick, so the
figures must be the same as well."""

from __future__ import annotations

import os
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rtgauge.model import Accumulated, Job, RunSpec, Summary, Trace
from rtgauge.pipeline import judge
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request
from tests.support.accumulated import EXTREMES, pile_of

CYCLE = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 100_000}
JOBS = {
    "stamp": Job("THR-P-SLS", 6_000, {"threads": 2}),
    "os": Job("TMR-P-CYC", 4_000, CYCLE),
    "several": Job("THR-P-NEW", 500, {"scenario": "run-terminate"}),
}
SAME = (
    *("n", "lost", "negatives", "min", "avg", "max", "median", "percentiles", "first", "max_after_first"),
    *("worst", "histogram", "unmeasurable", "synthetic"),
)


def bytes_of(engine: Path, fault: str = "", **spec: Any) -> bytes:
    environment = {**os.environ, "RTGAUGE_FAULT": fault} if fault else None
    request = encode_request(RunSpec(**spec))
    done = subprocess.run([engine], input=request, capture_output=True, check=False, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def measure(engine: Path, fault: str = "", **spec: Any) -> Trace:
    return read_trace(bytes_of(engine, fault, **spec))


def summaries(trace: Trace) -> list[Summary]:
    made = [result.summary for result in judge(trace, RunSpec(())).results]
    assert None not in made
    return [one for one in made if one is not None]


def kept(trace: Trace, series: int = 0) -> Accumulated:
    made = trace.tests[-1].series[series].accumulated
    assert made is not None
    return made


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
@pytest.mark.parametrize("fault", ["", "clock-wraps", "kernel-blocks", "tick-takes"])
def test_a_run_has_the_same_figures_in_both_modes(engine_fake: Path, job: Job, fault: str) -> None:
    stored = measure(engine_fake, fault, jobs=(job,))
    folded = measure(engine_fake, fault, jobs=(job,), accumulate=True, raw=300)
    assert (stored.tests[0].mode, folded.tests[0].mode) == ("store", "accumulate")
    assert folded.problems == ()
    for one, other in zip(summaries(stored), summaries(folded), strict=True):
        assert {n: asdict(one)[n] for n in SAME} == {n: asdict(other)[n] for n in SAME}
        assert one.exposure_s == pytest.approx(other.exposure_s, rel=1e-9)


@pytest.mark.parametrize(("bins", "beyond"), [(64, 0), (64, 3), (256, 10), (900, 1), (2000, 0)])
def test_small_bins_overflow_as_told(engine_fake: Path, bins: int, beyond: int) -> None:
    """Every way out of the bins: wider ones, values beside them, and values that are only counted."""
    job, fault = JOBS["stamp"], "kernel-blocks"
    whole = measure(engine_fake, fault, jobs=(job,)).tests[0].series[0]
    made = kept(measure(engine_fake, fault, jobs=(job,), accumulate=True, raw=300, bins=bins, beyond=beyond))
    folded = whole.ticks[300:].tolist()
    wanted = pile_of(folded, made.width, bins, beyond)
    for name, value in asdict(wanted).items():
        assert np.array_equal(np.asarray(asdict(made.measured)[name]), np.asarray(value)), name
    few = sum(one >= bins * made.width for one in whole.ticks.tolist())
    assert few <= len(whole.ticks) // 1000
    assert (
        made.width == 1 or sum(one >= bins * made.width // 2 for one in whole.ticks.tolist()) > len(whole.ticks) // 1000
    )
    order = sorted(range(300, len(whole.ticks)), key=lambda place: (-whole.ticks[place], place))
    assert [one.index for one in made.largest] == order[:EXTREMES]


def test_values_that_found_no_room_are_counted_and_told(engine_fake: Path) -> None:
    """The first buffer, in which no tick falls, chooses the width of the bins; what comes later lies beyond."""
    trace = measure(engine_fake, jobs=(JOBS["stamp"],), accumulate=True, raw=10, bins=900, beyond=2, memory=18 * 200)
    made = kept(trace)
    assert (made.width, made.measured.values.tolist(), made.measured.max) == (1, [1610, 1610], 1610)
    assert made.measured.dropped_beyond >= 2
    (result,) = judge(trace, RunSpec(())).results
    assert result.summary is not None
    dropped = made.measured.dropped_beyond
    assert result.summary.problems[-1].startswith(f"{dropped} values beyond the bins were counted and not kept")
    assert sum(count for _, _, count in result.summary.histogram) == 6_000
    assert result.summary.histogram[-1][2] == dropped + 2


def test_memory_that_is_small_makes_pauses_and_not_losses(engine_fake: Path) -> None:
    trace = measure(engine_fake, jobs=(JOBS["stamp"],), accumulate=True, raw=300, memory=18 * 1500)
    series = trace.tests[0].series[0]
    assert (series.recorded, series.dropped, series.lost) == (6_000, 0, 0)
    assert kept(trace).pauses > 3
    assert kept(trace).paused > 0
    (made,) = summaries(trace)
    assert made.n == 6_000
    span = 6_000 * made.avg / 1e9
    assert span * 0.9 < made.exposure_s < span * 1.5


def test_several_threads_empty_their_parts_and_skip_nothing(engine_fake: Path) -> None:
    job = Job("TMR-P-CYC", 9_000, {**CYCLE, "threads": 3})
    for spec in ({}, {"accumulate": True, "raw": 500}):
        trace = measure(engine_fake, jobs=(job,), memory=18 * 3000, **spec)
        series = trace.tests[0].series[0]
        assert (series.recorded, series.dropped, series.lost) == (9_000, 0, 0)
        (made,) = summaries(trace)
        assert made.n == 9_000
        assert made.synthetic is not None
        assert made.synthetic["overruns"] == 0, "a pause of the engine's own is no overrun"
        assert made.max < 8_000, "what a thread saw of another one's pause is no sample"


def test_checkpoints_come_at_least_once_a_minute(engine_fake: Path) -> None:
    """Of three minutes of virtual time."""
    job = Job("TMR-P-CYC", 1_800, {**CYCLE, "interval": 100_000_000})
    data = bytes_of(engine_fake, jobs=(job,), accumulate=True, raw=100)
    frames = data.split(b"\0")
    seen = []
    for end in range(1, len(frames)):
        if b"accumulated" in frames[end - 1]:
            series = read_trace(b"\0".join(frames[:end]) + b"\0").tests[0].series[0]
            if series.accumulated is not None and series.accumulated.at_ns not in seen:
                seen.append(series.accumulated.at_ns)
    begin = read_trace(data).tests[0].begin_ns
    assert len(seen) >= 4
    assert max(np.diff([begin, *seen])) <= 60e9


def test_a_run_that_is_cut_keeps_its_last_checkpoint(engine_fake: Path) -> None:
    job = Job("TMR-P-CYC", 1_800, {**CYCLE, "interval": 100_000_000})
    data = bytes_of(engine_fake, jobs=(job,), accumulate=True, raw=100)
    whole = kept(read_trace(data))
    cut = read_trace(data[: int(len(data) * 0.75)])
    made = kept(cut)
    assert 0 < made.measured.count < whole.measured.count
    (result,) = judge(cut, RunSpec((job,))).results
    assert result.status == "inconclusive"
    assert result.reason is not None
    assert result.reason.startswith("the engine ended before the test did: the figures are of its first ")
    assert result.summary is not None
    assert result.summary.n == 100 + made.measured.count
    assert result.summary.max == made.measured.max


def test_a_checkpoint_with_a_lost_part_leaves_the_one_before_it(engine_fake: Path) -> None:
    job = Job("TMR-P-CYC", 1_800, {**CYCLE, "interval": 100_000_000})
    frames = bytes_of(engine_fake, jobs=(job,), accumulate=True, raw=100).split(b"\0")
    places = [place for place, frame in enumerate(frames) if b"accumulated" in frame and b"extremes" in frame]
    del frames[places[-1]]
    trace = read_trace(b"\0".join(frames))
    made, series = kept(trace), trace.tests[0].series[0]
    assert 0 < made.measured.count < 1_700
    assert series.lost == 1_800 - 100 - made.measured.count, "what only the lost one held is lost"
    assert any("a part of the checkpoint before it is missing" in line for line in trace.problems)


def test_without_room_for_bins_fewer_are_taken(engine_fake: Path) -> None:
    made = kept(measure(engine_fake, jobs=(JOBS["stamp"],), accumulate=True, raw=300, bins=1 << 24, beyond=1 << 24))
    assert made.bins <= 1 << 24
    assert made.measured.count == 5_700


def test_a_small_job_beside_a_large_one_is_stored(engine_fake: Path) -> None:
    small = replace(JOBS["stamp"], samples=300)
    trace = measure(engine_fake, jobs=(small, JOBS["stamp"]), accumulate=True, raw=300)
    assert [test.mode for test in trace.tests] == ["store", "accumulate"]
    assert trace.tests[0].series[0].accumulated is None
