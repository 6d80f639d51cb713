"""Well-formed traces without an engine: for tests of everything that reads one.

    data = build_trace([fake_test("THR-P-SLS", params={"threads": 2}, series=[fake_series([50, 52, 51])])])

The default clock counts one tick per nanosecond with an overhead of 20 ticks, so a series of ticks reads as
nanoseconds plus 20.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cbor2
import google_crc32c
import numpy as np
from cobs import cobs

START_STAMP = 1_000_000_000_000  # the clock's count at the anchor
START_NS = 5_000_000_000  # the sleep clock at the anchor

CLOCK: dict[str, Any] = {
    "name": "x86-tsc",
    "why": "constant and synchronised",
    "rejected": [{"name": "hpet", "why": "coarser"}],
    "width": 64,
    "direction": 1,
    "rate_num": 1_000_000_000,
    "rate_den": 1,
    "rate_ppb": 50,
    "resolution": 1,
    "overhead": 20,
    "monotonic": True,
    "cpu_offset": 3,
    "anchor_stamp": START_STAMP,
    "anchor_ns": START_NS,
    "os_resolution": 1,
    "os_overhead": 25,
}
FACTS: dict[str, Any] = {
    "os": "Linux",
    "release": "6.1.0-rt",
    "version": "#1 SMP PREEMPT_RT",
    "machine": "x86_64",
    "cpus": 2,
    "levels": 99,
}


@dataclass
class FakeSeries:
    """`ticks[i]` is stop - start (or the value itself for source "value"); starts are 10 us apart unless given."""

    ticks: Any
    name: str = ""
    unit: str = "ns"
    source: str = "stamp"
    starts: Any = None
    aux: Any = None
    aux_name: str = ""
    analyse: str = ""
    dropped: int = 0
    block: int = 1000  # samples in one block
    resumed: tuple[int, ...] = ()  # must be multiples of `block`

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": self.unit,
            "start": "before the call",
            "stop": "after the call",
            "thread": "the measuring thread",
            "aux": self.aux_name,
            "source": self.source,
            "analyse": self.analyse,
        }


@dataclass
class FakeTest:
    id: str
    params: dict[str, Any] = field(default_factory=dict)
    series: list[FakeSeries] = field(default_factory=list)
    checks: list[tuple[str, str, bool, str]] = field(default_factory=list)  # name, role, holds, what
    unchecked: list[tuple[str, str]] = field(default_factory=list)
    evidence: list[tuple[str, Any, str]] = field(default_factory=list)  # name, value, unit
    counters: dict[str, tuple[int, int]] = field(default_factory=dict)  # before, after
    outcome: str | None = "done"  # None: the trace has no end of this test
    reason: str | None = None
    samples: int | None = None
    mode: str = "store"
    cpu: int = 1
    stopped: bool = False
    title: str = "a test"
    question: str = "How long does it take?"
    param_info: list[dict[str, Any]] | None = None
    needs: list[str] = field(default_factory=lambda: ["realtime"])

    def describe(self) -> dict[str, Any]:
        infos = self.param_info
        if infos is None:
            infos = [_describe_param(name, value) for name, value in self.params.items()]
        return {
            "id": self.id,
            "title": self.title,
            "question": self.question,
            "needs": list(self.needs),
            "samples": [1000, 10000, 100000],
            "about_ns": 1000,
            "about_ms": 10,
            "params": infos,
            "series": [series.describe() for series in self.series],
        }


def fake_series(ticks: Any, **more: Any) -> FakeSeries:
    """A series from its raw ticks; see FakeSeries for what else can be said."""
    return FakeSeries(ticks, **more)


def fake_test(id: str, *, series: Iterable[Any] = (), **more: Any) -> FakeTest:
    """A test that ran; each of `series` is a FakeSeries or a plain list of ticks."""
    made = [one if isinstance(one, FakeSeries) else FakeSeries(one) for one in series]
    return FakeTest(id, series=made, **more)


def build_trace(
    tests: Sequence[FakeTest] = (),
    *,
    facts: Mapping[str, Any] | None = None,
    clock: Mapping[str, Any] | None = None,
    descriptors: Sequence[FakeTest] = (),
    run_end: bool = True,
    why: str | None = None,
    first_job: int = 0,
    swap: bool = False,
) -> bytes:
    """The bytes of one start of the engine. `clock` and `facts` override single entries; `swap` encodes samples in the
    other byte order than the usual little-endian one; `run_end=False` ends the trace without its last record."""
    return frames(
        records(
            tests,
            facts=facts,
            clock=clock,
            descriptors=descriptors,
            run_end=run_end,
            why=why,
            first_job=first_job,
            swap=swap,
        )
    )


def records(
    tests: Sequence[FakeTest] = (),
    *,
    facts: Mapping[str, Any] | None = None,
    clock: Mapping[str, Any] | None = None,
    descriptors: Sequence[FakeTest] = (),
    run_end: bool = True,
    why: str | None = None,
    first_job: int = 0,
    swap: bool = False,
) -> list[dict[str, Any]]:
    """The records of one start of the engine, in order; a test may damage them before `frames` encodes them."""
    begin = {"version": 1, "engine": "rtgauge-engine 0.1.0", "port": "posix", "build": {"compiler": "gcc 12.2"}}
    begin |= {"stamp_bits": 64, "frame_max": 32768, "request": b"", "sample_memory": 64 << 20}
    made: list[dict[str, Any]] = [{"r": "run-begin", **begin}]
    if descriptors:
        made += [{"r": "descriptor", **test.describe()} for test in descriptors]
    else:
        made.append({"r": "system", "facts": FACTS | dict(facts or {})})
        made.append({"r": "clock", **(CLOCK | dict(clock or {}))})
    at = START_NS + 1_000_000
    stamp = (CLOCK | dict(clock or {}))["anchor_stamp"] + 1_000_000
    for number, test in enumerate(tests):
        made += _records_of_test(test, first_job + number, at, stamp, swap)
        at += 1_000_000_000
        stamp += 1_000_000_000
    if run_end:
        ended = sum(test.outcome is not None for test in tests)
        made.append({"r": "run-end", "tests": ended, "too_long": 0, "why": why})
    return made


def frames(payloads: Iterable[Any], first: int = 0) -> bytes:
    """Frames with consecutive sequence numbers. A payload of type bytes is taken as encoded CBOR."""
    return b"".join(frame(payload, first + number) for number, payload in enumerate(payloads))


def frame(payload: Any, sequence: int) -> bytes:
    body = struct.pack("<I", sequence) + (payload if isinstance(payload, bytes) else cbor2.dumps(payload))
    encoded: bytes = cobs.encode(body + struct.pack("<I", google_crc32c.value(body)))
    return encoded + b"\0"


def typed(values: Any, width: int, swap: bool = False) -> Any:
    """A typed array (RFC 8746) of unsigned integers of `width` bytes, little-endian unless `swap`."""
    tags = {1: (64, 64), 2: (69, 65), 4: (70, 66), 8: (71, 67)}
    order = ">" if swap else "<"
    data = np.asarray(values).astype(f"{order}u{width}").tobytes()
    return cbor2.CBORTag(tags[width][swap], data)


def _records_of_test(test: FakeTest, job: int, at: int, stamp: int, swap: bool) -> list[dict[str, Any]]:
    wanted = test.samples if test.samples is not None else max([len(one.ticks) for one in test.series], default=0)
    begin = {"job": job, "id": test.id, "params": dict(test.params), "samples": wanted, "mode": test.mode}
    made: list[dict[str, Any]] = [
        {"r": "test-begin", **begin, "cpu": test.cpu, "at": at, "descriptor": test.describe()}
    ]
    if test.counters:
        before = {name: pair[0] for name, pair in test.counters.items()}
        made.append({"r": "counters", "when": "before", "values": before})
    for index, series in enumerate(test.series):
        made += _blocks(series, index, at if series.source == "os" else stamp, swap)
    made += [{"r": "check", "name": n, "role": r, "holds": h, "what": w} for n, r, h, w in test.checks]
    made += [{"r": "unchecked", "name": name, "why": why} for name, why in test.unchecked]
    for name, value, unit in test.evidence:
        made.append({"r": "evidence", "name": name, "value": value} | ({"unit": unit} if unit else {}))
    if test.counters:
        after = {name: pair[1] for name, pair in test.counters.items()}
        made.append({"r": "counters", "when": "after", "values": after})
    if test.outcome is not None:
        ending = {
            "outcome": test.outcome,
            "reason": test.reason,
            "recorded": [len(series.ticks) for series in test.series],
            "dropped": [series.dropped for series in test.series],
            "at": at + 900_000_000,
            "stopped": test.stopped,
        }
        made.append({"r": "test-end", **ending})
    return made


def _blocks(series: FakeSeries, index: int, origin: int, swap: bool) -> list[dict[str, Any]]:
    ticks = np.asarray(series.ticks, dtype=np.int64)
    if series.starts is None:
        starts = np.uint64(origin) + np.arange(len(ticks), dtype=np.uint64) * np.uint64(10_000)
    else:
        starts = np.asarray(series.starts, dtype=np.uint64)
    stops = ticks.view(np.uint64) if series.source == "value" else starts + ticks.view(np.uint64)
    made = []
    for first in range(0, len(ticks), series.block):
        part = slice(first, first + series.block)
        block = {"r": "block", "series": index, "first": first, "resumed": first in series.resumed}
        block |= {"start": typed(starts[part], 8, swap), "stop": typed(stops[part], 8, swap)}
        if series.aux is not None:
            block["aux"] = typed(np.asarray(series.aux)[part], 2, swap)
        made.append(block)
    return made


def _describe_param(name: str, value: Any) -> dict[str, Any]:
    kind = "choice" if isinstance(value, str) else "duration" if name == "interval" else "number"
    legal = {"choice": str(value), "number": "0..1000000", "duration": "1us..10s"}[kind]
    return {"name": name, "kind": kind, "sweep": str(value), "legal": legal, "what": name}
