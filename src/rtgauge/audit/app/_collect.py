"""Watches one program through /proc and, where allowed, the kernel's events. It changes nothing in the program."""

from __future__ import annotations

import os
import platform
import pwd
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from rtgauge.audit.app import _around, _trace
from rtgauge.audit.app._calls import NUMBERS, parse_syscall
from rtgauge.audit.app._events import parse
from rtgauge.audit.app._observation import Area, Call, Counters, Observation, Thread
from rtgauge.audit.app._proc import (
    KERNEL_THREAD,
    Proc,
    Stat,
    counters,
    parse_areas,
    parse_limits,
    parse_maps,
    parse_memory,
    parse_stat,
    parse_status,
)
from rtgauge.audit.app._sched import reservation
from rtgauge.errors import TargetError, UsageError

LOOK = 0.05  # seconds between two looks at what threads wait for
READINGS = 10  # of what may grow, over the watch
MOST_THREADS = 64  # looked at that often
MOST_LINKS = 1024  # descriptors whose files are named
TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Clock:
    """Time of the watch; a test has its own."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class _Reading:
    """A thread at one moment."""

    stat: Stat
    counters: Counters
    status: dict[str, str]
    migrations: int | None


@dataclass
class _Watch:
    """What gathers while the program is watched."""

    memory: list[dict[str, int]] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    files: dict[int, str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    looks: int = 0


def observe(
    pid: int, seconds: float, events: bool = True, proc: Proc | None = None, clock: Clock | None = None
) -> Observation:
    """The observation of process `pid` over `seconds`, with the kernel's events if wanted and allowed.

    UsageError where the number names no program that can be audited; TargetError where the program belongs to somebody
    else, or ends meanwhile.
    """
    own = proc is None
    proc, clock = proc or Proc(), clock or Clock()
    found = _identify(proc, pid)
    program = proc.link(f"{pid}/exe")
    try:
        with ExitStack() as stack:
            before = parse_maps(proc.text_or(f"{pid}/maps"))
            session, problem = _start(stack, proc, pid, events) if own else (None, "not the running system")
            first, watch, began = _threads(proc, pid), _Watch(), clock.now()
            can_name = _can_name(proc, pid)
            _follow(proc, pid, watch, began + seconds, clock, can_name)
            last, elapsed = _threads(proc, pid), clock.now() - began
            taken, problem = _stop(session) if session else (None, problem)
        _still(proc, pid, found, program)
        areas, areas_problem = _areas(proc, pid, before)
        status = parse_status(proc.text_or(f"{pid}/status"))
        watch.names.update({tid: each.stat.name for tid, each in {**first, **last}.items()})
        seen = Observation(
            pid, found.name, program, elapsed,
            threads=tuple(_thread(proc, tid, first.get(tid), each) for tid, each in last.items()),
            memory=tuple(watch.memory), descriptors=tuple(watch.descriptors),
            limits=parse_limits(proc.text_or(f"{pid}/limits")),
            areas=areas, areas_problem=areas_problem, files=watch.files,
            source="samples" if can_name else "nothing",
            calls=tuple(watch.calls), samples=watch.looks, problem=problem,
            tracer=int(status.get("TracerPid", "0")),
            ended=tuple(watch.names[tid] for tid in sorted(set(watch.names) - set(last))), names=watch.names,
        )  # fmt: skip
        if taken:
            calls, trace = parse(*taken, {*first, *last, *watch.names}, elapsed)
            seen = replace(seen, source="trace", calls=calls, trace=trace, problem="")
    except (ProcessLookupError, FileNotFoundError):
        raise TargetError(f"process {pid} ended while it was watched") from None
    except PermissionError as error:
        raise TargetError(_foreign(proc, pid, error)) from None
    except ValueError as error:
        raise TargetError(f"process {pid}: what /proc shows of it makes no sense: {error}") from None
    return _around.look_around(proc, seen, own)


def _identify(proc: Proc, pid: int) -> Stat:
    try:
        stat, status = parse_stat(proc.text(f"{pid}/stat")), parse_status(proc.text(f"{pid}/status"))
    except (FileNotFoundError, ProcessLookupError):
        raise UsageError(f"there is no process {pid}") from None
    except PermissionError as error:
        raise TargetError(_foreign(proc, pid, error)) from None
    except ValueError as error:
        raise TargetError(f"process {pid}: what /proc shows of it makes no sense: {error}") from None
    if stat.flags & KERNEL_THREAD:
        raise UsageError(f"{pid} is a thread of the kernel ({stat.name}), not a program")
    leader = status.get("Tgid", str(pid))
    if leader != str(pid):
        raise UsageError(f"{pid} is a thread of process {leader}: rtgauge audit --app {leader}")
    if stat.state in "ZXx" and stat.threads > 1:
        raise TargetError(f"process {pid} ({stat.name}) has lost its main thread: /proc does not show the rest of it")
    if stat.state in "ZXx":
        raise TargetError(f"process {pid} ({stat.name}) has ended already; only its parent has not taken note")
    try:
        proc.descriptors(pid)
    except PermissionError as error:
        raise TargetError(_foreign(proc, pid, error)) from None
    except (FileNotFoundError, ProcessLookupError):
        raise TargetError(f"process {pid} ended while it was watched") from None
    return stat


def _foreign(proc: Proc, pid: int, error: OSError) -> str:
    words = parse_status(proc.text_or(f"{pid}/status")).get("Uid", "").split()
    try:
        owner = pwd.getpwuid(int(words[0])).pw_name if words else "somebody else"
    except (KeyError, ValueError):
        owner = f"user {words[0]}"
    return f"process {pid} belongs to {owner} and may not be watched ({error.strerror}): run the audit as root"


def _still(proc: Proc, pid: int, found: Stat, program: str) -> None:
    """Raises TargetError when the number names another program by now."""
    stat = parse_stat(proc.text(f"{pid}/stat"))
    if stat.start != found.start or stat.state in "ZXx":
        raise TargetError(f"process {pid} ended while it was watched")
    if proc.link(f"{pid}/exe") != program:
        raise TargetError(f"process {pid} became another program while it was watched ({proc.link(f'{pid}/exe')})")


def _start(stack: ExitStack, proc: Proc, pid: int, wanted: bool) -> tuple[_trace.Session | None, str]:
    """Events of the program, or why there are none."""
    if not wanted:
        return None, "kernel events were not wanted (--no-trace)"
    try:
        session = stack.enter_context(_trace.session())
        bits = _bits(proc, pid)
        if bits == "unknown":
            raise _trace.NoTraceError("the program's file may not be read, so the form of its calls is not known")
        if bits != platform.architecture()[0]:
            raise _trace.NoTraceError(f"the system calls of a {bits} program are not traced by this kernel")
        session.start(proc.tasks(pid))
    except _trace.NoTraceError as refused:
        return None, str(refused)
    return session, ""


def _stop(session: _trace.Session) -> tuple[tuple[str, int] | None, str]:
    try:
        return session.stop(), ""
    except OSError as error:
        return None, f"the kernel's event tracing failed: {error.strerror}"


def _bits(proc: Proc, pid: int) -> str:
    """What the head of the program's file says: "64bit" or "32bit"."""
    try:
        with (proc.root / f"{pid}/exe").open("rb") as stream:
            return {1: "32bit", 2: "64bit"}.get(stream.read(5)[4:5].ljust(1)[0], "unknown")
    except OSError:
        return "unknown"


def _can_name(proc: Proc, pid: int) -> bool:
    readable = proc.text_or(f"{pid}/task/{pid}/syscall") != ""
    return readable and platform.machine() in NUMBERS and _bits(proc, pid) == "64bit"


def _threads(proc: Proc, pid: int) -> dict[int, _Reading]:
    found = {}
    for tid in proc.tasks(pid):
        base = f"{pid}/task/{tid}"
        try:
            stat, status = parse_stat(proc.text(f"{base}/stat")), parse_status(proc.text(f"{base}/status"))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended between the list and the look
        reading = counters(stat, status, proc.text_or(f"{base}/schedstat"), TICK_NS)
        found[tid] = _Reading(stat, reading, status, _migrations(proc.text_or(f"{base}/sched")))
    if not found:
        raise ProcessLookupError
    return found


def _migrations(sched: str) -> int | None:
    words = next((line.split() for line in sched.split("\n") if line.startswith("se.nr_migrations ")), [])
    return int(words[-1]) if words and words[-1].isdigit() else None


def _thread(proc: Proc, tid: int, first: _Reading | None, last: _Reading) -> Thread:
    slack = proc.text_or(f"{tid}/timerslack_ns").strip()
    start = first or last
    moved = None if last.migrations is None or start.migrations is None else last.migrations - start.migrations
    return Thread(
        tid, last.stat.name, last.stat.policy, last.stat.priority,
        _around.cpus(last.status.get("Cpus_allowed_list", "")), start.counters, last.counters, moved,
        int(slack) if slack.isdigit() else None,
        reservation(tid) if last.stat.policy == 6 else None, born=first is None,
    )  # fmt: skip


def _follow(proc: Proc, pid: int, watch: _Watch, until: float, clock: Clock, can_name: bool) -> None:
    """Looks at the threads often, and at what may grow READINGS times, at the beginning and the end included."""
    step = max((until - clock.now()) / (READINGS - 1), 0.001)
    due = clock.now()
    while True:
        if clock.now() >= due or clock.now() >= until:
            _grow(proc, pid, watch)
            due += step
        _look(proc, pid, watch, can_name)
        left = until - clock.now()
        if left <= 0:
            break
        clock.sleep(min(LOOK, left, max(due - clock.now(), 0.001)))
    _grow(proc, pid, watch)


def _grow(proc: Proc, pid: int, watch: _Watch) -> None:
    status = parse_status(proc.text(f"{pid}/status"))
    if status.get("State", "").startswith(("Z", "X")):  # ended, and its parent has not taken note
        raise ProcessLookupError
    watch.memory.append(parse_memory(status))
    numbers = proc.descriptors(pid)
    watch.descriptors.append(len(numbers))
    watch.files.update({each: link for each in numbers[:MOST_LINKS] if (link := proc.link(f"{pid}/fd/{each}"))})


def _look(proc: Proc, pid: int, watch: _Watch, can_name: bool) -> None:
    watch.looks += 1
    for tid in proc.tasks(pid)[:MOST_THREADS]:
        if tid not in watch.names:
            watch.names[tid] = proc.text_or(f"{pid}/task/{tid}/comm").rstrip("\n")
        if can_name and (call := parse_syscall(proc.text_or(f"{pid}/task/{tid}/syscall"), tid)):
            watch.calls.append(call)


def _areas(proc: Proc, pid: int, before: set[tuple[int, int]]) -> tuple[tuple[Area, ...], str]:
    """Read after the watch: it holds the program's memory map for as long as the reading takes."""
    try:
        return parse_areas(proc.text(f"{pid}/smaps"), before), ""
    except OSError as error:
        return (), f"/proc/{pid}/smaps: {error.strerror}"
