"""The system's own events around single samples: records `events` to the EventWindows of a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from rtgauge.model import EventKind, EventWindow, KernelEvent
from rtgauge.trace.fields import INT_MAX, UINT_MAX, FieldError, clean, entries, uint

PARTS_MAX = 256  # of one window
PARTS_OF_TEST = 4096
EVENTS_MAX = 1_000_000  # of one test
NAME_MAX = 64
CPU_MAX = 1 << 20
_KINDS: tuple[str, ...] = get_args(EventKind)
_FIELDS = 9


@dataclass(frozen=True)
class WindowPart:
    """One record. All parts of a window say the same but for `part`, `missed` and their events."""

    window: EventWindow  # with the events of this part
    part: int
    parts: int


def read_part(record: dict[str, Any], series: int) -> WindowPart:
    """`series`: how many the test has. Raises FieldError."""
    part, parts = uint(record, "part"), uint(record, "parts", most=PARTS_MAX)
    if uint(record, "series") >= series:
        raise FieldError("there is no such series")
    if part >= parts:
        raise FieldError("part is not below parts")
    window = EventWindow(
        series=uint(record, "series"),
        index=uint(record, "index"),
        begin=uint(record, "from", most=UINT_MAX),
        end=uint(record, "to", most=UINT_MAX),
        start=uint(record, "start", most=UINT_MAX),
        stop=uint(record, "stop", most=UINT_MAX),
        cpu=uint(record, "cpu", most=CPU_MAX),
        missed=uint(record, "missed"),
        lost_by_kernel=uint(record, "lost_by_kernel"),
        events=tuple(_event(one) for one in entries(record, "list")),
    )
    return WindowPart(window, part, parts)


def join_parts(parts: Sequence[WindowPart]) -> tuple[EventWindow, ...]:
    """The windows, in the order in which they came. Where a part did not arrive, `complete` is False."""
    found: dict[tuple[int, int], dict[int, WindowPart]] = {}
    for one in parts:
        found.setdefault((one.window.series, one.window.index), {}).setdefault(one.part, one)
    return tuple(_join(numbered) for numbered in found.values())


def _join(numbered: dict[int, WindowPart]) -> EventWindow:
    ordered = [numbered[number] for number in sorted(numbered)]
    first = ordered[0].window
    return EventWindow(
        series=first.series,
        index=first.index,
        begin=first.begin,
        end=first.end,
        start=first.start,
        stop=first.stop,
        cpu=first.cpu,
        missed=first.missed,
        lost_by_kernel=first.lost_by_kernel,
        events=tuple(event for one in ordered for event in one.window.events),
        complete=len(ordered) == max(one.parts for one in ordered),
    )


def _event(fields: Any) -> KernelEvent:
    if not isinstance(fields, list) or len(fields) != _FIELDS:
        raise FieldError(f"an event that is not an array of {_FIELDS}")
    at, cpu, kind, id_, other, level, name, state, due = fields
    if kind not in _KINDS:
        raise FieldError("an event of an unknown kind")
    return KernelEvent(
        at=_number(at, 0, UINT_MAX),
        cpu=_number(cpu, 0, CPU_MAX),
        kind=kind,
        id=_number(id_, -INT_MAX, INT_MAX),
        other=_number(other, -INT_MAX, INT_MAX),
        level=_number(level, -INT_MAX, INT_MAX),
        name=_text(name),
        prev_state=_text(state),
        due_ns=_number(due, 0, UINT_MAX),
    )


def _number(value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise FieldError("a number of an event is out of its range")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise FieldError("a name of an event is not text")
    return clean(value, NAME_MAX)
