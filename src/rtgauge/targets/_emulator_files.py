"""The files that QEMU consists of on this machine, by their content: its program, and what it loads for a machine. Each
is read once in a process."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.systems import Board

FIRMWARE: Mapping[str, tuple[str, ...]] = {
    "q35": ("bios-256k.bin", "kvmvapic.bin", "linuxboot_dma.bin", "pvh.bin"),
}
"""What the guest executes before its kernel, of each kind of machine: what is not here has none, or is told not to."""
_MODULES = ("lib/qemu", "lib64/qemu", "lib/*/qemu")  # where the program lies in `bin`
_ANSWER_S = 30.0


def version(emulator: str) -> str:
    """The first line that QEMU says of itself."""
    lines = _says(emulator, "--version").splitlines()
    return lines[0].strip()[:200] if lines else ""


def emulator_files(emulator: str, board: Board) -> str | None:
    """`NAME:SHA256 ...` of the firmware and of the accelerator's module, where it is none that the program holds. A
    firmware that was not found is `NAME:unknown`; where there are no such files, None."""
    firmware = FIRMWARE.get(board.machine.partition(",")[0], ())
    folders = [Path(line.strip()) for line in _says(emulator, "-L", "help").splitlines()] if firmware else []
    found = {name: _first(folder / name for folder in folders) for name in firmware}
    module = f"accel-tcg-{board.program.removeprefix('qemu-system-')}.so"
    accelerator = _first(folder / module for folder in _module_folders(Path(emulator)))
    if accelerator is not None:
        found[module] = accelerator
    return " ".join(f"{name}:{file_hash(path) if path else 'unknown'}" for name, path in sorted(found.items())) or None


def file_hash(path: Path) -> str:
    """SHA-256. TargetError where it cannot be read."""
    try:
        about = path.stat()
        return _hash(path, about.st_size, about.st_mtime_ns)
    except OSError as error:
        raise TargetError(f"cannot read {path}: {error.strerror}") from error


@lru_cache(maxsize=64)
def _hash(path: Path, _size: int, _changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _says(emulator: str, *words: str) -> str:
    try:
        about = Path(emulator).stat()
        return _answer(emulator, words, about.st_size, about.st_mtime_ns)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TargetError(f"cannot start {emulator}: {error}") from error


@lru_cache(maxsize=64)
def _answer(emulator: str, words: tuple[str, ...], _size: int, _changed: int) -> str:
    done = subprocess.run([emulator, *words], capture_output=True, text=True, timeout=_ANSWER_S, check=False)
    return done.stdout


def _module_folders(emulator: Path) -> Iterator[Path]:
    """In the order in which QEMU looks."""
    named = os.environ.get("QEMU_MODULE_DIR")
    if named:
        yield Path(named)
    for pattern in _MODULES:
        yield from sorted(emulator.parent.parent.glob(pattern))


def _first(paths: Iterator[Path]) -> Path | None:
    return next((path for path in paths if path.is_file()), None)
