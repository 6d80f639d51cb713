"""Where the fuzzer begins: whole inputs of each target, made from the builders that all tests use.

A trace is handed over as its payloads, so that a changed one gets a right checksum and reaches the reader:
(length u16, step u8, payload)*, where `step` is what its sequence number is above the one before.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from typing import Any

import cbor2
import numpy as np

from rtgauge.model import Job, RunSpec
from rtgauge.store.manifest import SCHEMA
from tests.support.traces import FakeTest, fake_series, fake_test, frames, records

FOLDER_FILES = ("manifest.json", "results.json", "samples.parquet", "trace.cbor", "log.txt")


def pack(payloads: Iterable[tuple[int, bytes]]) -> bytes:
    return b"".join(struct.pack("<HB", len(payload), step) + payload for step, payload in payloads)


def unpack(data: bytes) -> list[tuple[int, bytes]]:
    """The (step, payload) pairs of `data`; the last may be cut."""
    found, at = [], 0
    while at + 3 <= len(data):
        size, step = struct.unpack_from("<HB", data, at)
        found.append((step, data[at + 3 : at + 3 + size]))
        at += 3 + size
    return found


def tests() -> list[FakeTest]:
    """One of each sort of result, few samples each."""
    ramp = np.arange(12)
    due = 5_002_000_000 + 1_000_000 * np.array([0, 1, 2, 5, 6, 7])
    return [
        fake_test("CAL-P-TRC", series=[fake_series(20 + ramp % 3, block=6)]),
        fake_test(
            "THR-P-SLS",
            params={"threads": 2},
            series=[fake_series(900 + ramp, block=4, aux=ramp % 2, aux_name="cpu", resumed=(8,))],
            counters={"faults": (3, 5)},
            evidence=[("policy", "SCHED_FIFO", ""), ("tick_ns", 4_000_000, "ns")],
        ),
        fake_test(
            "SEM-P-SCL",
            params={"kind": "counting"},
            series=[
                fake_series(ramp * 20, name="acquire", aux=ramp, aux_name="waiters", analyse="slope"),
                fake_series(ramp * 30, name="release", aux=ramp, aux_name="waiters", analyse="slope", dropped=2),
            ],
        ),
        fake_test(
            "TMR-P-CYC",
            params={"interval": 1_000_000},
            series=[
                fake_series([900, 800, 2_500_000, 700, 900, 1], starts=due, source="os", analyse="periodic", block=3)
            ],
        ),
        fake_test(
            "CLK-P-DUR", series=[fake_series(300_000 + ramp * 700, analyse="ticks")], evidence=[("tick_ns", 5, "ns")]
        ),
        fake_test("CLK-P-GET", series=[fake_series(180 + ramp, analyse="blocking")]),
        fake_test("MEM-B-LEK", series=[fake_series(4096 * ramp, unit="B", source="value", analyse="trend")]),
        fake_test(
            "SEM-B-REL",
            checks=[("order", "property", True, "in order"), ("plain", "control", False, "without priorities")],
            unchecked=[("robust", "this system has none")],
        ),
        fake_test("MUT-P-INV", outcome="not-permitted", reason="needs real-time priority"),
        fake_test("THR-P-NEW", series=[[500] * 4], outcome=None),
    ]


def spec() -> RunSpec:
    return RunSpec(jobs=tuple(Job(test.id, 12, test.params) for test in tests()))


def traces() -> list[list[dict[str, Any]]]:
    narrow = {"width": 32, "direction": -1, "anchor_stamp": 1 << 31}
    return [
        records(tests()[:3]),
        records(tests()[3:], clock=narrow),
        records(tests()[1:2], run_end=False) + records(tests()[7:], swap=True),
        records(descriptors=tests()[1:4]),
    ]


def packed(chosen: Iterable[list[dict[str, Any]]]) -> list[bytes]:
    """Sequence numbers begin anew with each start of the engine, which a step of 255 stands for."""
    made = []
    for trace in chosen:
        steps = [255 if record["r"] == "run-begin" else 1 for record in trace]
        made.append(pack((step, cbor2.dumps(record)) for step, record in zip(steps, trace, strict=True)))
    return made


def manifest() -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": "20260301-101500-fake-0a1b2c",
        "state": "complete",
        "created": "2026-03-01T10:15:00.000000Z",
        "finished": "2026-03-01T10:15:01.000000Z",
        "target": "fake",
        "why": None,
        "tag": "a note",
        "repeat": {"number": 1, "of": 1},
        "command": ["rtgauge", "run", "fake"],
        "versions": {"rtgauge": "0.1.0"},
        "engine": {"path": "engine", "sha256": "00"},
        "profile": "quick",
        "deadline_ns": 1000,
        "spec": spec().as_dict(),
        "descriptors": [],
        "deaths": [{"id": "THR-P-NEW", "params": {}, "reason": "the engine died"}],
        "left_out": None,
        "audit": [],
        "files": {},
    }


def seeds(target: str) -> list[bytes]:
    if target == "stream":
        return [frames(trace) for trace in traces()]
    if target == "payload":
        return [cbor2.dumps(record) for trace in traces() for record in trace]
    if target == "records":
        return packed(traces())
    if target == "run":  # small, since much is done with each
        return packed(records(tests()[first : first + 2]) for first in range(0, 10, 2))
    from tests.fuzz.folder import whole_files

    files = whole_files()
    if target == "folder":
        return [bytes([number]) + files[name] for number, name in enumerate(FOLDER_FILES)]
    return [files[{"manifest": "manifest.json", "results": "results.json"}[target]], json.dumps(manifest()).encode()]
