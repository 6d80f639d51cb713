"""What a stretch of a sample is put down to, in names that people know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rtgauge.blame.lane import IDLE, NORMAL, Frame, Stretch, Task
from rtgauge.blame.silence import Silence
from rtgauge.blame.tracers import Held
from rtgauge.blame.wakeup import Wakeup

Kind = Literal[
    "thread",
    "fair-server",
    "interrupt",
    "tick",
    "timer",
    "softirq",
    "nmi",
    "tracing",
    "late",
    "switch",
    "idle",
    "throttled",
    "own",
    "gap",
]
KINDS: tuple[Kind, ...] = (
    "thread",  # another thread ran
    "fair-server",  # a normal thread ran although a real-time one was ready
    "interrupt",
    "tick",  # the clock tick's function
    "timer",  # another timer's function
    "softirq",
    "nmi",  # an interrupt that cannot be switched off
    "tracing",  # this very recording: the stack that an interrupt came upon was put down
    "late",  # the timer was due, and its interrupt had not been taken
    "switch",  # the CPU was idle, and the thread ready
    "idle",
    "throttled",  # idle although a real-time thread was ready
    "own",  # the measured thread, or another of the test
    "gap",  # not explained
)
OWN = "the test's own threads"
UNTIL = "ran until some time within: the switch from it was not recorded"
TO_THREAD = "from idle to the thread"
KEPT = "kept the CPU although the measured thread was ready"  # and why that may be
TICKS = ("tick_sched_timer", "tick_nohz_handler", "tick_periodic", "tick_handle_periodic")
"""The function of the clock tick, as different kernels call it."""
PER_CPU = ("arch_timer", "riscv-timer", "IPI")
"""Interrupts of a processor's own that Arm's and RISC-V's kernels tell of as they tell of a device's."""


@dataclass(frozen=True)
class Cause:
    kind: Kind
    name: str
    id: int | None = None  # of the thread, or of the interrupt
    level: int | None = None  # of a thread, by the kernel's numbers
    note: str = ""
    where: str = ""  # of something late: the function until which interrupts were off


@dataclass(frozen=True)
class Scene:
    """What must be known of a sample to name its causes."""

    measured: Task  # the thread that took the stop stamp
    wakeup: Wakeup | None  # where the sample is a timed wake-up
    silence: Silence
    held: Held | None = None  # what is known of why its timer's interrupt came late


def cause_of(stretch: Stretch, scene: Scene) -> Cause:
    """The innermost thing that the kernel tells of."""
    if stretch.frames:
        return _of_frame(stretch.frames[-1])
    task = stretch.task
    if task is None:
        return Cause("gap", "unknown thread", note="no event tells which thread ran")
    own = _of_the_test(task, scene.measured)
    if _is_late(stretch, scene.wakeup):
        return _late(task, own, scene)
    if stretch.unseen is not None and stretch.unseen.id != IDLE and stretch.unseen.id != task.id:
        before = stretch.unseen
        return Cause("thread", _called(before), before.id, before.level, UNTIL)
    if own and stretch.unseen is not None:
        return Cause("switch", TO_THREAD, note="leaving the idle loop; the switch to the thread was not recorded")
    if own:
        return Cause("own", OWN, note="the measured code itself")
    if task.id == IDLE:
        return _idle(stretch, scene)
    if stretch.behind is not None:
        note = f"ran although {_called(stretch.behind)} was ready: fair server, or real-time throttling"
        return Cause("fair-server", task.name, task.id, task.level, note)
    note = f"{KEPT}: {scene.silence.kept}" if _kept(stretch, task, scene.wakeup) else rank(task.level)
    return Cause("thread", _called(task), task.id, task.level, note)


def not_recorded(silence: Silence) -> Cause:
    """More of the test's own time than is usual, in which the kernel recorded nothing."""
    return Cause("gap", "no event", note=f"nothing was recorded: {silence.gap}")


def rank(level: int | None) -> str:
    """A priority in words: the kernel numbers real-time ones downwards from 99, and normal ones 100 to 139."""
    if level is None:
        return ""
    if level < 0:
        return "deadline"
    if level < NORMAL:
        return f"real-time {99 - level}"
    return "normal" if level == 120 else f"normal, nice {level - 120}"


def _of_frame(frame: Frame) -> Cause:
    if frame.kind == "timer":
        kind: Kind = "tick" if frame.name in TICKS else "timer"
        return Cause(kind, frame.name or "unnamed function", note="clock tick" if kind == "tick" else "timer function")
    if frame.kind == "nmi":
        return Cause("nmi", "NMI", note="an interrupt that nothing can switch off")
    if frame.kind == "tracing":
        return Cause("tracing", frame.name, note="the recording itself: where the interrupt came was put down")
    if frame.kind == "softirq":
        return Cause("softirq", frame.name or str(frame.id), note="softirq")
    if frame.kind == "vector":
        return Cause("interrupt", frame.name or f"vector {frame.id}", note="interrupt of the processor's own")
    note = "interrupt of the processor's own" if frame.name in PER_CPU else "interrupt of a device"
    return Cause("interrupt", frame.name or f"interrupt {frame.id}", frame.id, note=note)


def _of_the_test(task: Task, measured: Task) -> bool:
    """The measured thread, or a real-time thread of the same program."""
    alike = bool(measured.name) and task.name == measured.name and task.id != IDLE
    return task.id == measured.id or (alike and task.real_time)


def _is_late(stretch: Stretch, wakeup: Wakeup | None) -> bool:
    """Whether the timer is due, which it is from 0 on, and its interrupt not yet taken."""
    if wakeup is None or stretch.begin < 0:
        return False
    until = next((mark for mark in (wakeup.entry, wakeup.waking) if mark is not None), None)
    return until is not None and stretch.end <= until


def _late(task: Task, own: bool, scene: Scene) -> Cause:
    held, silence = scene.held, scene.silence
    if held is not None and task.id != IDLE:
        name = OWN if own else _called(task)
        return Cause("late", name, None if own else task.id, None if own else task.level, held.note, held.where)
    if own:
        return Cause("late", OWN, note=f"timer interrupt not taken while the thread ran: {silence.own}")
    if task.id == IDLE:
        return Cause("late", "idle", note=f"timer interrupt not taken while idle: {silence.idle}")
    note = f"timer interrupt not taken while {_called(task)} ran: {silence.thread}"
    return Cause("late", _called(task), task.id, task.level, note)


def _kept(stretch: Stretch, task: Task, wakeup: Wakeup | None) -> bool:
    """Whether the thread that ran when the measured one was woken goes on."""
    if wakeup is None or wakeup.waking is None or wakeup.switch is None:
        return False
    return task.id == wakeup.running and wakeup.waking <= stretch.begin and stretch.end <= wakeup.switch


def _idle(stretch: Stretch, scene: Scene) -> Cause:
    if stretch.behind is not None:
        return Cause("throttled", "idle", note=f"idle although {_called(stretch.behind)} was ready: throttling")
    woken = scene.wakeup is not None and scene.wakeup.waking is not None and stretch.begin >= scene.wakeup.waking
    return (
        Cause("switch", "idle", note="leaving the idle loop") if woken else Cause("idle", "idle", note="no thread ran")
    )


def _called(task: Task) -> str:
    return task.name or f"thread {task.id}"
