"""A sample's blame in one line, for people."""

from __future__ import annotations

from collections.abc import Sequence

from rtgauge.blame.causes import KEPT, UNTIL, Cause, rank
from rtgauge.blame.sample import Opened, Part
from rtgauge.blame.silence import Silence
from rtgauge.units import format_ns

_NAMED = 4  # causes that are told one by one
_SHARE = 0.02  # of a sample: a smaller part is told with the others
_SILENT = 100_000  # ns in one stretch of an interrupt: so long, one rarely lasts by itself
_TOLD = 0.1  # of a sample: where more is not explained, it is said what it may be


def verdict_of(opened: Opened) -> str:
    """`186 us: 120 us ksoftirqd/1 (normal), 40 us interrupt local_timer, 26 us not explained`"""
    known = [part for part in opened.parts if part.cause.kind != "gap"]
    told = [part for part in known[:_NAMED] if part.ns >= _SHARE * opened.total] or known[:1]
    rest = sum(part.ns for part in known) - sum(part.ns for part in told)
    words = [f"{format_ns(part.ns)} {phrase(part.cause)}{_times(part, opened.silence)}" for part in told]
    if rest:
        number = len(known) - len(told)
        words.append(f"{format_ns(rest)} in {number} other{'' if number == 1 else 's'}")
    gap = unexplained(opened.parts)
    why = _why(opened.parts) if gap >= _TOLD * opened.total else ""
    words.append(f"{format_ns(gap)} not explained{why}" if gap else "nothing unexplained")
    return f"{format_ns(opened.total)}: {', '.join(words)}"


def unexplained(parts: Sequence[Part]) -> int:
    """ns that no event accounts for."""
    return sum(part.ns for part in parts if part.cause.kind == "gap")


def phrase(cause: Cause) -> str:
    """A cause as a line or a table names it."""
    if cause.kind == "thread":
        how = "not pre-empted" if cause.note.startswith(KEPT) else ""
        how = "until a switch that was not recorded" if cause.note == UNTIL else how
        words = [word for word in (rank(cause.level), how) if word]
        return f"{cause.name} ({', '.join(words)})" if words else cause.name
    if cause.kind == "fair-server":
        return f"{cause.name} ({rank(cause.level) or 'normal'}, ahead of a ready real-time thread: fair server)"
    if cause.kind == "late" and cause.where:
        return f"until the timer interrupt was taken, while {cause.name} ran {cause.where}"
    return {
        "interrupt": f"interrupt {cause.name}",
        "tick": f"clock tick {cause.name}",
        "timer": f"timer function {cause.name}",
        "softirq": f"softirq {cause.name}",
        "nmi": "NMI",
        "tracing": "the recording itself",
        "late": f"until the timer interrupt was taken, {'idle' if cause.name == 'idle' else f'while {cause.name} ran'}",
        "switch": "leaving idle" if cause.name == "idle" else cause.name,
        "idle": "idle",
        "throttled": "idle, real-time threads throttled",
        "own": "the test's own threads",
        "gap": "not explained" if cause.name == "no event" else cause.note,
    }[cause.kind]


def _times(part: Part, silence: Silence) -> str:
    upon = part.cause.kind in ("interrupt", "softirq", "tick", "timer")
    words = []
    if part.times > 1 and (upon or part.cause.kind in ("thread", "fair-server")):
        words.append(f"{part.times} times")
    if upon and part.silent >= _SILENT:
        words.append(f"{format_ns(part.silent)} of it {silence.handler}")
    return f" ({', '.join(words)})" if words else ""


def _why(parts: Sequence[Part]) -> str:
    notes = dict.fromkeys(part.cause.note for part in parts if part.cause.kind == "gap" and part.cause.note)
    return f" ({'; '.join(notes)})" if notes else ""
