"""The events around the worst samples as a trace that ui.perfetto.dev opens (JSON, "Trace Event Format").

A process for each CPU, with what ran and what lay upon it; one for the samples, each with its blame inside; arrows
from what woke a thread to where it was given the CPU. Times are µs since the run's first reading of its clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rtgauge import __version__
from rtgauge.blame.causes import rank
from rtgauge.blame.clock import ticks_since, to_ns
from rtgauge.blame.lane import IDLE, Frame, Lane, Stretch, Task, lane_of, tasks_in
from rtgauge.errors import UsageError
from rtgauge.model import ClockInfo, EventWindow, KernelEvent, Result, TestTrace, Trace
from rtgauge.pipeline import judge
from rtgauge.verdict import name_of

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun

SUMMARY = "kernel events around the worst samples, for ui.perfetto.dev"

_SAMPLES = 900  # numbers of processes and threads in the trace: each is used once
_THREADS, _UPON = 1, 2  # tracks of a CPU
_ABOVE = {
    "vector": "interrupt",
    "irq": "interrupt",
    "softirq": "softirq",
    "timer": "timer",
    "nmi": "nmi",
    "tracing": "recording",
}

Event = dict[str, Any]
Timed = tuple[int, KernelEvent]


def render(run: StoredRun) -> bytes:
    """UsageError where the run holds no events."""
    trace = run.load_trace()
    events = list(trace_events(trace, judge(trace, run.spec()).results))
    if not events:
        raise UsageError(f"run {run.id} holds no kernel events: measure with --blame")
    about = {"run": run.id, "target": str(run.manifest.get("target", "")), "rtgauge": __version__}
    content = {"displayTimeUnit": "ns", "otherData": about, "traceEvents": events}
    return (json.dumps(content, allow_nan=False, separators=(",", ":")) + "\n").encode()


def trace_events(trace: Trace, results: Sequence[Result]) -> Iterator[Event]:
    """Nothing where no test has windows."""
    told = [test for test in trace.tests if test.windows and test.clock is not None]
    if not told or trace.clock is None:
        return
    cpus = sorted({cpu for test in told for one in test.windows for cpu in (one.cpu, *(e.cpu for e in one.events))})
    for cpu in cpus:
        yield from _names(_of_cpu(cpu), f"CPU {cpu}", {_THREADS: "threads", _UPON: "interrupts"}, cpu + 1)
    tracks = _Tracks()
    left = list(results)
    for test in told:
        assert test.clock is not None
        base = _Base(test.clock, test.clock.anchor_ns - trace.clock.anchor_ns)
        names = tasks_in(event for window in test.windows for event in window.events)
        for begin, end, windows in _together(test, base):
            yield from _system(base, begin, end, windows, names)
        yield from _samples(base, test, left, tracks)
    yield from _names(_SAMPLES, "worst samples", dict(enumerate(tracks.names, start=1)), 0)


@dataclass(frozen=True)
class _Base:
    """From stamps to ns since the run's first reading of its clock."""

    clock: ClockInfo
    offset: int

    def ns(self, stamp: int) -> int:
        return self.offset + to_ns(self.clock, ticks_since(self.clock, self.clock.anchor_stamp, stamp))


class _Tracks:
    """Samples of one result share a track unless they overlap."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._ends: list[int] = []

    def place(self, name: str, begin: int, end: int) -> int:
        for i, (other, last) in enumerate(zip(self.names, self._ends, strict=True)):
            if other == name and last <= begin:
                self._ends[i] = end
                return _SAMPLES + 1 + i
        self.names.append(name)
        self._ends.append(end)
        return _SAMPLES + len(self.names)


# ---- the system ------------------------------------------------------------------------------------------------------


def _together(test: TestTrace, base: _Base) -> Iterator[tuple[int, int, list[EventWindow]]]:
    """Windows that overlap are one stretch of time, from and to in ns."""
    open_: tuple[int, int, list[EventWindow]] | None = None
    for window in sorted(test.windows, key=lambda one: base.ns(one.begin)):
        begin, end = base.ns(window.begin), base.ns(window.end)
        if open_ is not None and begin <= open_[1]:
            open_ = open_[0], max(open_[1], end), [*open_[2], window]
            continue
        if open_ is not None:
            yield open_
        open_ = begin, end, [window]
    if open_ is not None:
        yield open_


def _system(
    base: _Base, begin: int, end: int, windows: Sequence[EventWindow], names: Mapping[int, Task]
) -> Iterator[Event]:
    every = dict.fromkeys(event for window in windows for event in window.events)
    events = sorted(((base.ns(event.at), event) for event in every), key=lambda one: one[0])
    known = {**names, **tasks_in(event for _, event in events)}
    own = {window.cpu for window in windows} | {event.cpu for _, event in events if event.kind == "switch"}
    lanes = {cpu: lane_of(cpu, events, begin, end, known) for cpu in sorted(own)}
    for lane in lanes.values():
        yield from _threads(lane)
        yield from _upon(lane)
    yield from _wakings(events, lanes)


def _threads(lane: Lane) -> Iterator[Event]:
    """A slice for each time that a thread had the CPU."""
    for begin, end, (task, behind) in _runs([(one, (one.task, one.behind)) for one in lane.stretches]):
        if task is not None:
            more = {"ran although ready": _called(behind)} if behind is not None else {}
            yield _slice(_called(task), "thread", begin, end, lane.cpu, _THREADS, {**_about(task), **more})


def _upon(lane: Lane) -> Iterator[Event]:
    """A slice for each interrupt, softirq and timer function, one within the other."""
    depth = max((len(one.frames) for one in lane.stretches), default=0)
    for level in range(depth):
        at_level = [(one, one.frames[: level + 1] if len(one.frames) > level else None) for one in lane.stretches]
        for begin, end, frames in _runs(at_level):
            if frames is not None:
                frame: Frame = frames[-1]
                yield _slice(
                    frame.name or str(frame.id), _ABOVE[frame.kind], begin, end, lane.cpu, _UPON, {"number": frame.id}
                )


def _runs(stretches: Sequence[tuple[Stretch, Any]]) -> Iterator[tuple[int, int, Any]]:
    """Neighbours with the same value together: (from, to, value)."""
    open_: tuple[int, int, Any] | None = None
    for one, value in stretches:
        if open_ is not None and open_[2] == value:
            open_ = open_[0], one.end, value
            continue
        if open_ is not None:
            yield open_
        open_ = one.begin, one.end, value
    if open_ is not None:
        yield open_


def _wakings(events: Sequence[Timed], lanes: dict[int, Lane]) -> Iterator[Event]:
    """An arrow from each waking to the switch that followed from it."""
    for place, (at, event) in enumerate(events):
        if event.kind != "waking":
            continue
        later = ((when, e) for when, e in events[place + 1 :] if e.kind in ("switch", "waking") and e.id == event.id)
        when, follows = next(later, (at, event))
        if follows.kind != "switch":
            continue
        upon = lanes[event.cpu].at(at) if event.cpu in lanes else None
        track = _UPON if upon is not None and upon.frames else _THREADS
        if upon is None:  # of this CPU little more is known
            yield _slice(f"wakes {event.name}", "waking", at, at + 1, event.cpu, track, {})
        number = f"{event.cpu}-{event.id}-{at}"
        arrow = {"cat": "waking", "name": "wake-up", "id": number}
        yield {"ph": "s", **arrow, "ts": at / 1000, "pid": _of_cpu(event.cpu), "tid": _of_cpu(event.cpu) + track}
        tid = _of_cpu(follows.cpu) + _THREADS
        yield {"ph": "f", "bp": "e", **arrow, "ts": when / 1000, "pid": _of_cpu(follows.cpu), "tid": tid}


# ---- the samples -----------------------------------------------------------------------------------------------------


def _samples(base: _Base, test: TestTrace, left: list[Result], tracks: _Tracks) -> Iterator[Event]:
    for place, series in enumerate(test.series):
        params = {**test.params, **({"part": series.info.name} if series.info.name else {})}
        mine = [one for one in left if one.id == test.descriptor.id and dict(one.params) == params and one.blame]
        if not mine or mine[0].blame is None:
            continue
        left.remove(mine[0])
        windows = {window.index: window for window in test.windows if window.series == place}
        told = sorted(mine[0].blame["samples"], key=lambda one: base.ns(windows[one["index"]].start))
        for sample in told:
            yield from _sample(sample, base.ns(windows[sample["index"]].start), name_of(mine[0]), tracks)


def _sample(sample: dict[str, Any], begin: int, name: str, tracks: _Tracks) -> Iterator[Event]:
    """The sample, and within it what each stretch is put down to."""
    track = tracks.place(name, begin, begin + sample["total"])
    about = {key: sample[key] for key in ("value", "cpu", "unexplained", "missed", "lost", "verdict")}
    phases = {phase["name"]: phase["ns"] for phase in sample["phases"]}
    args = {"sample": about, **({"phases": phases} if phases else {})}
    where = {"ph": "X", "pid": _SAMPLES, "tid": track}
    yield {
        **where,
        "name": f"sample {sample['index']}",
        "cat": "sample",
        **_span(begin, begin + sample["total"]),
        "args": args,
    }
    for first, last, part in sample["pieces"]:
        cause = sample["parts"][part]
        span = _span(begin + first, begin + last)
        yield {**where, "name": cause["what"], "cat": cause["kind"], **span, "args": {"note": cause["note"]}}


# ---- entries ---------------------------------------------------------------------------------------------------------


def _of_cpu(cpu: int) -> int:
    return 1000 * (cpu + 1)


def _slice(name: str, category: str, begin: int, end: int, cpu: int, track: int, args: dict[str, Any]) -> Event:
    where = {"pid": _of_cpu(cpu), "tid": _of_cpu(cpu) + track}
    return {"ph": "X", "name": name, "cat": category, **_span(begin, end), **where, "args": args}


def _span(begin: int, end: int) -> Event:
    return {"ts": begin / 1000, "dur": (end - begin) / 1000}


def _names(pid: int, process: str, tracks: dict[int, str], order: int) -> Iterator[Event]:
    yield {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": process}}
    yield {"ph": "M", "name": "process_sort_index", "pid": pid, "args": {"sort_index": order}}
    for track, name in tracks.items():
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": pid + track, "args": {"name": name}}
        yield {"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": pid + track, "args": {"sort_index": track}}


def _about(task: Task) -> dict[str, Any]:
    return {"thread": task.id, "policy": rank(task.level)}


def _called(task: Task) -> str:
    return "idle" if task.id == IDLE else task.name or f"thread {task.id}"
