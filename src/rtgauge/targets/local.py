"""This machine: the engine as a process beside us, one at a time."""

from __future__ import annotations

import os
from pathlib import Path

from rtgauge.errors import UsageError
from rtgauge.targets._engine import EngineTarget, find_engine
from rtgauge.targets._lock import only_one

SUMMARY = "this machine"
EXAMPLE = "local"


def open_target(rest: str, _store: Path) -> EngineTarget:
    if rest:
        raise UsageError(f"target local takes no address, got {rest!r}")
    return EngineTarget("local", engine, lock=only_one, this_machine=True, cpus=_cpus)


def engine() -> Path:
    """The engine of this machine: $RTGAUGE_ENGINE, else the installed one, else the installed static one."""
    named = os.environ.get("RTGAUGE_ENGINE")
    return Path(named).absolute() if named else find_engine("rtgauge-engine", "rtgauge-engine-static")


def _cpus() -> tuple[int, ...]:
    return tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()
