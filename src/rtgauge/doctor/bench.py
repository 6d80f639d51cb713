"""What the benchmarks against other tools need; nothing else uses it."""

from __future__ import annotations

import shutil
from pathlib import Path

from rtgauge.audit import System
from rtgauge.doctor._need import Need


def needs(_system: System, _store: Path) -> list[Need]:
    path = shutil.which("cyclictest")
    if path:
        return [Need("cyclictest", "ok", path)]
    return [
        Need("cyclictest", "note", "not found: bench/run.py leaves out its comparison", "sudo apt install rt-tests")
    ]
