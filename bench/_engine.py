"""Drives the installed engine directly, so that a benchmark measures the engine and not the host around it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import rtgauge
from rtgauge.errors import UsageError
from rtgauge.model import Descriptor, Job, RunSpec, SeriesTrace, TestTrace, Trace
from rtgauge.plan import combinations
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_list_request, encode_request

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


def nanoseconds(trace: Trace, test: TestTrace, series: str = "") -> NDArray[np.float64]:
    """Raw values of one series (by default the first), in ns, with nothing subtracted."""
    raw = series_of(test, series)
    scale = trace.clock.ns_per_tick if raw.info.source == "stamp" and trace.clock else 1.0
    return raw.ticks * scale


def last_cpu() -> int:
    """The CPU that the engine chooses by itself."""
    return max(os.sched_getaffinity(0))


def other_cpu() -> int:
    """A CPU that is not under test, where there is one."""
    return min(os.sched_getaffinity(0))


def offered() -> dict[str, Descriptor]:
    """Every test that the engine has, by id."""
    done = subprocess.run([ENGINE], input=encode_list_request(), capture_output=True, check=False)
    return {descriptor.id: descriptor for descriptor in read_trace(done.stdout).descriptors}


def job_for(tests: Mapping[str, Descriptor], test: str, wanted: Mapping[str, str], samples: int | None = None) -> Job:
    """A job with these parameters, and for each other parameter the first value that its test runs by default.

    UnmeasuredError when the engine has no such test, parameter or value."""
    if test not in tests:
        raise UnmeasuredError(f"the engine has no {test}")
    descriptor = tests[test]
    if unknown := set(wanted) - {info.name for info in descriptor.params}:
        raise UnmeasuredError(f"{test} has no parameter {', '.join(sorted(unknown))}")
    named = {info.name: [wanted.get(info.name, info.sweep.split()[0])] for info in descriptor.params}
    try:
        params = next(combinations(descriptor, named))
    except UsageError as error:
        raise UnmeasuredError(str(error)) from error
    return Job(test, samples or descriptor.samples[0], params)


def series_of(test: TestTrace, name: str) -> SeriesTrace:
    """The test's series of this name; "" means its first. UnmeasuredError when there is none."""
    for series in test.series:
        if name in ("", series.info.name):
            return series
    raise UnmeasuredError(f"{test.descriptor.id} has no series {name}")
