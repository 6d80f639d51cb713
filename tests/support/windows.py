"""Windows of kernel events without a kernel, for tests of what is made of them.

    w = window([switch(0, 10, "worker", 120), ...], stop=50_000)

Times are ns of a clock of 1 GHz, counted from the sample's start stamp.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rtgauge.model import ClockInfo, EventWindow, KernelEvent

ORIGIN = 1_000_000_000_000  # stamp of the sample's start
THREAD, NAME = 500, "rtgauge-engine"  # the measured thread
LEVEL = 19  # its priority by the kernel's numbers: real-time 80
CLOCK = ClockInfo(
    name="x86-tsc",
    why="",
    rejected=(),
    width=64,
    direction=1,
    rate_num=1_000_000_000,
    rate_den=1,
    rate_ppb=0,
    resolution=1,
    overhead=0,
    monotonic=True,
    cpu_offset=0,
    anchor_stamp=ORIGIN,
    anchor_ns=0,
    os_resolution=1,
    os_overhead=0,
)


def event(at: int, kind: str, id: int = 0, name: str = "", cpu: int = 1, level: int = -1, **more: Any) -> KernelEvent:
    told = {"other": 0, "prev_state": "", "due_ns": 0} | more
    return KernelEvent(at=ORIGIN + at, cpu=cpu, kind=kind, id=id, level=level, name=name, **told)  # type: ignore[arg-type]


def switch(
    at: int, to: int, name: str, level: int = 120, *, left: int = 0, state: str = "S", cpu: int = 1
) -> KernelEvent:
    """The CPU goes from thread `left` to thread `to`."""
    return event(at, "switch", to, name, cpu, level, other=left, prev_state=state)


def to_measured(at: int, left: int = 0, state: str = "R", cpu: int = 1) -> KernelEvent:
    return switch(at, THREAD, NAME, LEVEL, left=left, state=state, cpu=cpu)


def waking(at: int, cpu: int = 1) -> KernelEvent:
    """The measured thread is made ready."""
    return event(at, "waking", THREAD, NAME, cpu, LEVEL)


def within(begin: int, end: int, kind: str, id: int, name: str, cpu: int = 1) -> list[KernelEvent]:
    """An interrupt ("vector", "irq", "softirq") or a timer's function ("timer") from entry to exit."""
    first, last = ("timer-due", "timer-exit") if kind == "timer" else (f"{kind}-entry", f"{kind}-exit")
    return [event(begin, first, id, name, cpu), event(end, last, id, name, cpu)]


def window(
    events: Iterable[KernelEvent], stop: int, *, before: int = 500_000, after: int = 100_000, **more: Any
) -> EventWindow:
    """Around a sample from 0 to `stop` on CPU 1."""
    told = {"series": 0, "index": 0, "cpu": 1, "missed": 0, "lost_by_kernel": 0} | more
    events = _with_running(sorted(events, key=lambda one: one.at))
    return EventWindow(
        begin=ORIGIN - before,
        end=ORIGIN + stop + after,
        start=ORIGIN,
        stop=ORIGIN + stop,
        events=tuple(events),
        **told,
    )


def _with_running(events: list[KernelEvent]) -> list[KernelEvent]:
    """Every event names the thread that ran, as the switches tell; what is given already stays."""
    running = {e.cpu: e.other for e in reversed(events) if e.kind == "switch"}
    made = []
    for one in events:
        made.append(one if one.kind == "switch" or one.other else replace(one, other=running.get(one.cpu, 0)))
        if one.kind == "switch":
            running[one.cpu] = one.id
    return made


def late_wakeup() -> EventWindow:
    """A wake-up of 186 us: the timer's interrupt comes after 30 us in which hackbench ran, is left after 8 us with a
    tick in it, a softirq takes 40 us, ksoftirqd 100 us, and the switch comes with the stamp 2 us behind it."""
    events = [
        switch(-300_000, 0, "swapper/1", left=THREAD),
        switch(-200_000, 900, "hackbench"),
        *within(30_000, 38_000, "vector", 236, "local_timer"),
        *within(31_000, 32_500, "timer", 0, "hrtimer_wakeup"),
        waking(32_000),
        *within(33_000, 36_000, "timer", 0, "tick_nohz_handler"),
        *within(39_000, 79_000, "softirq", 3, "NET_RX"),
        switch(84_000, 15, "ksoftirqd/1", 120, left=900, state="R"),
        to_measured(184_000, left=15),
    ]
    return window(events, 186_000)


def of_clock(clock: ClockInfo, one: EventWindow) -> EventWindow:
    """The same window by another clock, whose rate and direction differ, and which wraps."""

    def stamp(at: int) -> int:
        ticks = (at - ORIGIN) * clock.rate_num // (clock.rate_den * 1_000_000_000)
        return (clock.anchor_stamp + ticks * clock.direction) % (1 << clock.width)

    events = tuple(replace(event, at=stamp(event.at)) for event in one.events)
    edges = {name: stamp(getattr(one, name)) for name in ("begin", "end", "start", "stop")}
    return replace(one, events=events, **edges)  # type: ignore[arg-type]
