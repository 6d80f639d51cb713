"""Loads that are programs of this machine, while they run."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rtgauge.errors import TargetError
from rtgauge.loads.base import HostLoad
from rtgauge.model import LoadReport

_GUARD = Path(__file__).with_name("_guard.py")
_START_S, _END_S = 10.0, 10.0


@dataclass
class Reports:
    """Filled in when the loads have ended."""

    loads: list[LoadReport] = field(default_factory=list)


@contextlib.contextmanager
def running(loads: Sequence[HostLoad], cpus: Sequence[int]) -> Iterator[Reports]:
    """Runs the loads on `cpus` during the block. Raises TargetError when one cannot be started."""
    reports = Reports()
    with contextlib.ExitStack() as stack:
        begun = [stack.enter_context(_begun(load, cpus)) for load in loads]
        try:
            yield reports
        finally:
            reports.loads = [one.end() for one in begun]


def cpus_for(where: str, under_test: int, allowed: Sequence[int]) -> tuple[int, ...]:
    """The CPUs that loads may use. `where`: one, all or reserved; `under_test` -1: the last one allowed."""
    cpu = allowed[-1] if under_test < 0 else under_test
    if where == "all":
        return tuple(allowed)
    return (cpu,) if where == "one" else tuple(one for one in allowed if one != cpu)


@dataclass
class _Running:
    load: HostLoad
    args: tuple[str, ...]
    cpus: Sequence[int]
    version: str
    guard: subprocess.Popen[bytes]
    since: float = 0.0

    def started(self) -> None:
        """Returns when the program runs."""
        assert self.guard.stdout is not None
        line = self.guard.stdout.readline()
        if b"started" not in line:
            raise TargetError(f"load {self.load.name}: {self.load.program} cannot be started")
        self.since = time.monotonic()

    def end(self) -> LoadReport:
        took = time.monotonic() - self.since
        try:
            output, _ = self.guard.communicate(timeout=_END_S)  # closes its input, on which it ends
            told = json.loads(output.splitlines()[-1])
        except (subprocess.TimeoutExpired, ValueError, IndexError):
            told = {}
        return _report(self, told, took)


@contextlib.contextmanager
def _begun(load: HostLoad, cpus: Sequence[int]) -> Iterator[_Running]:
    args = load.args(len(cpus))
    words = [sys.executable, "-E", "-S", str(_GUARD), ",".join(map(str, cpus)), "endless" if load.endless else "rounds"]
    with tempfile.TemporaryDirectory(prefix="rtgauge-load.") as folder:
        try:
            guard = subprocess.Popen(
                [*words, load.program, *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,  # a line is read, and the rest by another call
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            what = f"{sys.executable}, which watches over it, cannot be started: {error.strerror}"
            raise TargetError(f"load {load.name}: {what}") from None
        try:
            one = _Running(load, args, cpus, load.version_line(), guard)
            one.started()
            yield one
        finally:
            _close(guard)


def _close(guard: subprocess.Popen[bytes]) -> None:
    for file in (guard.stdin, guard.stdout):
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
    try:
        guard.wait(_END_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            os.killpg(guard.pid, 9)
        guard.wait()


def _report(one: _Running, told: Mapping[str, Any], took: float) -> LoadReport:
    where = f"{' '.join(one.args)} on CPU {', '.join(map(str, one.cpus))}"
    return report(one.load, where, one.version, told, took)


def report(load: HostLoad, args: str, version: str, told: Mapping[str, Any], took: float) -> LoadReport:
    """What a program did in `took` seconds. `told`: rounds, output, status and cpus as far as they are known; empty
    when whoever watched over it said nothing."""
    output, status, rounds = str(told.get("output", "")), told.get("status"), int(told.get("rounds", 0))
    done = rounds * load.count(output)
    notes = []
    if status:
        notes.append(f"it ended with status {status}: {_last_line(output)}")
    elif not told or (load.endless and not done):
        notes.append("it did not say what it did")
    elif not done:
        notes.append("not one round of it came to its end")
    if "cpus" in told:
        notes.append(f"{float(told['cpus']):.2f} CPUs used, over the whole run")
    return LoadReport(
        name=load.name,
        implementation=load.program,
        version=version,
        args=args,
        unit=load.unit,
        wanted=0,
        achieved=round(done / took) if took > 0 else 0,
        exposure_ns=round(took * 1e9),
        reached=bool(done) and not status,
        note="; ".join(notes) or None,
    )


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1][:200] if lines else "no output"
