"""What one CPU did in a window: who ran, and which interrupts, softirqs and timer functions lay upon it.

Times are ticks of the stamp clock, counted from any point and rising. The kernel's records are taken as they are:
entries whose exit is missing, and exits whose entry came before the window, are put right as far as their nesting
tells, and counted where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rtgauge.model import KernelEvent

FrameKind = Literal["vector", "irq", "softirq", "timer", "nmi", "tracing"]

NORMAL = 100  # of the kernel's numbers of priorities: from here on there is no real-time thread
BEGINS = -1  # place at which a stack begins to tell what was interrupted
IDLE = 0  # number of the thread that stands for having nothing to run

_BEGINS: dict[str, FrameKind] = {
    "vector-entry": "vector",
    "irq-entry": "irq",
    "softirq-entry": "softirq",
    "timer-due": "timer",
}
_ENDS: dict[str, FrameKind] = {
    "vector-exit": "vector",
    "irq-exit": "irq",
    "softirq-exit": "softirq",
    "timer-exit": "timer",
}


@dataclass(frozen=True)
class Task:
    """A thread as the kernel names it. `level`: its priority by the kernel's numbers, None when no event told it."""

    id: int
    name: str = ""
    level: int | None = None

    @property
    def real_time(self) -> bool:
        return self.level is not None and self.level < NORMAL


@dataclass(frozen=True)
class Frame:
    """Something that lies upon a thread: an interrupt, a softirq, a timer's function."""

    kind: FrameKind
    id: int
    name: str
    begin: int | None  # None: before the window


@dataclass(frozen=True)
class Stretch:
    """From `begin` to `end` nothing changed on the CPU."""

    begin: int
    end: int
    task: Task | None  # None: not known
    frames: tuple[Frame, ...] = ()  # innermost last
    unseen: Task | None = (
        None  # had the CPU before: it went to `task` somewhere within, by a switch that no event tells
    )
    behind: Task | None = None  # a real-time thread that was ready and yet had to leave the CPU to `task`


@dataclass(frozen=True)
class Lane:
    cpu: int
    stretches: tuple[Stretch, ...]  # in order, from the beginning of the window to its end, without gaps
    odd: int  # entries and exits that do not fit together

    def at(self, when: int) -> Stretch | None:
        """The stretch in which `when` lies; at a border the later one."""
        return next((one for one in reversed(self.stretches) if one.begin <= when <= one.end), None)


def tasks_in(events: Iterable[KernelEvent]) -> dict[int, Task]:
    """Every thread that events name, as the last of them says. The kernel's own account knows a name and no level: it
    counts where nothing else names the thread."""
    known: dict[int, Task] = {}
    for event in events:
        if event.kind in ("switch", "waking"):
            known[event.id] = _task(event)
        elif event.kind == "noise" and event.prev_state == "thread":
            known.setdefault(event.id, Task(event.id, event.name))
    return known


def lane_of(
    cpu: int,
    events: Sequence[tuple[int, KernelEvent]],
    begin: int,
    end: int,
    known: Mapping[int, Task],
    ticks: Callable[[int], int] = int,
) -> Lane:
    """The lane of `cpu` out of (time, event) in order. `known`: threads by their number. `ticks`: of the times, in so
    many ns."""
    own = [(at, event) for at, event in events if event.cpu == cpu and begin <= at <= end]
    first = _runs_first([event for _, event in own])
    before = _Walk(begin, first, {}, known, ticks=ticks)
    for at, event in own:
        before.take(at, event)
    walk = _Walk(begin, first, {task: frames[::-1] for task, frames in before.unmatched.items()}, known, ticks=ticks)
    for at, event in own:
        walk.take(at, event)
    walk.reach(end)
    return Lane(cpu, tuple(walk.stretches), walk.odd)


def _runs_first(events: Sequence[KernelEvent]) -> int | None:
    """The thread that runs when the window begins, as the first event says."""
    return events[0].other if events else None


@dataclass
class _Walk:
    """One pass over the events. Each thread has frames of its own: with threaded softirqs it may be switched away
    from within one. The first pass only finds what was open before the window."""

    now: int
    task: int | None
    waiting: dict[int | None, list[Frame]]  # frames of each thread, outermost first
    known: Mapping[int, Task]
    unmatched: dict[int | None, list[Frame]] = field(default_factory=dict)  # ended first is first
    stretches: list[Stretch] = field(default_factory=list)
    odd: int = 0
    seen: set[int | None] = field(default_factory=set)  # threads that began to run within the window
    behind: Task | None = None
    ticks: Callable[[int], int] = int  # of so many ns

    def take(self, at: int, event: KernelEvent) -> None:
        self.reach(at)
        if event.kind == "noise":  # of a thread it comes after the switch away from it
            if event.prev_state == "nmi":
                self._nmi(at - self.ticks(event.due_ns))
            return
        if event.other != self.task:
            self._resume(event.other)
        frames = self.waiting.setdefault(self.task, [])
        if event.kind in _BEGINS:
            frames.append(Frame(_BEGINS[event.kind], event.id, event.name, at))
        elif event.kind in _ENDS:
            self._leave(frames, _ENDS[event.kind], event)
        elif event.kind == "switch":
            self._switch(frames, event)
        elif event.kind == "place" and event.id == BEGINS and frames:
            self._upon_the_last(Frame("tracing", 0, "stack", None))

    def reach(self, at: int) -> None:
        """Everything stays as it is until `at`."""
        if at > self.now:
            task = None if self.task is None else self.known.get(self.task, Task(self.task))
            frames = tuple(self.waiting.get(self.task, ()))
            self.stretches.append(Stretch(self.now, at, task, frames, behind=self.behind))
            self.now = at

    def _resume(self, task: int) -> None:
        """Another thread runs than the events before told. A switch away from idle may have gone unrecorded; any other
        was lost."""
        last = self.stretches[-1] if self.stretches else None
        if last is not None and last.end == self.now and last.task is not None and not last.frames:
            self.stretches[-1] = replace(last, task=self.known.get(task, Task(task)), unseen=last.task, behind=None)
        self.odd += self.task != IDLE
        self.task, self.behind = task, None
        self.seen.add(task)

    def _upon_the_last(self, frame: Frame) -> None:
        """What lay upon everything since the last event."""
        if self.stretches and self.stretches[-1].end == self.now:
            last = self.stretches[-1]
            self.stretches[-1] = replace(last, frames=(*last.frames, frame))

    def _nmi(self, begin: int) -> None:
        """It is told of at its end: what was so far is cut there, and it lies upon all of that."""
        frame, cut = Frame("nmi", 0, "NMI", begin), []
        while self.stretches and self.stretches[-1].end > begin:
            last = self.stretches.pop()
            cut.append(replace(last, begin=max(last.begin, begin), frames=(*last.frames, frame)))
            if last.begin < begin:
                self.stretches.append(replace(last, end=begin))
                break
        self.stretches += reversed(cut)

    def _leave(self, frames: list[Frame], kind: FrameKind, event: KernelEvent) -> None:
        place = next((i for i in reversed(range(len(frames))) if _same(frames[i], kind, event)), None)
        if place is not None:
            self.odd += len(frames) - 1 - place
            del frames[place:]
        elif frames or (self.task in self.seen and kind != "softirq"):
            self.odd += 1
        else:
            self.unmatched.setdefault(self.task, []).append(Frame(kind, event.id, event.name, None))

    def _switch(self, frames: list[Frame], event: KernelEvent) -> None:
        kept = [frame for frame in frames if frame.kind == "softirq"]  # nothing is switched within an interrupt
        self.odd += sum(frame.kind in ("vector", "irq") for frame in frames)
        self.waiting[self.task] = kept
        left = self.known.get(event.other)
        displaced = left is not None and left.real_time and event.prev_state.startswith("R")
        follows = _task(event)
        self.behind = left if displaced and not follows.real_time else None
        self.task = event.id
        self.seen.add(event.id)


def _same(frame: Frame, kind: FrameKind, event: KernelEvent) -> bool:
    return frame.kind == kind and (kind == "timer" or frame.id == event.id)


def _task(event: KernelEvent) -> Task:
    return Task(event.id, event.name, event.level)
