"""The virtual lab: emulators, the engine for their guests, and kernels. No privilege, and nothing is fetched here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from rtgauge.audit import System
from rtgauge.doctor._need import Need
from rtgauge.errors import RtgaugeError
from rtgauge.lab.address import Address, parse
from rtgauge.lab.kernels import is_there
from rtgauge.lab.packages import TOOLS
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.lab.systems import FREERTOS, LINUX, Board, lab


def needs(_system: System, _store: Path) -> list[Need]:
    boards, storage = list(lab().boards.values()), Storage(cache_root())
    found = [_emulator(board, boards) for board in boards]
    found += [_engine(board, boards) for board in _with(LINUX)]
    return [*found, _kernels(storage), *map(compiler_for, _with(FREERTOS)), freertos(storage)]


def _with(system: str) -> list[Board]:
    """Boards on which a system of that OS runs."""
    names = {name for one in lab().systems.values() if one.os == system for name in one.boards}
    return [board for board in lab().boards.values() if board.name in names]


def compiler_for(board: Board, lacking: Literal["missing", "note"] = "note") -> Need:
    from rtgauge.lab.freertos.tools import compiler_of

    name = f"compiler for images ({board.name})"
    try:
        return Need(name, "ok", compiler_of(board.compiler, board.compiler_package).version)
    except RtgaugeError as error:
        what, _, packages = str(error).partition("; install ")
        fix = f"sudo apt-get install --no-install-recommends {packages}"
        return Need(name, lacking, what.removeprefix("no image can be built: "), fix)


def freertos(storage: Storage, lacking: Literal["missing", "note"] = "note") -> Need:
    from rtgauge.lab.freertos.crate import ORIGIN, PACKAGE, is_there

    name = "FreeRTOS"
    if is_there(storage):
        return Need(name, "ok", f"{ORIGIN}, in {storage.root}")
    if shutil.which("cargo"):
        return Need(name, "ok", f"{ORIGIN}, which cargo fetches when it is first used, 1.4 MB")
    fix = f"sudo apt-get install --no-install-recommends {PACKAGE}, or --freertos-kernel DIR: a tree of yours"
    return Need(name, lacking, "no cargo to fetch it", fix)


def _lacking(board: Board, boards: list[Board], name: str, found: str, fix: str = "") -> Need:
    """The first board is enough; without another there are fewer systems."""
    return Need(name, "missing" if board is boards[0] else "note", found, fix)


def _emulator(board: Board, boards: list[Board]) -> Need:
    from rtgauge.targets._emulator_files import version

    name = f"emulator ({board.name})"
    path = shutil.which(board.program)
    if path is None:
        fix = f"sudo apt-get install --no-install-recommends {board.package}"
        return _lacking(board, boards, name, f"no {board.program}", fix)
    try:
        return Need(name, "ok", f"{version(path)}, {path}")
    except RtgaugeError as error:
        return _lacking(board, boards, name, str(error))


def _engine(board: Board, boards: list[Board]) -> Need:
    from rtgauge.targets._lab_guest import ENGINE, INIT, guest_program

    name = f"engine for guests ({board.arch})"
    try:
        path = guest_program(board.arch, ENGINE)
        guest_program(board.arch, INIT)
    except RtgaugeError as error:
        return _lacking(board, boards, name, str(error))
    return Need(name, "ok", str(path))


def _kernels(storage: Storage) -> Need:
    name = "kernels"
    every = list(dict.fromkeys(_guests()))
    have = [one for one in every if is_there(storage, one)]
    told = f"{len(have)} of {len(every)} systems have theirs in {storage.root}"
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if len(have) == len(every):
        return Need(name, "ok", told)
    if missing:
        return Need(name, "note", f"{told}; {', '.join(missing)} missing to fetch more", "--kernel FILE: one of yours")
    return Need(name, "ok", f"{told}; others are fetched when they are first used, about 100 MB each")


def _guests() -> Iterator[Address]:
    """One address for each system on each board that has a kernel of the distribution."""
    for system in lab().systems.values():
        if system.kernel:
            yield from (parse(f"{system.name}@{board}") for board in system.boards)
