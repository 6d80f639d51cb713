"""RunSpec to the one frame that the engine reads."""

from __future__ import annotations

import cbor2

from rtgauge.model import RunSpec
from rtgauge.trace.frames import encode_frame

VERSION = 1


def encode_request(spec: RunSpec) -> bytes:
    """The request to run every job of `spec`. ValueError when it is too large for one frame."""
    limits = {"level": spec.level, "cpu": spec.cpu, "memory": spec.memory, "time_ms": spec.time_ms}
    jobs = [{"id": job.id, "samples": job.samples, "params": dict(job.params)} for job in spec.jobs]
    record = {"r": "request", "version": VERSION, "op": "run", "limits": limits, "cache": spec.cache, "jobs": jobs}
    record["environment"] = dict(spec.environment)
    record["loads"], record["cpus"] = list(spec.loads), spec.cpus
    record["events"], record["break_on_ns"] = spec.blame, spec.break_on_ns
    record["accumulate"], record["live"] = spec.accumulate, spec.live
    record["raw"], record["bins"], record["beyond"] = spec.raw, spec.bins, spec.beyond
    return encode_frame(0, cbor2.dumps(record))


def encode_list_request() -> bytes:
    """The request to describe every test and run none."""
    return encode_frame(0, cbor2.dumps({"r": "request", "version": VERSION, "op": "list"}))
