"""The boards' clocks and independent timers, as the engine sees them in the emulator: exact, and the same each time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.address import parse
from rtgauge.model import Job, RunSpec, TestTrace, Trace
from rtgauge.targets import open_target
from rtgauge.targets.base import Stop
from rtgauge.trace.reader import read_trace

SAMPLES = 200
SOURCES = {"mps2-an385": ("timer", 2), "virt-a53": ("counter", 2), "virt-rv64": ("timer", 1)}  # and how many nest
ENTRY = {"mps2-an385": (1, 4), "virt-a53": (16, 32), "virt-rv64": (40, 64)}  # instructions from due to the handler
TO_TASK = {"mps2-an385": (100, 200), "virt-a53": (150, 300), "virt-rv64": (130, 260)}  # handler's end to the task


@pytest.fixture(params=sorted(SOURCES))
def board(request: pytest.FixtureRequest) -> str:
    """The name of a board that can be run here."""
    name = str(request.param)
    program = parse(f"freertos@{name}").board.program
    if not shutil.which(program):
        pytest.skip(f"no emulator here: {program}")
    try:
        open_target(f"lab:freertos@{name}").describe()
    except TargetError as error:
        pytest.skip(f"no image: {error}")
    return name


def spec_for(board: str) -> RunSpec:
    source = SOURCES[board][0]
    jobs = (
        Job("CAL-P-TRC", SAMPLES),
        Job("IRQ-P-LAT", SAMPLES, {"source": source, "from": "due", "level": "primary"}),
        Job("IRQ-P-TLT", SAMPLES, {"source": source, "from": "handler", "waiters": 10, "level": "primary"}),
        Job("IRQ-P-SIM", SAMPLES, {"source": source, "other": "second"}),
        Job("IRQ-B-NST", 1, {"source": source}),
    )
    return RunSpec(jobs=jobs, memory=1 << 20, time_ms=100_000)


def ran(board: str) -> bytes:
    target, got, spec = open_target(f"lab:freertos@{board}"), bytearray(), spec_for(board)
    target.describe()
    ending = target.run(spec, [60.0] * len(spec.jobs), lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths) == (None, ())
    return bytes(got)


@contextmanager
def busy_host() -> Iterator[None]:
    """Others that take every processor while the block runs."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


def instructions(trace: Trace, test: TestTrace, series: int = 0) -> list[float]:
    """Of all samples: how many instructions each took, to the resolution of the clock."""
    clock = trace.clock
    assert clock is not None
    ns = np.asarray(test.series[series].ticks, dtype=np.float64) * 1e9 * clock.rate_den / clock.rate_num
    return list(ns / int(trace.facts["ns_per_instruction"]))


@pytest.mark.slow
def test_an_interrupt_comes_when_it_is_due_and_always_as_fast(board: str) -> None:
    idle = ran(board)
    with busy_host():
        assert ran(board) == idle
    trace = read_trace(idle)
    assert (trace.problems, trace.complete) == ((), True)
    by_id = {test.descriptor.id: test for test in trace.tests}
    for name, (least, most) in (("IRQ-P-LAT", ENTRY[board]), ("IRQ-P-TLT", TO_TASK[board])):
        took = instructions(trace, by_id[name])
        assert len(took) > SAMPLES * 3 // 4, name  # the others met a clock tick
        assert least <= min(took), name
        assert max(took) <= most, name
    latency = instructions(trace, by_id["IRQ-P-LAT"])
    assert max(latency) - min(latency) <= 2


@pytest.mark.slow
def test_the_more_urgent_of_two_timers_interrupts_the_other(board: str) -> None:
    trace = read_trace(ran(board))
    outcomes = {test.descriptor.id: test.outcome for test in trace.tests}
    both = "done" if SOURCES[board][1] == 2 else "not-supported"
    assert (outcomes["IRQ-B-NST"], outcomes["IRQ-P-SIM"]) == (both, both)
    if both == "done":
        nests = next(test for test in trace.tests if test.descriptor.id == "IRQ-B-NST")
        told = {check.name: check.holds for check in nests.checks}
        assert told["handled-once"]
        assert told["nests"]
        assert not told["lower-interrupts-higher"]
