"""Programs of the machine that the lab calls."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rtgauge.errors import TargetError

LOOK_S = 1.0  # so often we look whether a program that runs still can come to its end
_GONE_S = 2.0  # until programs that were told to end have gone
_PR_SET_PDEATHSIG = 1
_KNOWN = ("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LD_LIBRARY_PATH")


def finished(
    words: Sequence[str],
    within_s: float,
    late: str,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
    hopeless: Callable[[], str | None] = lambda: None,
) -> subprocess.CompletedProcess[str]:
    """A program that has ended, whatever its status, with what it said. TargetError, which says `late`, where it has
    not within so many seconds; and where `hopeless`, which is asked each second, says why it never will. Then, and when
    an exception passes, it is ended with all that it started: what they work on is about to be removed."""
    with subprocess.Popen(
        words,
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=_die_with_us,
    ) as process:
        try:
            out, err = _ended(process, within_s, hopeless)
        except BaseException as error:
            _end(process)
            if isinstance(error, subprocess.TimeoutExpired):
                raise TargetError(late) from None
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def _ended(process: subprocess.Popen[str], within_s: float, hopeless: Callable[[], str | None]) -> tuple[str, str]:
    """What it said until its end."""
    until = time.monotonic() + within_s
    while True:
        left = until - time.monotonic()
        try:
            return process.communicate(timeout=max(0.0, min(left, LOOK_S)))
        except subprocess.TimeoutExpired:
            if left <= LOOK_S:
                raise
        if why := hopeless():
            raise TargetError(why)


def _die_with_us() -> None:
    """When we are killed, and our locks are free again, at least the program itself must not go on."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _end(process: subprocess.Popen[str]) -> None:
    """Also what it started: that holds its pipes open. First in a way that lets it end its own, for ninja gives each
    compiler a group of its own; then by force, at once when the user is out of patience."""
    try:
        _signal(process, signal.SIGTERM)
        process.communicate(timeout=_GONE_S)
    except BaseException as error:
        _signal(process, signal.SIGKILL)
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_GONE_S)


def _signal(process: subprocess.Popen[str], number: int) -> None:
    """To its group, whose number is nobody else's while any of it lives."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def plain_environ(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a build may know of the environment. Compilers, cmake and make take flags, folders of headers and whole
    programs out of dozens of variables, none of which is part of the name under which the outcome is kept."""
    return {**{name: environ[name] for name in _KNOWN if name in environ}, "LC_ALL": "C"}
