from dataclasses import replace

import cbor2
import pytest

from rtgauge.model import Job, RunSpec
from rtgauge.trace import encode_list_request, encode_request
from rtgauge.trace.frames import Frame, decode_frame


def payload(data: bytes) -> dict[str, object]:
    assert data.count(b"\0") == 1
    assert data.endswith(b"\0")
    frame = decode_frame(data[:-1])
    assert isinstance(frame, Frame)
    assert frame.sequence == 0
    record: dict[str, object] = cbor2.loads(frame.payload)
    return record


def test_a_request_to_run() -> None:
    jobs = (Job("THR-P-SLS", 1000, {"threads": 2}), Job("TMR-P-CYC", 10, {"interval": 1_000_000, "policy": "fifo"}))
    spec = RunSpec(jobs=jobs, level=70, cpu=3, memory=1 << 20, time_ms=5000, cache="dirty", environment={"load": "x"})
    spec = replace(spec, loads=("cpu", "disk"), cpus="all", blame=True, break_on_ns=100_000, accumulate=True, live=True)
    assert payload(encode_request(spec)) == {
        "r": "request",
        "version": 1,
        "op": "run",
        "limits": {"level": 70, "cpu": 3, "memory": 1 << 20, "time_ms": 5000},
        "cache": "dirty",
        "jobs": [
            {"id": "THR-P-SLS", "samples": 1000, "params": {"threads": 2}},
            {"id": "TMR-P-CYC", "samples": 10, "params": {"interval": 1_000_000, "policy": "fifo"}},
        ],
        "environment": {"load": "x"},
        "loads": ["cpu", "disk"],
        "cpus": "all",
        "events": True,
        "break_on_ns": 100_000,
        "accumulate": True,
        "raw": 0,
        "bins": 0,
        "beyond": 0,
        "live": True,
    }


def test_a_request_to_list() -> None:
    assert payload(encode_list_request()) == {"r": "request", "version": 1, "op": "list"}


def test_a_request_larger_than_a_frame() -> None:
    with pytest.raises(ValueError, match="larger than"):
        encode_request(RunSpec(jobs=tuple(Job("THR-P-SLS", 1, {"threads": 2}) for _ in range(3000))))
