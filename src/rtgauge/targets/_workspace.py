"""The folder in which an engine works with files: private, empty, and gone after the run, also after a kill.

It lies in the folder that the user names, is the engine's working directory, and has a name by which the engine knows
that it may work there: an engine that was started elsewhere touches no file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from rtgauge._held import held
from rtgauge.errors import TargetError, UsageError

PREFIX = "rtgauge-work."  # also in engine/ports/posix/files.c
_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextlib.contextmanager
def workspace(parent: Path, option: str = "--directory DIR") -> Iterator[Path]:
    """A folder in `parent`, which `option` names, for the block. Raises UsageError where none can be made, TargetError
    where the file system is full."""
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(held(parent, PREFIX))
        except OSError as error:
            what = f"no files can be made in {parent}: {error.strerror}; {option} names another folder"
            raise (TargetError if error.errno in _FULL else UsageError)(what) from error
        yield folder


def empty(folder: Path) -> None:
    """Takes away what an engine that died left in its folder."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                Path(entry.path).unlink()
