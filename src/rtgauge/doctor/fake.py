"""The fake target: the engine on a scripted system in virtual time. It needs no privilege."""

from __future__ import annotations

from pathlib import Path

from rtgauge.audit import System
from rtgauge.doctor._engine import runs
from rtgauge.doctor._need import Need


def needs(_system: System, _store: Path) -> list[Need]:
    return [runs("fake")]
