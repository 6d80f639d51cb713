"""Drives the installed engine directly, so that a benchmark measures the engine and not the host around it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rtgauge
from rtgauge.model import Job, RunSpec, TestTrace, Trace
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_request

ENGINE = Path(rtgauge.__file__).parent / "_engine" / "rtgauge-engine"


class UnmeasuredError(Exception):
    """This machine cannot make the comparison; the text says why."""


def run(*jobs: Job, level: int = 79, cpu: int = -1) -> Trace:
    """One start of the engine with these jobs; raises UnmeasuredError when a test gave no numbers."""
    memory = 4 * 18 * max(job.samples + 4096 for job in jobs)
    spec = RunSpec(jobs=jobs, level=level, cpu=cpu, memory=memory)
    done = subprocess.run([ENGINE], input=encode_request(spec), capture_output=True, check=False)
    trace = read_trace(done.stdout)
    for test in trace.tests:
        if test.outcome != "done":
            raise UnmeasuredError(f"{test.descriptor.id}: {test.outcome}: {test.reason}")
    if len(trace.tests) != len(jobs):
        raise UnmeasuredError(f"the engine ended with status {done.returncode}: {trace.why}")
    return trace


def nanoseconds(trace: Trace, test: TestTrace, series: int = 0) -> NDArray[np.float64]:
    """Raw values of one series, in ns, with nothing subtracted."""
    raw = test.series[series]
    scale = trace.clock.ns_per_tick if raw.info.source == "stamp" and trace.clock else 1.0
    return raw.ticks * scale


def last_cpu() -> int:
    """The CPU that the engine chooses by itself."""
    return max(os.sched_getaffinity(0))


def other_cpu() -> int:
    """A CPU that is not under test, where there is one."""
    return min(os.sched_getaffinity(0))
