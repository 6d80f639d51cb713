"""What a run says, as plain facts that can be stored and compared: for each result its status, checks and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rtgauge.model import ClockInfo, Evaluation, Result, Summary, Trace
from rtgauge.targets.base import Ending
from rtgauge.verdict import name_of

Fact = str | int | float | None
Facts = dict[str, Fact]
Seen = dict[str, Facts]
"""Facts by the name of the result, e.g. "THR-P-SLS threads=2". Names in small letters are not results: "clock" is the
record of the stamp clock, "trace ID" what is damaged in the trace of a test, "engine ID" how the engine ended there."""

CALIBRATION = "CAL-P-TRC"
_COUNTS = ("lost", "negatives")
_FIGURES = ("min", "median", "max")
_ANALYSES = {
    "ticks": ("typical", "worst", "contrast"),
    "slope": ("verdict", "slope"),
    "trend": ("verdict",),
    "blocking": ("longest",),
    "peaks": ("every",),
}
_EVIDENCE = ("kernel_entered", "tick_ns", "counter_step", "largest_count", "cpu_changes", "order_violations")
"""Beginnings of the names of evidence that depends on the system alone, and not on when a test ran."""


def facts_of(test: str, evaluation: Evaluation, trace: Trace, ending: Ending) -> Seen:
    """What the run of one test says."""
    seen = {name_of(result): dict(_result(result)) for result in evaluation.results}
    if trace.problems:
        seen[f"trace {test}"] = {"problems": "; ".join(_kinds(trace.problems))}
    said = [*(death.reason for death in ending.deaths), ending.why]
    if any(said):
        seen[f"engine {test}"] = {"ended": "; ".join(dict.fromkeys(line for line in said if line))}
    if test == CALIBRATION:
        seen["clock"] = _clock(trace.clock) if trace.clock else {"why": trace.why}
    return seen


def _kinds(problems: Sequence[str]) -> list[str]:
    """The first of the problems, and how many there are more."""
    more = len(problems) - 1
    return [problems[0], f"{more} more"] if more else [problems[0]]


def _result(result: Result) -> Iterator[tuple[str, Fact]]:
    yield "status", f"{result.status}: {result.reason}" if result.reason else result.status
    for check in result.checks:
        yield f"check {check.name}", "holds" if check.holds else "does not hold"
    for name, why in result.unchecked:
        yield f"check {name}", f"not made: {why}"
    if result.summary is not None:
        yield from _figures(result.summary)
    for line in result.evidence:
        if line.name.startswith(_EVIDENCE):
            yield f"evidence {line.name}", line.value


def _figures(summary: Summary) -> Iterator[tuple[str, Fact]]:
    for name in (*_COUNTS, *_FIGURES):
        yield name, getattr(summary, name)
    yield "unmeasurable", "yes" if summary.unmeasurable else "no"
    for analysis, names in _ANALYSES.items():
        record = summary.analysis.get(analysis)
        if record is not None:
            yield from ((f"{analysis}.{name}", _plain(record.get(name))) for name in names)
            for number, expiries in record.get("by_aux", {}).items():
                if number != "0":
                    yield f"{analysis}.expiries {number}", _plain(expiries["typical"])
    if summary.synthetic is not None:
        yield "overruns", summary.synthetic["overruns"]


def _plain(value: Any) -> Fact:
    return round(value, 3) if isinstance(value, float) else value


def _clock(clock: ClockInfo) -> Facts:
    names = ("name", "width", "resolution", "overhead", "cpu_offset")
    return {name: getattr(clock, name) for name in names}


def owner_of(name: str) -> str:
    """The test that a name of `Seen` belongs to; "clock" where it is none's."""
    words = name.split()
    return words[1] if words[0] in ("trace", "engine") else words[0]
