"""What the test engines run. Four tests: CAL-P-TRC, THR-P-SLS (threads 2 10), TMR-P-CYC (interval), SEM-B-LCK (kind).

Behaviours, each with the id of the test in which it happens ("*": in each):
  dies (SIGKILL), exits (status 3), watchdog (status 86), hangs (ends its trace when told to), deaf (ignores SIGTERM),
  truncates (ends in the middle of a frame, status 0), slow (seconds before each test), start (what to do before any
  output: "exits", "garbage", "flood", "refuse").
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

import cbor2
from cobs import cobs

from tests.support.traces import FakeTest, fake_series, fake_test, frame, records

BLOCK = 500


def catalogue() -> list[FakeTest]:
    threads = {"name": "threads", "kind": "number", "sweep": "2 10", "legal": "2..1000", "what": "threads in turn"}
    interval = {"name": "interval", "kind": "duration", "sweep": "1ms", "legal": "10us..1s", "what": "period"}
    kind = {"name": "kind", "kind": "choice", "sweep": "counting binary", "legal": "counting binary", "what": "sort"}
    return [
        fake_test("SEM-B-LCK", param_info=[kind], question="Does it lock?"),
        fake_test("TMR-P-CYC", series=[fake_series([], source="os", analyse="periodic")], param_info=[interval]),
        fake_test("THR-P-SLS", series=[fake_series([], aux_name="cpu")], param_info=[threads]),
        fake_test("CAL-P-TRC", series=[fake_series([])], param_info=[], needs=[]),
    ]


def measured(job: dict[str, Any]) -> FakeTest:
    """The test of a job as it would run, the same each time."""
    n, id_ = job["samples"], job["id"]
    wobble = [(i * 7919) % 97 for i in range(n)]
    shape = next(test for test in catalogue() if test.id == id_)
    if id_ == "CAL-P-TRC":
        series = [fake_series([20 + w % 3 for w in wobble], block=BLOCK)]
    elif id_ == "THR-P-SLS":
        base = 1_000 + job["params"]["threads"]
        series = [fake_series([base + w for w in wobble], block=BLOCK, aux_name="cpu", aux=[1] * n)]
    elif id_ == "TMR-P-CYC":
        step = job["params"]["interval"]
        starts = [6_000_000_000 + i * step for i in range(n)]
        series = [fake_series([3_000 + w for w in wobble], starts=starts, source="os", analyse="periodic", block=BLOCK)]
    else:
        checks = [("zero-blocks", "property", True, "it blocks at zero"), ("free", "control", False, "it never blocks")]
        return fake_test(id_, params=job["params"], checks=checks, param_info=shape.param_info, question=shape.question)
    return fake_test(id_, params=job["params"], series=series, samples=n, param_info=shape.param_info)


def main(behaviour: dict[str, Any]) -> None:
    request = _request()
    if request["op"] == "run":
        _before(behaviour)
    asked: list[int] = []
    signal.signal(signal.SIGTERM, signal.SIG_IGN if "deaf" in behaviour else lambda *_: asked.append(1))
    if request["op"] == "list":
        _write([frame(r, i) for i, r in enumerate(records(descriptors=catalogue()))])
        return
    made = records([measured(job) for job in request["jobs"]])
    ended = 0
    for number, record in enumerate(made):
        if record["r"] == "test-begin":
            if "slow" in behaviour:
                _wait(behaviour["slow"], asked)
            if asked:
                record = {"r": "run-end", "tests": ended, "too_long": 0, "why": None}
                _write([frame(record, number)])
                return
        _write([frame(record, number)])
        if record["r"] == "test-begin":
            _misbehave(behaviour, record, number, asked, ended)
        ended += record["r"] == "test-end"


def _before(behaviour: dict[str, Any]) -> None:
    start = behaviour.get("start")
    if start == "exits":
        sys.stderr.write("out of luck\x1b[31m\n")
        sys.exit(1)
    if start == "garbage":
        os.write(1, bytes(range(256)) * 500)
        sys.exit(0)
    if start == "flood":
        while True:
            os.write(1, b"\x01" * 65536)
    if start == "refuse":
        _write([frame(r, i) for i, r in enumerate(records(why="the request makes no sense\x1b[31m"))])
        sys.exit(0)


def _misbehave(behaviour: dict[str, Any], record: dict[str, Any], number: int, asked: list[int], ended: int) -> None:
    def wanted(what: str) -> bool:
        return behaviour.get(what) in ("*", record["id"])

    if wanted("dies"):
        os.kill(os.getpid(), signal.SIGKILL)
    if wanted("exits"):
        os._exit(3)
    if wanted("watchdog"):
        os._exit(86)
    if wanted("truncates"):
        os.write(1, frame({"r": "progress", "done": 1, "of": 2}, number + 1)[:7])
        os._exit(0)
    if wanted("deaf"):
        time.sleep(60)
    if wanted("hangs"):
        _wait(60, asked)
        end: dict[str, Any] = {"outcome": "done", "reason": None, "recorded": [0] * len(record["descriptor"]["series"])}
        end |= {"dropped": end["recorded"], "at": record["at"] + 1000, "stopped": True}
        _write([frame({"r": "test-end", **end}, number + 1)])
        _write([frame({"r": "run-end", "tests": ended + 1, "too_long": 0, "why": None}, number + 2)])
        sys.exit(0)


def _wait(seconds: float, asked: list[int]) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and not asked:
        time.sleep(0.01)


def _request() -> dict[str, Any]:
    stuffed = sys.stdin.buffer.read()
    body = cobs.decode(stuffed.rstrip(b"\0"))
    request: dict[str, Any] = cbor2.loads(body[4:-4])
    return request


def _write(frames: list[bytes]) -> None:
    for one in frames:
        rest = memoryview(one)
        while rest:
            rest = rest[os.write(1, rest) :]
