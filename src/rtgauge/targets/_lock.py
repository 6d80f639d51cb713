"""One run on this machine at a time: two would measure each other."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.targets._shared import sweep

NAME = "\0rtgauge-local"
_BUSY = "another run is going on on this machine; two would disturb each other: wait for it to end"


@contextlib.contextmanager
def only_one(engine: Path) -> Iterator[None]:
    """Holds the machine for the block. The lock vanishes with the process, however it ends, and leaves no file."""
    release = _hold_name() or _hold_file(engine)
    try:
        sweep()  # after an engine that was killed together with its host
        yield
    finally:
        release()


def _hold_name() -> Callable[[], None] | None:
    """None where there are no abstract names: they are Linux's own."""
    try:
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except (AttributeError, OSError):
        return None
    try:
        lock.bind(NAME)
    except OSError as error:
        lock.close()
        if error.errno == errno.EADDRINUSE:
            raise TargetError(_BUSY) from None
        return None
    return lock.close


def _hold_file(path: Path) -> Callable[[], None]:
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise TargetError(_BUSY) from None
    return lambda: os.close(handle)
