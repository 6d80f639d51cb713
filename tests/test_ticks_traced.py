"""CLK-P-DUR against the kernel's own record of its clock ticks, both by the time stamp counter."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rtgauge.errors import TargetError
from rtgauge.model import Job, RunSpec, Samples, Trace
from rtgauge.samples import to_samples
from rtgauge.stats.ticks import compute, tell
from rtgauge.stats.view import view_of
from rtgauge.targets._lock import only_one
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request
from rtgauge.verdict import tick_rate_doubt
from tests.support.tracing import CLOCK, Interrupt, instance, interrupts, missing

SAMPLES = 20_000  # loops: about 500 ticks of a system with 250 a second
BUSY_S = 120.0
COUNT_TOLERANCE = 0.02
SAME_LOOPS = 0.95  # of the traced ticks' loops, and of the loops counted

TEXT = """# tracer: nop
          <idle>-0       [000] d.h1. 1000: local_timer_entry: vector=236
    an engine-2-7        [001] d.h1. 1100: local_timer_entry: vector=236
    an engine-2-7        [001] d.h1. 1110: hrtimer_expire_entry: hrtimer=0 function=hrtimer_wakeup now=5
    an engine-2-7        [001] d.h1. 1120: hrtimer_expire_entry: hrtimer=0 function=tick_nohz_handler now=5
          <idle>-0       [000] dNh1. 1150: local_timer_exit: vector=236
    an engine-2-7        [001] dNh1. 1190: local_timer_exit: vector=236
    an engine-2-7        [001] d.h.. 2000: local_timer_entry: vector=236
    an engine-2-7        [001] d.h.. 2010: hrtimer_expire_entry: hrtimer=0 function=hrtimer_wakeup now=6
    an engine-2-7        [001] d.h.. 2040: local_timer_exit: vector=236
    an engine-2-7        [001] d.h.. 3000: local_timer_entry: vector=236
"""


def test_ticks_are_read_from_the_kernels_text() -> None:
    assert interrupts(TEXT, 1) == [Interrupt(1100, 1190, True), Interrupt(2000, 2040, False)]
    assert interrupts(TEXT, 0) == [Interrupt(1000, 1150, False)]


def test_a_trace_with_losses_is_no_reference() -> None:
    with pytest.raises(ValueError, match="12 events"):
        interrupts(TEXT + "CPU:1 [LOST 12 EVENTS]\n", 1)


def test_interrupts_belong_to_the_loops_that_they_began_in() -> None:
    start, stop = np.array([1000, 2000, 3000]), np.array([1900, 2900, 3900])
    found = [Interrupt(1950, 1960, True), Interrupt(2100, 2130, True), Interrupt(3000, 3020, True)]
    within, handler = per_loop(start, stop, found)
    assert (within.tolist(), handler.tolist()) == ([0, 1, 1], [0, 30, 20])


def per_loop(
    start: NDArray[np.int64], stop: NDArray[np.int64], of: list[Interrupt]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each loop the number of interrupts that began in it, and the time within their handlers."""
    number, handler = np.zeros(len(start), np.int64), np.zeros(len(start), np.int64)
    for one in of:
        at = int(np.searchsorted(start, one.begin, "right")) - 1
        if at >= 0 and one.begin < stop[at]:
            number[at] += 1
            handler[at] += one.end - one.begin
    return number, handler


def measure(engine: Path) -> tuple[Trace, str]:
    """The trace of one CLK-P-DUR, and the kernel's text of the same time, as soon as no other run is under way."""
    request = encode_request(RunSpec(jobs=(Job("CLK-P-DUR", SAMPLES, {"clock-variant": "plain"}),)))
    until = time.monotonic() + BUSY_S
    while True:
        try:
            with only_one(engine), instance(f"rtgauge-test-{os.getpid()}") as folder:
                done = subprocess.run([engine], input=request, capture_output=True, check=True, timeout=120)
                (folder / "tracing_on").write_text("0")
                return read_trace(done.stdout), (folder / "trace").read_text()
        except TargetError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


@pytest.fixture(scope="module")
def traced(engine_local: Path) -> tuple[Samples, Trace, list[Interrupt]]:
    why = missing()
    if why:
        pytest.skip(why)
    trace, text = measure(engine_local)
    (test,) = trace.tests
    if test.outcome == "not-permitted":
        pytest.skip("this user may not use real-time scheduling: `rtgauge doctor` tells what to do")
    assert (test.outcome, test.reason) == ("done", None)
    if trace.clock is None or trace.clock.name != CLOCK:
        pytest.skip(f"the samples are not stamped by {CLOCK} here, so their times are not those of the trace")
    samples = to_samples(trace, test, test.series[0])
    assert samples is not None
    return samples, trace, interrupts(text, test.cpu)


@pytest.mark.realtime
def test_ticks_agree_with_the_kernels_own_events(
    traced: tuple[Samples, Trace, list[Interrupt]], record_property: pytest.RecordProperty
) -> None:
    samples, trace, found = traced
    view, start = view_of(samples), samples.raw.start.astype(np.int64)
    ticks, handler = per_loop(start, start + samples.raw.ticks, [one for one in found if one.tick])
    told, figures = tell(view), compute(view)
    assert told is not None
    assert tick_rate_doubt(figures, trace.tests[0].evidence) is None
    hit, true = told.disturbed & told.at_tick, ticks > 0

    us = samples.scale / 1000
    clean = np.median(samples.raw.ticks[~true])
    remainder = (samples.raw.ticks - clean - handler)[hit & true] * us
    shown = {
        "ticks traced": f"{true.sum()} in {samples.n} loops",
        "hits counted": f"{figures['hits']}, {(hit & true).sum()} of them in the same loops",
        "handler, median us": f"{np.median(handler[hit & true]) * us:.2f}",
        "tick duration, median us": f"{figures['typical'] / 1000:.2f}",
        "remainder us, min/median": f"{remainder.min():.2f} / {np.median(remainder):.2f}",
    }
    for name, value in shown.items():
        print(f"{name}: {value}")
        record_property(name, value)

    assert true.sum() > SAMPLES // 400  # one tick in 400 loops is far less than any system has
    assert figures["hits"] == hit.sum() == pytest.approx(true.sum(), rel=COUNT_TOLERANCE)
    assert (hit & true).sum() >= SAME_LOOPS * max(hit.sum(), true.sum())
    fastest = (clean - samples.raw.ticks.min()) * us  # so much shorter than usual may be what the tick was added to
    assert remainder.min() >= -fastest
    assert np.median(remainder) > 0
