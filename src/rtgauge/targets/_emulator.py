"""An emulator as a process: how it is started, watched and ended, whatever runs in it.

It dies with us. Times are seconds of its own work, so that a busy host is not taken for a system that hangs.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.targets.base import Stop

LOOK_S = 0.02
STILL_S = 30.0  # what takes no time of a processor for so long waits for nothing any more
CONSOLE_MOST = 16 << 20  # bytes; what writes more is out of its mind
TAIL_LINES = 12  # of the console, in the log
TROUBLE_LINES = 200  # the same from the first line on in which a kernel says that it is lost
_TEXT = 1 << 16
_SAID_MOST = 200  # characters of QEMU's own reason
_TROUBLE = re.compile(r"Kernel panic|\bBUG\b|Oops|Unable to handle|Internal error|general protection fault")
_ENDED_BY = re.compile(r"terminating on signal (\d+)(?: from pid (\d+)(?: \(([^<]*)\))?)?")
_PR_SET_PDEATHSIG = 1
Process = subprocess.Popen[bytes]


@dataclass
class Watch:
    """The clock of a run: seconds of processor time that its emulator has taken."""

    process: Process | None = None
    before: float = 0.0  # of those that ended

    def now(self) -> float:
        return self.before + (_worked(self.process.pid) if self.process else 0.0)

    def ended(self) -> None:
        """To be called before the process is waited for: then nobody knows what it took."""
        self.before, self.process = self.now(), None


@dataclass
class Still:
    """Whether a system waits for nothing: its emulator takes no time at all."""

    worked: Callable[[], float]
    at: float = 0.0
    since: float = field(default_factory=time.monotonic)

    def why(self) -> str | None:
        worked, now = self.worked(), time.monotonic()
        if worked > self.at + 0.02:
            self.at, self.since = worked, now
        return f"stood still for {STILL_S:.0f} s with its guest" if now - self.since > STILL_S else None


def start(words: Sequence[str], files: Sequence[int] = (), folder: Path | None = None) -> Process:
    """`files`: open ones that it gets. `folder`: in which it works; None: ours. TargetError where it cannot be."""
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            pass_fds=tuple(files),
            start_new_session=True,
            preexec_fn=_die_with_us,
        )
    except OSError as error:
        raise TargetError(f"cannot start {words[0]}: {error.strerror}") from error


def _die_with_us() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        process.wait()
    if process.stderr is not None:
        process.stderr.close()


def wait(stop: Stop) -> None:
    """Until the next look."""
    if stop.fd is None:
        time.sleep(LOOK_S)
    else:
        select.select([stop.fd], [], [], LOOK_S)


def _worked(pid: int) -> float:
    """Seconds of processor time that a process has taken; of one that ended, 0."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - a line of a system file
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0


def text_of(console: int) -> str:
    """The end of what is in a file that a system writes for people."""
    size = os.fstat(console).st_size
    least = max(0, size - _TEXT)
    return os.pread(console, size - least, least).decode("utf-8", "replace").replace("\r", "")


def telling(console: str) -> list[str]:
    """The lines of a console that say why it went wrong: those around the first one about it, else the last ones."""
    lines = [line for line in console.splitlines() if line.strip()]
    first = next((at for at, line in enumerate(lines) if _TROUBLE.search(line)), None)
    return lines[-TAIL_LINES:] if first is None else lines[max(0, first - TAIL_LINES) : first + TROUBLE_LINES]


def reason(complaint: str) -> str:
    """The last thing that an emulator, or another program, said on its standard error, as one line of plain text; empty
    where it said nothing."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    said = re.sub(r"^\S*qemu-system-\S+: ", "", lines[-1]) if lines else ""
    return "".join(one if one.isprintable() else " " for one in said)[:_SAID_MOST]


def ended_by(complaint: str) -> str | None:
    """Who ended the emulator by a signal that it takes for an order, which then ends without an error."""
    found = _ENDED_BY.search(complaint)
    if not found:
        return None
    number, pid, name = found.groups()
    sender = f" of process {pid}" if pid else ""
    called = f" ({''.join(one for one in name if one.isprintable())[:40]})" if name else ""
    return f"signal {number}{sender}{called}"


def complaint(process: Process) -> str:
    """What the emulator has written on its standard error."""
    if process.stderr is None or not select.select([process.stderr], [], [], 0)[0]:
        return ""
    return os.read(process.stderr.fileno(), _TEXT).decode("utf-8", "replace")
