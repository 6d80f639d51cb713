"""Who is to blame for the worst samples: the kernel's own events around them, put together to causes.

Everything is computed from a trace and can be computed again from it. The content is that of `blame` in results.json.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rtgauge.blame.lane import Task, tasks_in
from rtgauge.blame.sample import Opened, Part, Piece, open_up
from rtgauge.blame.silence import Silence, silence_of
from rtgauge.blame.words import phrase, unexplained, verdict_of
from rtgauge.model import ClockInfo, EventWindow, Evidence, Samples, Summary, TestTrace

_Key = tuple[str, str, str]  # kind, name and where of a cause
PIECES_MOST = 300  # of one sample that are kept, the longest ones; its parts hold them all

__all__ = ["blame_series", "broke_on", "open_up"]


def blame_series(
    test: TestTrace, series: int, samples: Samples | None, summary: Summary | None, *, virtual: bool
) -> Mapping[str, Any] | None:
    """What is known of the worst samples of one series; None where no kernel events were kept for it. `virtual`:
    whether the run's time is virtual."""
    windows = {window.index: window for window in test.windows if window.series == series}
    if not windows or samples is None or summary is None or test.clock is None:
        return None
    broke = broke_on(test.evidence)
    ended = broke[0] if broke is not None and broke[1] == samples.raw.info.name else None
    worst = {one.index: (one.value, one.at) for one in summary.worst}
    if ended is not None and ended not in worst:
        worst |= _sample(samples, ended)
    events = [event for window in test.windows for event in window.events]
    cpus = frozenset(event.cpu for event in events)
    scene = _Scene(test.clock, samples, summary, tasks_in(events), cpus, silence_of(virtual))
    told = [
        _told(scene, windows[index], value, at, index == ended)
        for index, (value, at) in worst.items()
        if index in windows
    ]
    without = [index for index in worst if index not in windows]
    made = [one for one in told if one is not None]
    return {"samples": [one for one, _ in made], "causes": _causes([opened for _, opened in made]), "without": without}


def broke_on(evidence: Iterable[Evidence]) -> tuple[int, str] | None:
    """(index, series) of the sample above the limit at which the run was ended; None when none was."""
    told = {line.name: line.value for line in evidence}
    index = told.get("break_on_sample")
    return (index, str(told.get("break_on_series", ""))) if isinstance(index, int) and index >= 0 else None


def _sample(samples: Samples, index: int) -> dict[int, tuple[float, float]]:
    """The value and the time of a sample, by its index on the target; nothing where it was lost."""
    position = index
    for first, count in reversed(samples.raw.missing):
        if first <= index < first + count:
            return {}
        position -= count if index >= first + count else 0
    if position >= samples.n:
        return {}
    value = (int(samples.raw.ticks[position]) - samples.overhead_ticks) * samples.scale
    return {index: (value, float(samples.at_of(np.array([position]))[0]))}


@dataclass(frozen=True)
class _Scene:
    """What the samples of one series have in common."""

    clock: ClockInfo
    samples: Samples
    summary: Summary
    known: Mapping[int, Task]
    cpus: frozenset[int]  # of which any event was recorded
    silence: Silence


def _told(
    scene: _Scene, window: EventWindow, value: float, at: float, broke: bool
) -> tuple[dict[str, Any], Opened] | None:
    if scene.samples.unit != "ns" or value <= 0:
        return None
    periodic = "periodic" in scene.samples.raw.info.analyse
    usual = scene.summary.min if periodic else scene.summary.median
    opened = open_up(window, scene.clock, round(value), usual, periodic, scene.known, scene.silence)
    order = {part.cause: place for place, part in enumerate(opened.parts)}
    incomplete = _incomplete(window, opened, window.cpu in scene.cpus)
    told: dict[str, Any] = {
        "index": window.index,
        "value": value,
        "at": at,
        "cpu": window.cpu,
        "thread": {"id": opened.measured.id, "name": opened.measured.name, "level": opened.measured.level},
        "total": opened.total,
        "unexplained": unexplained(opened.parts),
        "parts": [_part(part) for part in opened.parts],
        "pieces": [[p.begin, p.end, order[p.cause]] for p in _longest(opened.pieces)],
        "phases": [{"name": name, "what": what, "ns": ns} for name, what, ns in opened.phases],
        "events": sum(event.cpu == window.cpu for event in window.events),
        "missed": window.missed,
        "lost": window.lost_by_kernel,
        "odd": opened.odd,
        "incomplete": incomplete,
        "verdict": verdict_of(opened) + (f"; incomplete: {incomplete}" if incomplete else ""),
        "broke": broke,
    }
    if opened.noises:
        told["account"] = [asdict(noise) for noise in opened.noises]
    if broke:
        told["around"] = [
            {"from": p.begin, "to": p.end, "kind": p.cause.kind, "what": phrase(p.cause)}
            for p in _longest(opened.around)
        ]
    return told, opened


def _incomplete(window: EventWindow, opened: Opened, recorded: bool) -> str | None:
    """Why more may have happened than is told, if so."""
    why = []
    if window.missed:
        why.append(f"{window.missed} events of the window were not kept")
    if not window.complete:
        why.append("a part of the window did not arrive")
    if window.lost_by_kernel:
        why.append(f"{window.lost_by_kernel} events were lost by the kernel")
    if opened.odd:
        why.append(f"{opened.odd} events do not fit together")
    if not recorded:
        why.append("no event of this CPU was recorded")
    return "; ".join(why) or None


def _part(part: Part) -> dict[str, Any]:
    told = asdict(part.cause)
    told.pop("where")  # which `what` says
    return {
        **told,
        "what": phrase(part.cause),
        "ns": part.ns,
        "times": part.times,
        "silent": part.silent,
    }


def _longest(pieces: Sequence[Piece]) -> list[Piece]:
    kept = sorted(pieces, key=lambda piece: piece.begin - piece.end)[:PIECES_MOST]
    return sorted(kept, key=lambda piece: piece.begin)


def _causes(samples: Sequence[Opened]) -> list[dict[str, Any]]:
    """Each cause over all samples, the largest in total first. Threads of one name are one cause."""
    found: dict[_Key, list[list[Part]]] = {}
    chief: list[_Key] = []
    for opened in samples:
        here: dict[_Key, list[Part]] = {}
        for part in opened.parts:
            here.setdefault((part.cause.kind, part.cause.name, part.cause.where), []).append(part)
        for key, parts in here.items():
            found.setdefault(key, []).append(parts)
        foreign = [key for key in here if key[0] != "own"] or list(here)
        chief.append(max(foreign, key=lambda key: sum(part.ns for part in here[key]), default=("gap", "no event", "")))
    causes = []
    for (kind, name, where), each in found.items():
        sums = [sum(part.ns for part in parts) for parts in each]
        what = phrase(max((part for parts in each for part in parts), key=lambda part: part.ns).cause)
        causes.append(
            {
                "kind": kind,
                "name": name,
                "what": what,
                "samples": len(each),
                "chief": chief.count((kind, name, where)),
                "total": sum(sums),
                "largest": max(sums),
            }
        )
    return sorted(causes, key=lambda cause: (-cause["total"], cause["kind"], cause["name"]))
