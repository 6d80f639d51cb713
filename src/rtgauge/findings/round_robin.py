"""Round robin: slices of unequal length, and a first slice that is longer than the later ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import evidence, negative, positive, ratio
from rtgauge.units import format_ns


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    tests = [r for r in results if r["id"] == "THR-B-RR"]
    judged = next((r for r in tests if r["status"] in {"pass", "fail"} and r.get("checks")), None)
    if judged is None:
        return
    slices = next((r for r in tests if (r.get("params") or {}).get("part") == "slice" and r.get("n")), None)
    behind = [judged, slices] if slices is not None else [judged]
    length = _length(slices)
    if _holds(judged, "first-slice") is False:
        yield negative(
            f"The first slice of a new thread is longer than the later ones{_first_to_later(judged)}{length}.", *behind
        )
    if _holds(judged, "fair") is False:
        yield negative(f"Threads of equal priority do not get equal shares of the CPU{length}.", *behind)
    if _holds(judged, "first-slice") and _holds(judged, "fair"):
        yield positive(f"Round robin is fair, and the first slice is like the later ones{length}.", *behind)


def _holds(result: Result, name: str) -> bool | None:
    found: Mapping[str, Any] | None = next((c for c in result.get("checks") or () if c.get("name") == name), None)
    return None if found is None else bool(found.get("holds"))


def _first_to_later(result: Result) -> str:
    for name, value, _ in evidence(result):
        if name == "first_to_later_percent" and isinstance(value, int):
            return f", {ratio(value / 100)} times as long"
    return ""


def _length(slices: Result | None) -> str:
    if slices is None:
        return ""
    shortest, middle, longest = (format_ns(float(slices[name])) for name in ("min", "median", "max"))
    return f" (slices from {shortest} to {longest}, median {middle})"
