"""The virtual lab: a system in an emulator whose clock counts instructions. No privilege, no board, and figures that
are the same in each run, on any host."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rtgauge.lab.address import parse
from rtgauge.lab.systems import FREERTOS

if TYPE_CHECKING:
    from rtgauge.targets.base import Target

SUMMARY = "a Linux kernel, or FreeRTOS on a board, in exact virtual time, in QEMU"
EXAMPLE = "lab:linux-rt"


def open_target(rest: str, _store: Path) -> Target:
    address = parse(rest)
    if address.system.os == FREERTOS:
        from rtgauge.targets._lab_board import BoardTarget

        return BoardTarget(address)
    from rtgauge.targets._lab_guest import GuestTarget

    return GuestTarget(address)
