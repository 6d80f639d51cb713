"""Engines under load, spoken to without the host."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rtgauge.model import Job, LoadReport, RunSpec, Trace
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_list_request, encode_request

CYCLIC = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}


def spec(samples: int, *loads: str, **more: object) -> RunSpec:
    """A run of TMR-P-CYC at 1 ms, so of `samples` ms, under `loads`."""
    return RunSpec(jobs=(Job("TMR-P-CYC", samples, CYCLIC),), loads=loads, **more)  # type: ignore[arg-type]


def listed(engine: Path) -> Trace:
    done = subprocess.run([engine], input=encode_list_request(), capture_output=True, check=True, timeout=60)
    return read_trace(done.stdout)


def ran(engine: Path, wanted: RunSpec, folder: Path) -> Trace:
    """The trace of a run in `folder`."""
    done = subprocess.run([engine], input=encode_request(wanted), capture_output=True, cwd=folder, timeout=120)
    return read_trace(done.stdout)


def reports(trace: Trace) -> dict[str, LoadReport]:
    """Of the only test. Skips where the test was not allowed to run."""
    assert trace.why is None, trace.why
    test = trace.tests[0]
    if test.outcome == "not-permitted":
        pytest.skip(f"TMR-P-CYC: {test.reason}")
    assert test.outcome == "done", test.reason
    return {load.name: load for load in test.loads}


def session(leader: int) -> list[int]:
    """The living processes of a session."""
    return list(_processes(lambda _, fields: int(fields[3]) == leader))


def marked(mark: str) -> list[int]:
    """The living processes with `mark` in their environment."""

    def has(process: int, _: list[bytes]) -> bool:
        return mark.encode() in Path(f"/proc/{process}/environ").read_bytes()

    return list(_processes(has))


def _processes(chosen: Callable[[int, list[bytes]], bool]) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] != b"Z" and chosen(int(entry.name), fields):
                    yield int(entry.name)
            except OSError:
                continue


def until(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether `condition` comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
