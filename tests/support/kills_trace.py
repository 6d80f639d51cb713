"""A trace read once more, by nothing of rtgauge: out of docs/trace.md and two libraries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cbor2
import google_crc32c
import numpy as np
from cobs import cobs

_TYPED = {64: "u1", 65: ">u2", 66: ">u4", 67: ">u8", 69: "<u2", 70: "<u4", 71: "<u8"}  # RFC 8746, unsigned


@dataclass
class Ended:
    """A test that the trace has from its beginning to its end."""

    id: str
    params: dict[str, Any]
    outcome: str
    stopped: bool
    start: dict[int, list[int]] = field(default_factory=dict)  # of each series
    stop: dict[int, list[int]] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        return key_of(self.id, self.params)


def key_of(id_: str, params: dict[str, Any]) -> tuple[str, str]:
    """A job by its name. The one interval is a number in the trace and has a unit in the results."""
    return id_, " ".join(f"{k}={v}" for k, v in sorted(params.items()) if k not in ("part", "interval"))


def ended_tests(trace: bytes) -> list[Ended]:
    tests: list[Ended] = []
    under_way: Ended | None = None
    for record in _records(trace):
        if record["r"] == "run-begin":
            under_way = None
        elif record["r"] == "test-begin":
            under_way = Ended(record["id"], record["params"], "", False)
        elif record["r"] == "block" and under_way:
            for name, to in (("start", under_way.start), ("stop", under_way.stop)):
                to.setdefault(record["series"], []).extend(_numbers(record[name]))
        elif record["r"] == "test-end" and under_way:
            under_way.outcome, under_way.stopped = record["outcome"], record["stopped"]
            tests.append(under_way)
            under_way = None
    return tests


def _records(trace: bytes) -> list[dict[str, Any]]:
    records = []
    for stuffed in trace.split(b"\0")[:-1]:  # what follows the last zero byte is no whole frame
        try:
            body = cobs.decode(stuffed) if stuffed else b""
        except cobs.DecodeError:
            continue
        if len(body) > 8 and google_crc32c.value(body[:-4]) == int.from_bytes(body[-4:], "little"):
            records.append(cbor2.loads(body[4:-4]))
    return records


def _numbers(typed: Any) -> list[int]:
    return [int(one) for one in np.frombuffer(typed.value, _TYPED[typed.tag])]
