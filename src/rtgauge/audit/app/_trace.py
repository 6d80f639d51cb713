"""A private instance of the kernel's event tracing: no other session is touched, and nothing stays behind."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PLACES = (Path("/sys/kernel/tracing"), Path("/sys/kernel/debug/tracing"))
EVENTS = ("syscalls", "exceptions/page_fault_user", "task/task_newtask", "signal/signal_deliver", "sched/sched_switch")
NEEDED = ("syscalls", "sched/sched_switch")
TOTAL_KIB = 16384  # of all processors' buffers
MOST_KIB = 2048  # of one processor
PREFIX = "rtgauge-app-"
INITIAL_NAMESPACE = "pid:[4026531836]"  # the kernel's own number: events name threads as this one does


class NoTraceError(Exception):
    """Events cannot be had; the words say why."""


class Session:
    """Events of some threads and of those that they start."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, tids: list[int]) -> None:
        """Raises NoTraceError."""
        kib = max(64, min(MOST_KIB, TOTAL_KIB // (os.cpu_count() or 1)))
        try:
            self._write("tracing_on", "0")
            self._write("buffer_size_kb", str(kib))
            self._write("trace_clock", "mono")
            self._write("options/overwrite", "0")  # a full buffer keeps the beginning without gaps
            self._write("options/event-fork", "1")
            self._write("set_event_pid", " ".join(map(str, tids)))
        except OSError as error:
            raise NoTraceError(f"the kernel's event tracing refuses: {error.strerror}") from None
        for event in EVENTS:
            try:
                self._write(f"events/{event}/enable", "1")
            except OSError:
                if event in NEEDED:
                    raise NoTraceError(f"this kernel offers no events {event}") from None
        with contextlib.suppress(OSError):  # without it, lines name each thread; only its number is used
            self._write("options/record-cmd", "0")
        self._write("tracing_on", "1")

    def stop(self) -> tuple[str, int]:
        """The text of the events and the number of those lost."""
        self._write("tracing_on", "0")
        self._write("events/enable", "0")
        text = (self.folder / "trace").read_text("utf-8", "replace")
        return text, sum(_lost(path.read_text("utf-8", "replace")) for path in self.folder.glob("per_cpu/cpu*/stats"))

    def _write(self, name: str, value: str) -> None:
        handle = os.open(self.folder / name, os.O_WRONLY)  # never creates a file
        try:
            os.write(handle, value.encode())
        finally:
            os.close(handle)


@contextlib.contextmanager
def session() -> Iterator[Session]:
    """Raises NoTraceError where there is no tracing, or it is not allowed."""
    if Path("/proc/self/ns/pid").readlink() != Path(INITIAL_NAMESPACE):
        raise NoTraceError("in a container: the kernel's events name other process numbers")
    base = next((place for place in PLACES if (place / "instances").is_dir()), None) if _allowed() else None
    if base is None:
        raise NoTraceError(
            "only root may use the kernel's event tracing"
            if os.geteuid()
            else "tracefs is not mounted or has no instances"
        )
    _sweep(base)
    folder = base / "instances" / f"{PREFIX}{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        raise NoTraceError(f"no private instance of the kernel's event tracing: {error.strerror}") from None
    try:
        yield Session(folder)
    finally:
        _remove(folder)


def _allowed() -> bool:
    try:
        return any((place / "instances").is_dir() for place in PLACES)
    except OSError:
        return False


def _sweep(base: Path) -> None:
    """Removes what an audit left that was killed."""
    with contextlib.suppress(OSError):
        for folder in (base / "instances").iterdir():
            owner = folder.name.removeprefix(PREFIX)
            if folder.name.startswith(PREFIX) and owner.isdigit() and not Path(f"/proc/{owner}").exists():
                _remove(folder)


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        Session(folder)._write("tracing_on", "0")
        Session(folder)._write("events/enable", "0")
    with contextlib.suppress(OSError):
        folder.rmdir()


def _lost(stats: str) -> int:
    words = dict(line.split(": ", 1) for line in stats.split("\n") if ": " in line)
    return sum(int(words[name]) for name in ("overrun", "dropped events") if words.get(name, "").isdigit())
