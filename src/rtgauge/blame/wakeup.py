"""A timed wake-up taken apart: from the moment at which a thread was due to its first own instruction.

Times are ticks since the sample's start stamp, which is the due time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rtgauge.blame.lane import Frame, Lane
from rtgauge.model import KernelEvent

PHASES = (
    ("entry", "interrupt is late", "due, until the timer's interrupt was entered"),
    ("handler", "interrupt entry", "until the timer's function began"),
    ("waking", "timer function", "until it woke the thread"),
    ("exit", "interrupt exit", "until the interrupt was left"),
    ("switch", "switch", "until the CPU was given to the thread"),
    ("stop", "to user code", "until the thread took its stamp"),
)
"""Of each phase: the mark that ends it, its name, and what it lasts until. A phase whose mark is not known is part of
the next one."""


UNSEEN = ("switch and to user code", "until the thread took its stamp; the switch to it was not recorded")


@dataclass(frozen=True)
class Wakeup:
    """When each thing happened; None where no event tells."""

    entry: int | None = None
    handler: int | None = None
    waking: int | None = None
    exit: int | None = None
    switch: int | None = None  # None as well where the thread had not left the CPU yet
    thread: int | None = None  # that was woken
    running: int | None = None  # the thread that it waited for, if it was woken on its own CPU


def wakeup_of(
    thread: int, cpu: int, events: Sequence[tuple[int, KernelEvent]], lanes: Mapping[int, Lane], since: int, stop: int
) -> Wakeup:
    """How `thread` was woken on `cpu` between `since` and `stop`; no marks where it was not: it may have been awake."""
    woken = [(at, e) for at, e in events if e.kind == "waking" and e.id == thread and since <= at <= stop]
    if not woken:
        return Wakeup()
    at, event = woken[-1]
    switches = (when for when, e in events if e.kind == "switch" and e.id == thread and at <= when <= stop)
    until = next(switches, None)
    lane = lanes.get(event.cpu)
    upon = lane.at(at) if lane is not None else None
    frames = upon.frames if upon is not None else ()
    interrupt = next((frame for frame in frames if frame.kind in ("vector", "irq")), None)
    timer = next((frame for frame in reversed(frames) if frame.kind == "timer"), None)
    left = _end_of(interrupt, lane, at) if interrupt is not None and lane is not None else None
    return Wakeup(
        entry=None if interrupt is None else interrupt.begin,
        handler=None if timer is None else timer.begin,
        waking=at,
        exit=left if left is not None and left <= (stop if until is None else until) else None,
        switch=until,
        thread=thread,
        running=upon.task.id if upon is not None and upon.task is not None and event.cpu == cpu else None,
    )


def phases_of(wakeup: Wakeup, stop: int) -> list[tuple[str, str, int, int]]:
    """(name, what, from, to) of each phase from 0 to `stop`, without gaps."""
    marks = {**vars(wakeup), "stop": stop}
    made, now = [], 0
    for mark, name, what in PHASES:
        at = marks[mark]
        if at is None:
            continue
        if mark == "stop" and wakeup.switch is None and wakeup.running not in (None, wakeup.thread):
            name, what = UNSEEN
        until = min(max(int(at), now), stop)
        made.append((name, what, now, until))
        now = until
    return made


def _end_of(frame: Frame, lane: Lane, after: int) -> int | None:
    for one in lane.stretches:
        if one.end > after and frame not in one.frames:
            return one.begin
    return None
