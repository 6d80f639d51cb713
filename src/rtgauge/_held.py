"""Folders that a process holds for as long as it lives: by a lock on each, which vanishes with the process, however it
ends. What nobody holds any more was left by one that was killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

_RANDOM = "[a-z0-9_]{8}"  # what mkdtemp puts behind the prefix


@contextlib.contextmanager
def held(parent: Path, prefix: str) -> Iterator[Path]:
    """A folder for the block: private, empty, named by the prefix. Those that killed processes left go before. OSError
    where none can be made."""
    sweep(parent, prefix)
    folder, lock = take(lambda: Path(tempfile.mkdtemp(prefix=prefix, dir=parent)).absolute())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def sweep(parent: Path, prefix: str) -> None:
    """Removes the folders of that prefix that are this user's and that nobody holds."""
    ours = re.compile(re.escape(prefix) + _RANDOM)
    try:
        names = [entry.name for entry in os.scandir(parent) if ours.fullmatch(entry.name)]
    except OSError:
        return  # what is wrong with it is said where it is used
    for name in names:
        with contextlib.suppress(OSError), abandoned(parent / name) as handle:
            if os.fstat(handle).st_uid == os.geteuid():
                shutil.rmtree(parent / name, ignore_errors=True)


def take(make: Callable[[], Path]) -> tuple[Path, int]:
    """The folder that `make` makes, and its lock. Somebody may sweep it away before it is locked: then it is made
    again."""
    while True:
        folder = make()
        with contextlib.suppress(FileNotFoundError):
            handle = _opened(folder)
            with contextlib.suppress(OSError):  # file systems without locks: nobody sweeps there either
                fcntl.flock(handle, fcntl.LOCK_EX)  # a sweeper lets go at once
            if _is(folder, handle):
                return folder, handle
            os.close(handle)


@contextlib.contextmanager
def abandoned(folder: Path) -> Iterator[int]:
    """A handle of the folder, which is held for the block. OSError where somebody holds it already."""
    handle = _opened(folder)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield handle
    finally:
        os.close(handle)


def _is(folder: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), folder.stat())
    except FileNotFoundError:
        return False


def _opened(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
