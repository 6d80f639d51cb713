"""Stored runs of the same as one side of the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path as File
from typing import Any

from rtgauge.errors import StoreError
from rtgauge.gate import direction
from rtgauge.gate.identity import first_difference, identity_of, ns_per_instruction, subject_of
from rtgauge.gate.paths import Taken, paths_of
from rtgauge.gate.spread import joined
from rtgauge.gate.values import STATUSES, Key, Line, Pairs, Path, Side
from rtgauge.repeats import OneRun, one_run
from rtgauge.repeats.skipped import with_skipped
from rtgauge.repeats.values import OneResult
from rtgauge.store.readers import StoredRun, open_run

TAILS = ("p99.9", "p99")  # the first that the samples of a run support
INSTRUCTIONS = "instr"


class UnlikeError(StoreError):
    """Runs of one side that are not repeats of the same."""


def measured(name: str, folders: Sequence[File]) -> Side:
    """`name`: of the side. StoreError where a run cannot be read; UnlikeError where runs are not of the same."""
    stored = [open_run(folder) for folder in folders]
    runs = [one_run(one.results, one.manifest, one.state) for one in stored]
    identities = [identity_of(one.results, one.manifest) for one in stored]
    subjects = [subject_of(one.results, one.manifest) for one in stored]
    for told in (identities, subjects):
        for one, other in zip(told[1:], stored[1:], strict=True):
            difference = first_difference(one, told[0])
            if difference:
                raise UnlikeError(f"{other.id} is no repeat of {stored[0].id}: {difference}")
    lines = [_lines(one, run, identities[0].get("time") == "virtual") for one, run in zip(stored, runs, strict=True)]
    keys = dict.fromkeys(key for found in lines for key in found)
    joined = {key: _joined([found[key] for found in lines if key in found]) for key in keys}
    return Side(
        name=name,
        identity=identities[0],
        subject=subjects[0],
        runs=len(stored),
        varied=any(_varied(line) for line in joined.values()),
        lines=joined,
        made=f"{stored[0].id} and {len(stored) - 1} more" if len(stored) > 1 else stored[0].id,
        notes=tuple(f"{one.id}: {problem}" for one in stored for problem in one.problems),
    )


def _lines(stored: StoredRun, run: OneRun, virtual: bool) -> dict[Key, Line]:
    entries: list[Mapping[str, Any]] = list(stored.results.get("results") or ())
    paths: dict[int, Taken] = {}
    if virtual:
        more = [direction.of(_key(one, 0), one.unit or "") == "more" for one in _all(run)]
        paths = paths_of(stored, entries, more)
    ns = ns_per_instruction(stored.manifest) if virtual else None
    found: dict[Key, Line] = {}
    for place, (entry, result) in enumerate(zip(entries, _all(run), strict=True)):
        key = _key(result, 0)
        while key in found:
            key = replace(key, place=key.place + 1)
        line = _line(key, entry, result, paths.get(place))
        found[key] = line if ns is None else _in_instructions(line, ns)
    return found


def _all(run: OneRun) -> Sequence[OneResult]:
    """In the order of results.json."""
    return list(run.results.values())


def _key(result: OneResult, place: int) -> Key:
    return Key(result.id, _pairs(result.params), _pairs(result.environment), place)


def _pairs(words: Mapping[str, Any]) -> Pairs:
    return tuple(sorted((str(name), str(value)) for name, value in words.items()))


def _line(key: Key, entry: Mapping[str, Any], result: OneResult, taken: Taken | None) -> Line:
    line = Line(key, *_status(result))
    if line.status != "ok":
        return line
    figures = with_skipped(entry, result.figures)
    tail = next((name for name in TAILS if name in figures), "")
    lost = result.lost or 0
    return replace(
        line,
        unit=result.unit or "",
        step=float(entry.get("resolution") or 0.0),
        n=result.n,
        lost=lost / (result.n + lost) if lost > 0 else 0.0,
        medians=(figures["median"],),
        tail=tail,
        tails=(figures[tail],) if tail else (),
        maximum=figures.get("max"),
        paths=() if taken is None else taken[:1],
        spread=() if taken is None else taken[1],
    )


def _status(result: OneResult) -> tuple[str, str]:
    """And the reason. What is called good and has no figures is not."""
    if result.status is None:
        return "invalid", "the run ended before it"
    if result.status not in STATUSES:
        return "invalid", f"unknown status {result.status}"
    if result.status == "ok" and "median" not in result.figures:
        return "invalid", "it has no figures"
    return result.status, result.reason or ""


def _in_instructions(line: Line, ns: float) -> Line:
    if line.unit != "ns":
        return line

    def path(one: Path) -> Path:
        taken = tuple((round(value / ns, 6), share) for value, share in one.taken)
        return Path(None if one.value is None else round(one.value / ns, 6), one.share, taken)

    return replace(
        line,
        unit=INSTRUCTIONS,
        step=line.step / ns,
        medians=tuple(one / ns for one in line.medians),
        tails=tuple(one / ns for one in line.tails),
        maximum=None if line.maximum is None else line.maximum / ns,
        paths=tuple(path(one) for one in line.paths),
        spread=tuple((round(low / ns, 6), round(high / ns, 6)) for low, high in line.spread),
    )


def _joined(lines: Sequence[Line]) -> Line:
    """One result of several runs."""
    first = min(lines, key=lambda one: STATUSES.index(one.status))
    counting = [one for one in lines if one.medians and one.unit == first.unit]
    names = {one.tail for one in counting}
    tail = names.pop() if len(names) == 1 else ""
    return replace(
        first,
        n=min((one.n for one in counting), default=0),
        lost=max((one.lost for one in counting), default=0.0),
        medians=tuple(value for one in counting for value in one.medians),
        tail=tail,
        tails=tuple(value for one in counting for value in one.tails) if tail else (),
        maximum=max((one.maximum for one in counting if one.maximum is not None), default=None),
        paths=tuple(path for one in counting for path in one.paths),
        spread=joined([one.spread for one in counting]) if all(one.spread for one in counting) else (),
    )


def _varied(line: Line) -> bool:
    return any(len(set(values)) > 1 for values in (line.medians, line.tails, line.paths))
