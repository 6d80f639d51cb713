"""The quick catalogue on the fake system, with one fault or none: through target, trace and pipeline like any run."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rtgauge.errors import TargetError
from rtgauge.model import Job, RunSpec, Trace
from rtgauge.plan import Plan, Wish, make_plan
from rtgauge.selftest.seen import Seen, facts_of
from rtgauge.targets import open_target
from rtgauge.targets.base import Ending, Stop, Target

if TYPE_CHECKING:
    from rtgauge.trace.events import Event

VARIABLE = "RTGAUGE_FAULT"
SAMPLES = 300  # of each series, where the profile wants more and the test is not named here
SAMPLES_OF = {
    "CLK-P-DUR": 10_000,  # 250 ticks, and the first expiry of its timer
    "MUT-P-INV": 10,  # each turn takes 10 ms with MID's work
    "MEM-B-LEK": 400,
    "FS-P-WR": 500,  # 15 peaks, fewer are no period
}
LIMIT_S = 30.0  # of real time for one job: a faulty system may spin for ever
MEMORY = 2 << 20  # bytes for samples: room for all of them


@dataclass(frozen=True)
class Look:
    seen: Seen
    fault: str = ""  # as the fake system itself tells it, "name" or "name:k"
    what: str = ""

    @property
    def k(self) -> int:
        """0 where the fault takes no number."""
        return int(self.fault.partition(":")[2] or 0)


def look(fault: str | None) -> Look:
    """What every test says with `fault` ("name" or "name:k") switched on. Each test has an engine of its own, so that
    one cannot disturb another."""
    from rtgauge.pipeline import judge

    with _switched_on(fault):
        target = open_target("fake", Path())
        plan = make_plan(target.describe().descriptors, Wish(profile="quick"), MEMORY)
        seen: Seen = {}
        told = "", ""
        for test in dict.fromkeys(job.id for job in plan.spec.jobs):
            trace, ending = _run(target, spec := _spec_of(plan, test))
            told = max(told, _told(trace, fault))
            seen |= facts_of(test, judge(trace, spec), trace, ending)
    return Look(seen, *told)


def faults() -> dict[str, str]:
    """The faults that the fake system has, and what each does."""
    with _switched_on("list"):
        trace = _run(open_target("fake", Path()), RunSpec(jobs=(Job("CAL-P-TRC", 1),)))[0]
    ordinary = {"os", "release", "version", "machine", "cpus", "levels", "tick_ns", "slice_ns"}
    return {name: str(what) for name, what in trace.facts.items() if name not in ordinary}


@contextlib.contextmanager
def _switched_on(fault: str | None) -> Iterator[None]:
    before = os.environ.pop(VARIABLE, None)
    if fault is not None:
        os.environ[VARIABLE] = fault
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before


def _run(target: Target, spec: RunSpec) -> tuple[Trace, Ending]:
    from rtgauge.trace.reader import read_trace

    chunks: list[bytes] = []

    def take(chunk: bytes, _events: Sequence[Event]) -> None:
        chunks.append(chunk)

    ending = target.run(spec, (LIMIT_S,) * len(spec.jobs), take, Stop())
    return read_trace(b"".join(chunks)), ending


def _spec_of(plan: Plan, test: str) -> RunSpec:
    most = SAMPLES_OF.get(test, SAMPLES)
    jobs = tuple(replace(job, samples=min(job.samples, most)) for job in plan.spec.jobs if job.id == test)
    return replace(plan.spec, jobs=jobs, memory=MEMORY)


def _told(trace: Trace, fault: str | None) -> tuple[str, str]:
    """The fault of the system that wrote the trace, and what it does; both empty when it is correct. A trace that tells
    another one than was asked for would make the self-test prove nothing."""
    told, what = (str(trace.facts.get(name, "")) for name in ("fault", "fault_what"))
    name, _, k = (fault or "").partition(":")
    if trace.facts and (told.partition(":")[0] != name or (k and told != fault)):
        raise TargetError(f"the fake system has the fault {told or 'none'}, and {fault or 'none'} was asked for")
    return told, what
