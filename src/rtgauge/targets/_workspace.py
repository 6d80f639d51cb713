"""The folder in which an engine works with files: private, empty, and gone after the run, also after a kill.

It lies in the folder that the user names, is the engine's working directory, and has a name by which the engine knows
that it may work there: an engine that was started elsewhere touches no file.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rtgauge.errors import TargetError, UsageError

PREFIX = "rtgauge-work."  # also in engine/ports/posix/files.c
_OURS = re.compile(re.escape(PREFIX) + "[a-z0-9_]{8}")
_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextlib.contextmanager
def workspace(parent: Path) -> Iterator[Path]:
    """A folder in `parent` for the block. Raises UsageError where none can be made, TargetError where the file system
    is full."""
    sweep(parent)
    folder, lock = _make(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def empty(folder: Path) -> None:
    """Takes away what an engine that died left in its folder."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                Path(entry.path).unlink()


def sweep(parent: Path) -> None:
    """Removes the folders of runs that were killed: those that are ours and that nobody holds."""
    try:
        names = [entry.name for entry in os.scandir(parent) if _OURS.fullmatch(entry.name)]
    except OSError:
        return  # what is wrong with it is said where it is used
    for name in names:
        with contextlib.suppress(OSError), _opened(parent / name) as handle:
            if os.fstat(handle).st_uid == os.geteuid():
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held for as long as its run lives
                shutil.rmtree(parent / name, ignore_errors=True)


def _make(parent: Path) -> tuple[Path, int]:
    """The folder and its lock. Another run may sweep it away before it is locked: then it is made again."""
    try:
        while True:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent)).absolute()
            try:
                handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
                with contextlib.suppress(OSError):  # file systems without locks
                    fcntl.flock(handle, fcntl.LOCK_EX)
                if os.path.samestat(os.fstat(handle), folder.stat()):
                    return folder, handle
                os.close(handle)
            except FileNotFoundError:
                continue
    except OSError as error:
        what = f"no files can be made in {parent}: {error.strerror}; --directory DIR names another folder"
        raise (TargetError if error.errno in _FULL else UsageError)(what) from error


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)
