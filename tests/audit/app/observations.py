"""Observations made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rtgauge.audit.app._observation import Area, Call, Counters, Observation, Quota, Thread, Trace

PID, HIGH, LOW = 100, 101, 100
MS = 10**6
LIMITS = {
    "Max open files": ("1024", "4096"),
    "Max locked memory": ("unlimited", "unlimited"),
    "Max stack size": ("8388608", "unlimited"),
    "Max realtime timeout": ("unlimited", "unlimited"),
    "Max cpu time": ("unlimited", "unlimited"),
}
MEMORY = {"VmLck": 8 << 20, "VmRSS": 4 << 20, "VmSize": 8 << 20, "VmSwap": 0, "VmStk": 132 << 10, "VmData": 1 << 20}
FILES = {0: "/dev/pts/3", 1: "pipe:[5]", 3: "/data/log.txt", 4: "socket:[7]", 5: "anon_inode:[timerfd]"}
AREAS = (
    Area(0x1000, 0x3000, "/usr/bin/loop", True, 8192),
    Area(0x5000, 0x9000, "[heap]", True, 16384),
    Area(0x7000_0000, 0x7002_1000, "[stack]", True, 132 << 10),
    Area(0x8000_0000, 0x8000_1000, "[vdso]", False, 4096, lockable=False),
)
STEADY = (10,) * 11
LEAK = tuple(range(10, 21))
SYMBOLS = {"pthread_mutexattr_setprotocol": True, "mlockall": True}


def counters(**changed: int) -> Counters:
    return replace(Counters(50, 2, 400 * MS, 0, 500, 0), **changed)


def high(**changed: Any) -> Thread:
    """A real-time thread that behaves."""
    last = counters(cpu_ns=500 * MS, voluntary=2500)
    return replace(Thread(HIGH, "loop", 1, 80, (1,), counters(), last, 0), **changed)


def low(**changed: Any) -> Thread:
    """A normal thread of the same program."""
    return replace(
        Thread(LOW, "main", 0, 0, (0, 1), counters(), counters(cpu_ns=450 * MS), 0, slack_ns=50_000), **changed
    )


def seen(**changed: Any) -> Observation:
    """A program without a fault, traced in whole."""
    good = Observation(
        PID, "loop", "/usr/bin/loop", 2.0, (low(), high()), (MEMORY,) * 11, STEADY, LIMITS, AREAS, files=FILES,
        source="trace", samples=40, trace=Trace(4000, 0, 2.0), quota=Quota(evidence=(("/cpu.max", "max 100000"),)),
        symbols=SYMBOLS, calls=(call("clock_nanosleep", 1, 1),), names={LOW: "main", HIGH: "loop"},
    )  # fmt: skip
    return replace(good, **changed)


def memory(**last: int) -> tuple[dict[str, int], ...]:
    """Readings in which some values change at the last one."""
    return (*(MEMORY,) * 10, {**MEMORY, **last})


def call(name: str, *args: int, tid: int = HIGH, blocked: int = 0, result: int | None = 0) -> Call:
    return Call(tid, name, args, result, blocked)


def untraced(source: str = "nothing", **changed: Any) -> Observation:
    changed = {"calls": (), **changed}
    return seen(source=source, trace=None, problem="only root may", **changed)


def full(**changed: Any) -> Observation:
    """The event buffer was full before the end."""
    return seen(trace=Trace(4000, 77, 0.4), **changed)
