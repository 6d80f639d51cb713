"""The kernel's own record of its interrupts: a private instance of tracefs, and what it says of clock ticks."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOTS = (Path("/sys/kernel/tracing"), Path("/sys/kernel/debug/tracing"))
CLOCK = "x86-tsc"
ENTRY, EXIT = "irq_vectors/local_timer_entry", "irq_vectors/local_timer_exit"
EXPIRY = "timer/hrtimer_expire_entry"
EVENTS = (ENTRY, EXIT, EXPIRY)
BUFFER_KB = 4096  # of each CPU
_TICKS = ("tick_sched_timer", "tick_nohz_handler")  # the function of the tick, as older and newer kernels call it
_LINE = re.compile(r"\[(\d+)\]\s+\S+\s+(\d+): (\w+):(.*)")
_LOST = re.compile(r"LOST (\d+) EVENTS")


@dataclass(frozen=True)
class Interrupt:
    """One interrupt of the local timer, by the trace's clock."""

    begin: int
    end: int
    tick: bool  # it ran the clock tick, perhaps among other timers


def missing() -> str | None:
    """Why nothing can be traced here; None when it can."""
    root = _root()
    if root is None:
        return "there is no tracefs that this user may use (mount -t tracefs nodev /sys/kernel/tracing, as root)"
    lacking = [event for event in EVENTS if not (root / "events" / event).is_dir()]
    if lacking:
        return f"this kernel has no trace event {lacking[0]}"
    if CLOCK not in (root / "trace_clock").read_text():
        return f"this kernel has no trace clock {CLOCK}"
    return None


def _root() -> Path | None:
    """The first tracefs in which an instance can be made."""
    return next((root for root in ROOTS if os.access(root / "instances", os.W_OK)), None)


@contextlib.contextmanager
def instance(name: str) -> Iterator[Path]:
    """A private instance that records EVENTS during the block; other tracing is left alone, and nothing stays."""
    root = _root()
    assert root is not None
    folder = root / "instances" / name
    folder.mkdir()
    try:
        (folder / "trace_clock").write_text(CLOCK)
        (folder / "buffer_size_kb").write_text(str(BUFFER_KB))
        for event in EVENTS:
            (folder / "events" / event / "enable").write_text("1")
        yield folder
    finally:
        (folder / "events/enable").write_text("0")
        folder.rmdir()


def interrupts(text: str, cpu: int) -> list[Interrupt]:
    """The interrupts of the local timer on `cpu`, out of the text of `trace`. ValueError when events were lost."""
    lost = _LOST.search(text)
    if lost:
        raise ValueError(f"{lost[1]} events were lost: the buffer is too small")
    found, begin, tick = [], None, False
    for line in text.splitlines():
        match = _LINE.search(line)
        if match is None or int(match[1]) != cpu:
            continue
        at, event = int(match[2]), match[3]
        if event == "local_timer_entry":
            begin, tick = at, False
        elif event == "hrtimer_expire_entry":
            tick |= any(f"function={name}" in match[4] for name in _TICKS)
        elif event == "local_timer_exit" and begin is not None:
            found.append(Interrupt(begin, at, tick))
            begin = None
    return found
