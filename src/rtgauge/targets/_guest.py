"""One boot of a guest: request in, trace out, and its end, which comes whatever the guest does.

Nothing goes into the guest after its start, and what comes out costs it no interrupt: when we look, and how often,
changes nothing there. Times are seconds of QEMU's own work, so that a busy host is not taken for a guest that hangs.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from rtgauge.errors import TargetError
from rtgauge.lab.machine import FILES, SHARED_BYTES
from rtgauge.lab.shared import ENDED, SIZE, TRACE_AT, Header, read_header
from rtgauge.targets._process import Exit
from rtgauge.targets.base import Stop

LOOK_S = 0.02
STILL_S = 30.0  # a guest that takes no time of a processor for so long waits for nothing any more
CONSOLE_MOST = 16 << 20  # bytes; a guest that writes more is out of its mind
TAIL_LINES = 12  # of the console, in the log
_PIECE = 1 << 18
_INIT = "rtgauge-init: "  # what the first process says of its end
_PR_SET_PDEATHSIG = 1


@dataclass
class Watch:
    """The clock of a guest: seconds of processor time that its emulator has taken."""

    process: subprocess.Popen[bytes] | None = None
    before: float = 0.0  # of those that ended

    def now(self) -> float:
        return self.before + (_worked(self.process.pid) if self.process else 0.0)

    def ended(self) -> None:
        """To be called before the process is waited for: then nobody knows what it took."""
        self.before, self.process = self.now(), None


@dataclass
class Told:
    """What became known about the boots beside the trace."""

    boots_ns: list[int] = field(default_factory=list)  # virtual, from the kernel's begin to ours
    lost: int = 0  # bytes of the trace that there was no room for
    console: str = ""  # of the last one
    loads: list[Header] = field(default_factory=list)  # what a load that is a program did in each


def converse(
    words: Callable[[Mapping[str, str]], Sequence[str]],
    contents: Mapping[str, bytes],
    watch: Watch,
    told: Told,
    sink: Callable[[bytes], None],
    overdue: Callable[[], str | None],
    stop: Stop,
    most_bytes: int,
) -> Exit:
    """Boots the guest that `words` describe, which get the paths of FILES, and gives its trace to `sink` until its
    engine has ended. `contents`: of the files that it reads. Raises TargetError when QEMU cannot be started, and what
    `sink` raises."""
    with contextlib.ExitStack() as stack:
        files = {name: stack.enter_context(_memory(name, contents.get(name, b""))) for name in FILES}
        os.ftruncate(files["shared"], SHARED_BYTES)
        process = _start(words({name: f"/proc/self/fd/{file}" for name, file in files.items()}), files)
        watch.process = process
        try:
            return _Conversation(process, files, watch, told, sink, most_bytes).until_end(overdue, stop)
        finally:
            watch.ended()
            _end(process)
            told.console = _text(files["console"])


class _Conversation:
    def __init__(
        self,
        process: subprocess.Popen[bytes],
        files: Mapping[str, int],
        watch: Watch,
        told: Told,
        sink: Callable[[bytes], None],
        most_bytes: int,
    ) -> None:
        assert process.stderr is not None
        self.process, self.files, self.watch, self.told = process, files, watch, told
        self.sink, self.left, self.stderr = sink, most_bytes, process.stderr
        self.taken = 0  # bytes of the trace
        self.ours: str | None = None
        self.still = Still(watch.now)

    def until_end(self, overdue: Callable[[], str | None], stop: Stop) -> Exit:
        while self.ours is None:
            gone = self.process.poll() is not None
            header = self._look()
            if header.state == ENDED:
                return self._ended(header)
            if gone:
                self.ours = f"was lost with its guest, which {_how(self.process, self._console())}"
            elif stop.asked() is not None:
                self.ours = "was stopped"
            else:
                self.ours = self._too_much() or overdue() or self.still.why()
            if self.ours is None:
                _wait(stop)
        return self._ended(read_header(os.pread(self.files["shared"], SIZE, 0), SHARED_BYTES))

    def _look(self) -> Header:
        """Takes what there is of the trace."""
        header = read_header(os.pread(self.files["shared"], SIZE, 0), SHARED_BYTES)
        while self.taken < header.tail and self.left > 0:
            piece = os.pread(self.files["shared"], min(_PIECE, header.tail - self.taken), TRACE_AT + self.taken)
            self.taken += len(piece)
            self.left -= len(piece)
            self.sink(piece)
        return header

    def _ended(self, header: Header) -> Exit:
        if header.begun_ns:
            self.told.boots_ns.append(header.begun_ns)
        self.told.lost += header.dropped
        if header.load_begun_ns:
            self.told.loads.append(header)
        if header.dropped and self.ours is None:
            self.ours = f"wrote {header.dropped} bytes of its trace more than there is room for"
        status = header.status if header.state == ENDED else 1
        return Exit(status, self.ours, _ready(self.stderr))

    def _too_much(self) -> str | None:
        if self.left <= 0:
            return "wrote far more than was asked for and was stopped"
        size = os.fstat(self.files["console"]).st_size
        return f"wrote {size >> 20} MiB on its console and was stopped" if size > CONSOLE_MOST else None

    def _console(self) -> str:
        return _text(self.files["console"])


@dataclass
class Still:
    """Whether a guest waits for nothing: its emulator takes no time at all."""

    worked: Callable[[], float]
    at: float = 0.0
    since: float = field(default_factory=time.monotonic)

    def why(self) -> str | None:
        worked, now = self.worked(), time.monotonic()
        if worked > self.at + 0.02:
            self.at, self.since = worked, now
        return f"stood still for {STILL_S:.0f} s with its guest" if now - self.since > STILL_S else None


# ---- the process -----------------------------------------------------------------------------------------------------


def _start(words: Sequence[str], files: Mapping[str, int]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=tuple(files.values()),
            start_new_session=True,
            preexec_fn=_die_with_us,
        )
    except OSError as error:
        raise TargetError(f"cannot start {words[0]}: {error.strerror}") from error


def _die_with_us() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:
        process.kill()
        process.wait()
    if process.stderr is not None:
        process.stderr.close()


def _wait(stop: Stop) -> None:
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


def _how(process: subprocess.Popen[bytes], console: str) -> str:
    """How QEMU ended, in words about the guest."""
    status = process.returncode
    panic = next((line for line in console.splitlines() if "Kernel panic" in line), None)
    if panic:
        return f"panicked: {panic.partition('Kernel panic - ')[2] or panic}"
    own = next((line for line in console.splitlines() if line.startswith(_INIT)), None)
    if own and not status:
        return f"gave up: {own.removeprefix(_INIT)}"
    if status and status < 0:
        return f"was killed by signal {-status}"
    return f"could not go on: QEMU ended with status {status}" if status else "switched itself off"


# ---- files that are memory ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _memory(name: str, content: bytes) -> Iterator[int]:
    """An open file in memory, which nobody has to clean up."""
    try:
        file = os.memfd_create(f"rtgauge-{name}")
    except (AttributeError, OSError) as error:
        raise TargetError(f"the lab needs files in memory, which this system does not have ({error})") from error
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(file, view) :]
        yield file
    finally:
        os.close(file)


def _text(console: int) -> str:
    """The end of what the guest wrote on its console."""
    size = os.fstat(console).st_size
    least = max(0, size - (1 << 16))
    return os.pread(console, size - least, least).decode("utf-8", "replace").replace("\r", "")


def _ready(file: IO[bytes]) -> str:
    """What QEMU has written on its standard error."""
    if not select.select([file], [], [], 0)[0]:
        return ""
    return os.read(file.fileno(), 1 << 16).decode("utf-8", "replace")
