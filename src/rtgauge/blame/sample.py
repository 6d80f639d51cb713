"""One sample taken apart: which cause had how much of it. The parts always add up to the sample, in whole ns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from types import MappingProxyType

from rtgauge.blame.causes import Cause, Scene, cause_of, not_recorded
from rtgauge.blame.clock import ticks_in, ticks_since, to_ns
from rtgauge.blame.lane import IDLE, Lane, Stretch, Task, lane_of, tasks_in
from rtgauge.blame.silence import REAL, Silence
from rtgauge.blame.tracers import Noise, held_off, noises_in
from rtgauge.blame.wakeup import Wakeup, phases_of, wakeup_of
from rtgauge.model import ClockInfo, EventWindow, KernelEvent

Timed = tuple[int, KernelEvent]
_APART_NS = 5_000  # what the sleep clock and the stamps may differ by within a test


@dataclass(frozen=True)
class Piece:
    """A stretch with its cause; ns since the sample's start stamp."""

    begin: int
    end: int
    cause: Cause


@dataclass(frozen=True)
class Part:
    """All pieces of one cause."""

    cause: Cause
    ns: int
    times: int  # that it came
    silent: int  # ns, the longest of it without any event on the CPU


@dataclass(frozen=True)
class Opened:
    """A sample and what was seen around it."""

    total: int  # ns
    measured: Task
    pieces: tuple[Piece, ...]  # of the sample, in order, without gaps
    around: tuple[Piece, ...]  # the same for the whole window
    parts: tuple[Part, ...]  # largest first
    phases: tuple[tuple[str, str, int], ...]  # (name, what, ns) of a timed wake-up
    odd: int  # events that do not fit together
    noises: tuple[Noise, ...]  # the kernel's own account of what ended within, in order
    silence: Silence


def open_up(
    window: EventWindow,
    clock: ClockInfo,
    total: int,
    usual: float,
    periodic: bool,
    known: Mapping[int, Task] = MappingProxyType({}),
    silence: Silence = REAL,
) -> Opened:
    """`total`: the sample in ns. `usual`: what the test's own code takes, ns; more of it is not explained by itself.
    `periodic`: the start stamp is the time at which a thread was due to wake up. `known`: threads by their numbers that
    the window itself may not name. `silence`: of the run's kind of time."""
    stop = ticks_since(clock, window.start, window.stop)
    events = timed(window, clock)
    begin = min(0, ticks_since(clock, window.start, window.begin))
    end = max(stop, ticks_since(clock, window.start, window.end))
    lanes = lanes_of(events, begin, end, window.cpu, known, partial(ticks_in, clock))
    lane = lanes[window.cpu]
    measured = _measured(lane, events, stop)
    lane = _named(lane, measured, stop)
    lanes[window.cpu] = lane
    early = -ticks_in(clock, _APART_NS)
    wakeup = wakeup_of(measured.id, window.cpu, events, lanes, early, stop) if periodic else None
    entry = None if wakeup is None else wakeup.entry
    held = None if entry is None else held_off(events, window.cpu, entry, silence)
    scene = Scene(measured, wakeup, silence, held)
    at = _scale(clock, stop, total)
    cut = [one for stretch in lane.stretches for one in _cut(stretch, (0, stop, *_marks(wakeup)))]
    around = tuple(Piece(at(one.begin), at(one.end), cause_of(one, scene)) for one in cut)
    inside = [Piece(at(one.begin), at(one.end), cause_of(one, scene)) for one in cut if 0 <= one.begin < stop]
    pieces = _excess(_joined(inside), usual, silence)
    return Opened(
        total=total,
        measured=measured,
        pieces=tuple(pieces),
        around=tuple(_joined(around)),
        parts=_parts(pieces, inside),
        phases=tuple((name, what, at(b) - at(a)) for name, what, a, b in phases_of(wakeup, stop)) if wakeup else (),
        odd=lane.odd,
        noises=noises_in(events, window.cpu, stop, measured.id),
        silence=silence,
    )


def timed(window: EventWindow, clock: ClockInfo) -> list[Timed]:
    """The events of a window in order, in ticks since the sample's start stamp."""
    return sorted(((ticks_since(clock, window.start, e.at), e) for e in window.events), key=lambda one: one[0])


def lanes_of(
    events: Sequence[Timed], begin: int, end: int, cpu: int, known: Mapping[int, Task], ticks: Callable[[int], int]
) -> dict[int, Lane]:
    named = tasks_in(event for _, event in events)
    here = {**named, **known, **{id: task for id, task in named.items() if task.level is not None}}
    every = {cpu} | {event.cpu for _, event in events}
    return {cpu: lane_of(cpu, events, begin, end, here, ticks) for cpu in sorted(every)}


def _measured(lane: Lane, events: Sequence[Timed], stop: int) -> Task:
    """Who took the stop stamp: the thread that runs then. Where that is none, or a normal one although a real-time one
    was woken within the sample, it is the thread that was woken last."""
    last = next((one for one in reversed(lane.stretches) if one.begin < stop), None)
    runs = last.task if last is not None else None
    idle = runs is None or runs.id == IDLE
    woken = [Task(e.id, e.name, e.level) for at, e in events if e.kind == "waking" and at < stop and (idle or at >= 0)]
    if woken and (idle or (woken[-1].real_time and runs is not None and not runs.real_time)):
        return woken[-1]
    return Task(-1) if runs is None or idle else runs


def _named(lane: Lane, measured: Task, stop: int) -> Lane:
    """With the measured thread where it must have been running: at the stop stamp, also when no event followed from
    which that could be seen, and all the time when there are no events at all."""

    def name(one: Stretch) -> Stretch:
        if one.task is None:
            return replace(one, task=measured)
        other = one.task.id != measured.id and one.begin < stop <= one.end and not one.frames
        return replace(one, task=measured, unseen=one.task, behind=None) if other else one

    return replace(lane, stretches=tuple(name(one) for one in lane.stretches))


def _marks(wakeup: Wakeup | None) -> tuple[int, ...]:
    marks = () if wakeup is None else (wakeup.entry, wakeup.waking, wakeup.switch)
    return tuple(mark for mark in marks if mark is not None)


def _cut(stretch: Stretch, marks: Sequence[int]) -> list[Stretch]:
    inner = sorted({mark for mark in marks if stretch.begin < mark < stretch.end})
    edges = [stretch.begin, *inner, stretch.end]
    return [replace(stretch, begin=a, end=b) for a, b in pairwise(edges)]


def _scale(clock: ClockInfo, stop: int, total: int) -> Callable[[int], int]:
    """Ticks to ns so that the stop stamp is at `total`: what was subtracted for the stamps themselves, and what two
    clocks differ by, is taken from the end."""
    late = total - to_ns(clock, stop)

    def at(ticks: int) -> int:
        ns = to_ns(clock, ticks)
        return total if ticks == stop else ns + late if ticks > stop else min(ns, total)

    return at


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Neighbours of one cause together; pieces of no length left out."""
    made: list[Piece] = []
    for piece in pieces:
        if piece.end <= piece.begin:
            continue
        if made and made[-1].cause == piece.cause:
            made[-1] = replace(made[-1], end=piece.end)
        else:
            made.append(piece)
    return made


def _excess(pieces: list[Piece], usual: float, silence: Silence) -> list[Piece]:
    """What the test's own code took beyond the usual is not explained: it is cut from the longest pieces."""
    own = [piece for piece in pieces if piece.cause.kind == "own"]
    spare = sum(piece.end - piece.begin for piece in own) - max(0, round(usual))
    gaps: dict[int, int] = {}
    for piece in sorted(own, key=lambda one: one.begin - one.end):
        taken = min(spare, piece.end - piece.begin)
        if taken > 0:
            gaps[piece.begin] = taken
            spare -= taken
    made = []
    for piece in pieces:
        edge = piece.end - gaps.get(piece.begin, 0)
        if edge > piece.begin:
            made.append(replace(piece, end=edge))
        if edge < piece.end:
            made.append(Piece(edge, piece.end, not_recorded(silence)))
    return made


def _parts(pieces: Sequence[Piece], events: Sequence[Piece]) -> tuple[Part, ...]:
    """`events`: the pieces from event to event."""
    silent: dict[Cause, int] = {}
    for piece in events:
        silent[piece.cause] = max(silent.get(piece.cause, 0), piece.end - piece.begin)
    found: dict[Cause, list[int]] = {}
    for piece in pieces:
        found.setdefault(piece.cause, []).append(piece.end - piece.begin)
    parts = [
        Part(cause, sum(each), len(each), min(max(each), silent.get(cause, max(each)))) for cause, each in found.items()
    ]
    return tuple(sorted(parts, key=lambda part: (-part.ns, part.cause.kind, part.cause.name)))
