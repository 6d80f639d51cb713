"""One boot of a guest: request in, trace out, and its end, which comes whatever the guest does.

Nothing goes into the guest after its start, and what comes out costs it no interrupt: when we look, and how often,
changes nothing there. Times are seconds of QEMU's own work, so that a busy host is not taken for a guest that hangs.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rtgauge.errors import TargetError
from rtgauge.lab.analyser import Log, read_log
from rtgauge.lab.machine import FILES, SHARED_BYTES
from rtgauge.lab.plugin import LOG_BYTES
from rtgauge.lab.shared import ENDED, SIZE, TRACE_AT, Header, read_header
from rtgauge.targets import _emulator
from rtgauge.targets._emulator import CONSOLE_MOST, Still, Watch
from rtgauge.targets._process import Exit
from rtgauge.targets.base import Stop

ANALYSER = "analyser"  # the file of its log, where there is one among the contents
SILENT = ", with nothing on the guest's console"  # behind the reason of an end
_OFF = "which switched itself off"
_PIECE = 1 << 18
_INIT = "rtgauge-init: "  # what the first process says: why it ends the guest, ...
_NOTE = f"{_INIT}note: "  # ... or what it goes on without


@dataclass
class Told:
    """What became known about the boots beside the trace."""

    boots_ns: list[int] = field(default_factory=list)  # virtual, from the kernel's begin to ours
    busy_ns: int = 0  # virtual, in which guests that came to their end executed instructions for tests and loads
    lost: int = 0  # bytes of the trace that there was no room for
    console: str = ""  # of the last one that did not end well
    said: list[str] = field(default_factory=list)  # by the first process of each
    modules: list[int] = field(default_factory=list)  # at work in each, as its kernel told it
    loads: list[Header] = field(default_factory=list)  # what a load that is a program did in each
    analyser: list[Log] = field(default_factory=list)  # what was read from outside in each


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
        names = (*FILES, *(name for name in contents if name not in FILES))
        files = {name: stack.enter_context(_memory(name, contents.get(name, b""))) for name in names}
        _enlarge(files["shared"], SHARED_BYTES)
        if ANALYSER in files:
            _enlarge(files[ANALYSER], LOG_BYTES)
        process = _emulator.start(
            words({name: f"/proc/self/fd/{file}" for name, file in files.items()}), tuple(files.values())
        )
        watch.process = process
        try:
            ended = _Conversation(process, files, watch, told, sink, most_bytes).until_end(overdue, stop)
            if ended.status or ended.ours:
                told.console = _emulator.text_of(files["console"])
            return ended
        finally:
            watch.ended()
            _emulator.end(process)
            lines = _emulator.text_of(files["console"]).splitlines()
            told.said += [line.removeprefix(_INIT) for line in lines if line.startswith(_INIT)]
            if ANALYSER in files:
                told.analyser.append(_log(files[ANALYSER]))


class _Conversation:
    def __init__(
        self,
        process: _emulator.Process,
        files: Mapping[str, int],
        watch: Watch,
        told: Told,
        sink: Callable[[bytes], None],
        most_bytes: int,
    ) -> None:
        self.process, self.files, self.watch, self.told = process, files, watch, told
        self.sink, self.left = sink, most_bytes
        self.taken = 0  # bytes of the trace
        self.ours: str | None = None
        self.complaint: str | None = None  # of a QEMU that ended by itself
        self.still = Still(watch.now)

    def until_end(self, overdue: Callable[[], str | None], stop: Stop) -> Exit:
        while self.ours is None:
            gone = self.process.poll() is not None
            header = self._look()
            if header.state == ENDED:
                return self._ended(header)
            if gone:
                self.complaint = _emulator.complaint(self.process)
                how = _how(self.process.returncode, self.complaint, _emulator.text_of(self.files["console"]))
                self.ours = f"was lost with its guest, {how}{self._silent() if how == _OFF else ''}"
            elif stop.asked() is not None:
                self.ours = "was stopped"
            else:
                self.ours = self._too_much() or self._hangs(overdue)
            if self.ours is None:
                _emulator.wait(stop)
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
            self.told.modules.append(header.modules)
        self.told.busy_ns += header.busy_ns
        self.told.lost += header.dropped
        if header.load_begun_ns:
            self.told.loads.append(header)
        if header.dropped and self.ours is None:
            self.ours = f"wrote {header.dropped} bytes of its trace more than there is room for"
        status = header.status if header.state == ENDED else 1
        said = _emulator.complaint(self.process) if self.complaint is None else self.complaint
        return Exit(status, self.ours, said)

    def _hangs(self, overdue: Callable[[], str | None]) -> str | None:
        why = overdue() or self.still.why()
        return f"{why}{self._silent()}" if why else None

    def _silent(self) -> str:
        """Of a guest whose kernel did not come as far as to say anything. With the words of its command line a healthy
        one says nothing either, but its engine does."""
        return "" if self.taken or os.fstat(self.files["console"]).st_size else SILENT

    def _too_much(self) -> str | None:
        if self.left <= 0:
            return "wrote far more than was asked for and was stopped"
        size = os.fstat(self.files["console"]).st_size
        return f"wrote {size >> 20} MiB on its console and was stopped" if size > CONSOLE_MOST else None


def _how(status: int, complaint: str, console: str) -> str:
    """How QEMU ended, in words about the guest."""
    panic = next((line for line in console.splitlines() if "Kernel panic" in line), None)
    if panic:
        return f"which panicked: {panic.partition('Kernel panic - ')[2] or panic}"
    own = next((line for line in console.splitlines() if line.startswith(_INIT) and not line.startswith(_NOTE)), None)
    if own and not status:
        return f"which gave up: {own.removeprefix(_INIT)}"
    sender = _emulator.ended_by(complaint)
    if sender:
        return f"whose emulator was ended from outside by {sender}"
    if not status:
        return _OFF
    said = f" ({_emulator.reason(complaint)})" if _emulator.reason(complaint) else ""
    if status < 0:
        return f"whose emulator was killed by signal {-status}{said}"
    return f"which could not go on: QEMU ended with status {status}{said}"


# ---- files that are memory ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _memory(name: str, content: bytes) -> Iterator[int]:
    """An open file in memory, which nobody has to clean up."""
    try:
        file = os.memfd_create(f"rtgauge-{name}")
    except (AttributeError, OSError) as error:
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            raise TargetError("the lab needs more open files than are allowed: raise ulimit -n") from error
        raise TargetError(f"the lab needs files in memory, which this system does not have ({error})") from error
    try:
        view = memoryview(content)
        try:
            while view:
                view = view[os.write(file, view) :]
        except OSError as error:
            raise _too_large(len(content), error) from error
        yield file
    finally:
        os.close(file)


def _enlarge(file: int, size: int) -> None:
    """Of what is not written no byte takes any memory, but a limit for files counts all of them."""
    try:
        os.ftruncate(file, size)
    except OSError as error:
        raise _too_large(size, error) from error


def _too_large(size: int, error: OSError) -> TargetError:
    way = ": raise ulimit -f" if error.errno == errno.EFBIG else f" ({error.strerror})"
    return TargetError(f"the lab needs a file in memory of {-(-size >> 20)} MiB, which this system refuses{way}")


def _log(file: int) -> Log:
    """Up to where it was written; the rest takes no memory, and reading must not change that."""
    return read_log(os.pread(file, os.fstat(file).st_blocks * 512, 0))
