"""Round robin: slices of unequal length, and a first slice that is longer than the later ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import evidence, negative, positive, ratio, time


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    tests = [r for r in results if r["id"] == "THR-B-RR" and r["status"] in {"ok", "pass", "fail"}]
    if not tests:
        return
    slices = next((r for r in tests if (r.get("params") or {}).get("part") == "slice" and r.get("n")), tests[0])
    length = f"median {time(slices['median'])}" if slices.get("median") is not None else "length not known"
    first = _first_to_later(slices)
    for name, text in (
        ("first-slice", f"The first slice of a new thread is longer than the later ones ({length}){first}."),
        ("fair", f"Threads of equal priority do not get equal shares of the CPU (slices: {length}{_range(slices)})."),
    ):
        if _check(slices, name) is False:
            yield negative(text, slices)
    if _check(slices, "first-slice") and _check(slices, "fair"):
        yield positive(f"Round robin is fair, and the first slice is like the later ones ({length}).", slices)


def _check(result: Result, name: str) -> bool | None:
    found: Mapping[str, Any] | None = next((c for c in result.get("checks") or () if c.get("name") == name), None)
    return None if found is None else bool(found.get("holds"))


def _first_to_later(result: Result) -> str:
    for name, value, _ in evidence(result):
        if name == "first_to_later_percent" and isinstance(value, int):
            return f": {ratio(value / 100)} times as long"
    return ""


def _range(result: Result) -> str:
    if result.get("min") is None or result.get("max") is None:
        return ""
    return f", {time(result['min'])} to {time(result['max'])}"
