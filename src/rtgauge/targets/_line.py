"""A serial device: held by one program at a time, opened, and its errors in one line each."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rtgauge.errors import TargetError

LOOK_S = 0.02  # the longest that a reader waits for the next byte
_WRITE_S = 5.0  # a line that takes nothing for so long is gone
_MOST = 1 << 16
_LOCKS = (Path("/var/lock"), Path("/run/lock"))  # where terminal programs leave a file with their process number
_SHOWN = 8


class Gone(Exception):  # noqa: N818 - no error of ours
    """The device does not answer any more; the text goes on from "the engine "."""


@contextlib.contextmanager
def held(path: str) -> Iterator[None]:
    """Keeps the device for the block. TargetError where it is missing, forbidden, no serial line, or in use."""
    try:
        import fcntl
    except ImportError:  # where there is none the system lets nobody open it twice
        yield
        return
    try:
        file = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError as error:
        raise TargetError(_why_not(path, error)) from error
    try:
        if not os.isatty(file):
            raise TargetError(f"{path} is not a serial line")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TargetError(_busy(path)) from None
        if users(path):
            raise TargetError(_busy(path))
        yield
    finally:
        os.close(file)


class Line:
    """An open device. Its calls raise Gone when it vanishes."""

    def __init__(self, path: str, baud: int) -> None:
        """Inside of `held` only. Raises TargetError."""
        import serial

        self._path = path
        try:
            self._port: Any = serial.Serial(path, baud, timeout=LOOK_S, write_timeout=_WRITE_S)
            self._port.reset_input_buffer()
        except ValueError as error:
            raise TargetError(f"{path} cannot do {baud} baud: {error}") from error
        except OSError as error:
            raise TargetError(_why_not(path, error)) from error
        self._alone(True)

    def read(self) -> bytes:
        """What has come, at least what comes within LOOK_S."""
        try:
            first: bytes = self._port.read(1)
            return first + self._port.read(min(self._port.in_waiting, _MOST)) if first else b""
        except (OSError, TypeError) as error:  # TypeError: a device that was closed under our hands
            raise Gone(self._vanished()) from error

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except OSError as error:
            raise Gone(self._vanished()) from error

    def close(self) -> None:
        self._alone(False)
        with contextlib.suppress(OSError):
            self._port.close()

    def _vanished(self) -> str:
        if Path(self._path).exists():
            return f"was lost: {self._path} does not work any more"
        return f"was lost: {self._path} is gone"

    def _alone(self, wanted: bool) -> None:
        """Others cannot open it meanwhile, where the system knows such a thing."""
        with contextlib.suppress(ImportError, AttributeError, OSError):
            import fcntl
            import termios

            fcntl.ioctl(self._port.fileno(), termios.TIOCEXCL if wanted else termios.TIOCNXCL)


def users(path: str) -> list[str]:
    """Other programs that have the device open or have left a lock for it, as far as they can be seen."""
    found = {pid for pid in _openers(os.path.realpath(path)) | _lockers(path) if pid != os.getpid()}
    return sorted(f"{_name(pid)} (process {pid})" for pid in found)


def _openers(device: str) -> set[int]:
    found: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*/fd"):
        with contextlib.suppress(OSError):
            for entry in folder.iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(entry) == device:  # noqa: PTH115 - a text, and quickly
                        found.add(int(folder.parent.name))
    return found


def _lockers(path: str) -> set[int]:
    found: set[int] = set()
    for folder in _LOCKS:
        with contextlib.suppress(OSError):
            text = (folder / f"LCK..{Path(path).name}").read_text("ascii", "replace")
            if (number := re.match(r"\s*([0-9]{1,9})", text)) and Path(f"/proc/{number[1]}").exists():
                found.add(int(number[1]))
    return found


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip() or "a program"
    except OSError:
        return "a program"


def _busy(path: str) -> str:
    others = ", ".join(users(path))
    return f"{path} is in use by {others}" if others else f"{path} is in use by another program"


def _why_not(path: str, error: OSError) -> str:
    if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR):
        there = lines()[:_SHOWN]
        return f"there is no {path}; serial lines here: {', '.join(there) if there else 'none'}"
    if error.errno in (errno.EACCES, errno.EPERM):
        group = group_of(path)
        return f"no permission for {path}{f': it is for the group {group}; {joining(group)}' if group else ''}"
    if error.errno in (errno.EBUSY, errno.EAGAIN):
        return _busy(path)
    if error.errno in (errno.EISDIR, errno.ENOTTY, errno.EINVAL):
        return f"{path} is not a serial line"
    return f"cannot open {path}: {error.strerror or error}"


def lines() -> list[str]:
    """The serial devices of this machine that have hardware behind them, as far as it can be told."""
    try:
        from serial.tools.list_ports import comports

        return sorted(port.device for port in comports())
    except Exception:  # only a help; each system has a way of its own to fail here
        return []


def group_of(path: str) -> str | None:
    """The group that may use the device, where there is one beside root's."""
    try:
        import grp

        group = grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (ImportError, KeyError, OSError):
        return None
    return None if group == "root" else group


def joining(group: str) -> str:
    return f"sudo usermod -aG {group} $USER, then log in again"
