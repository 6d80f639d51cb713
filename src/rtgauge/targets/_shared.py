"""Named semaphores of an engine that was killed: between making one and taking its name away again there is a moment in
which nobody is left to do the latter."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

SHARED = Path("/dev/shm")  # where Linux keeps them
_OURS = re.compile(r"sem\.rtgauge\.([0-9]+)\.[0-9]+")
_NEW = re.compile(r"sem\.[A-Za-z0-9]{6}")  # the C library's own name for one that it is about to name


def sweep(folder: Path = SHARED) -> None:
    """Removes the semaphores of engines that are no more, and their second names. Others' are never touched: a file
    counts as an engine's when it, or another name of it, says so."""
    try:
        entries = {entry.name: entry.inode() for entry in os.scandir(folder)}
    except OSError:
        return  # there is no such folder on this system
    dead = {name for name in entries if (match := _OURS.fullmatch(name)) and not _lives(int(match[1]))}
    inodes = {entries[name] for name in dead}
    twins = {name for name, inode in entries.items() if inode in inodes and _NEW.fullmatch(name)}
    for name in dead | twins:
        with contextlib.suppress(OSError):
            (folder / name).unlink()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True
