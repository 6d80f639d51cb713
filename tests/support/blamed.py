"""A stored run with kernel events around its worst samples, and results that hold their blame."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rtgauge.model import EventWindow, KernelEvent, RunSpec
from rtgauge.pipeline import judge
from rtgauge.report import RunView
from rtgauge.results import to_json
from rtgauge.store.manifest import seal
from rtgauge.trace import read_trace
from tests.fuzz.folder import fingerprints
from tests.fuzz.seeds import manifest
from tests.support.traces import START_NS, START_STAMP, FakeTest, fake_series, fake_test, frames, records
from tests.support.windows import ORIGIN, late_wakeup, to_measured, window

N = 40
INTERVAL = 1_000_000  # ns
EVIL = "</script><img src=x>\"'|[x](y)\x1b[31m\u202e"


def windows() -> list[EventWindow]:
    """Of samples 20 (the worst), 30 and 21, each at its place in time. The last holds what the first holds as well."""
    made = [
        (20, late_wakeup()),
        (30, window([to_measured(-9_000)], 100_000)),
        (21, window([], 50_000, before=1_500_000)),
    ]
    placed = [replace(moved(one, index * INTERVAL), index=index) for index, one in made]
    shared = tuple(event for event in placed[0].events if event.at >= placed[2].begin)
    return [*placed[:2], replace(placed[2], events=shared)]


def moved(one: EventWindow, ns: int) -> EventWindow:
    """To `ns` after the clock's anchor, whose stamps are ns."""
    by = START_STAMP + ns - ORIGIN
    events = tuple(replace(event, at=event.at + by) for event in one.events)
    edges = {name: getattr(one, name) + by for name in ("begin", "end", "start", "stop")}
    return replace(one, events=events, **edges)  # type: ignore[arg-type]


def hostile(ones: Sequence[EventWindow]) -> list[EventWindow]:
    """The same with a name that tries to break out for every thread but the measured one, interrupt and function."""

    def evil(event: KernelEvent) -> KernelEvent:
        return event if event.name == "rtgauge-engine" else replace(event, name=EVIL)

    return [replace(one, events=tuple(evil(event) for event in one.events)) for one in ones]


def periodic_test(evidence: Sequence[tuple[str, Any, str]] = ()) -> FakeTest:
    ticks = np.full(N, 2_000)
    ticks[[20, 21, 30]] = 186_000, 50_000, 100_000
    starts = START_NS + INTERVAL * np.arange(N)
    series = fake_series(
        ticks, source="os", analyse="periodic", starts=starts, aux_name="cpu", aux=np.ones(N), unit="ns"
    )
    return fake_test("TMR-P-CYC", params={"interval": INTERVAL}, series=[series], evidence=list(evidence))


def trace_bytes(ones: Sequence[EventWindow], evidence: Sequence[tuple[str, Any, str]] = ()) -> bytes:
    made = records([periodic_test(evidence)])
    place = next(i for i, record in enumerate(made) if record["r"] == "test-end")
    return frames([*made[:place], *(record_of(one) for one in ones), *made[place:]])


def record_of(one: EventWindow) -> dict[str, Any]:
    listed = [[e.at, e.cpu, e.kind, e.id, e.other, e.level, e.name, e.prev_state, e.due_ns] for e in one.events]
    where = {"series": one.series, "index": one.index, "part": 0, "parts": 1, "cpu": one.cpu, "missed": one.missed}
    edges = {"from": one.begin, "to": one.end, "start": one.start, "stop": one.stop}
    return {"r": "events", **where, **edges, "lost_by_kernel": one.lost_by_kernel, "list": listed}


def content_of(data: bytes) -> dict[str, Any]:
    trace, spec = read_trace(data), RunSpec(jobs=())
    made = to_json(judge(trace, spec), trace, spec, run="r", target="local", created="2026-03-01T10:15:00Z")
    found: dict[str, Any] = json.loads(json.dumps(made))
    return found


def view_of(data: bytes) -> RunView:
    return RunView(content_of(data), {"state": "complete"})


def stored(folder: Path, data: bytes, about: Mapping[str, Any] | None = None) -> Path:
    """A run folder with that trace, in the store `folder`."""
    path = folder / "runs" / "20260301-101500-local-0a1b2c"
    path.mkdir(parents=True)
    (path / "trace.cbor").write_bytes(data)
    told = {**manifest(), **(about or {}), "files": fingerprints({"trace.cbor": data})}
    (path / "manifest.json").write_bytes(seal(told))
    return path
