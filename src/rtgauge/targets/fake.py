"""The engine on a fake operating system in virtual time: needs no privilege, gives the same figures each time."""

from __future__ import annotations

from pathlib import Path

from rtgauge.errors import UsageError
from rtgauge.targets._engine import EngineTarget, find_engine

SUMMARY = "the engine on a scripted fake system, in virtual time"
EXAMPLE = "fake"


def open_target(rest: str, _store: Path) -> EngineTarget:
    if rest:
        raise UsageError(f"target fake takes no address, got {rest!r}")
    return EngineTarget("fake", lambda: find_engine("rtgauge-engine-fake"), exact=True)
