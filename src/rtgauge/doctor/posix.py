"""FreeRTOS's simulator on this machine: what an image is built with, and its sources."""

from __future__ import annotations

from pathlib import Path

from rtgauge.audit import System
from rtgauge.doctor._need import Need
from rtgauge.doctor.lab import compiler_for, freertos
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.lab.systems import simulator


def needs(_system: System, _store: Path) -> list[Need]:
    return [compiler_for(simulator(), "missing"), freertos(Storage(cache_root()), "missing")]
