"""What rules need to look into results.json entries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.findings import Finding, Result

DURATIONS = frozenset({"interval", "period", "mid-work", "hold"})  # parameters of tests that are lengths of time


def positive(text: str, *results: Result) -> Finding:
    return Finding("positive", text, tuple(because(result) for result in results))


def negative(text: str, *results: Result) -> Finding:
    return Finding("negative", text, tuple(because(result) for result in results))


def because(result: Result) -> dict[str, Any]:
    return {"id": result["id"], "params": dict(result.get("params") or {}), "status": result["status"]}


def measured(results: Sequence[Result], id_: str) -> list[Result]:
    """The results of a test that hold figures which may be used: measurable, and no premise broken."""
    return [r for r in results if r["id"] == id_ and has_figures(r)]


def has_figures(result: Result) -> bool:
    return result["status"] in {"ok", "pass", "fail"} and bool(result.get("n")) and not result.get("unmeasurable")


def timed(result: Result) -> bool:
    """Whether the samples are lengths of time that the system caused (not a calibration of the instrument)."""
    return result.get("unit") == "ns" and result.get("source") != "value" and not result["id"].startswith("CAL-")


def evidence(result: Result) -> Iterator[tuple[str, Any, str]]:
    """(name, value, unit) of each line of evidence."""
    for line in result.get("evidence") or ():
        yield str(line.get("name", "")), line.get("value"), str(line.get("unit") or "")


def without(params: Mapping[str, Any] | None, *names: str) -> tuple[tuple[str, str], ...]:
    """The parameters but these, comparable."""
    return tuple(sorted((k, str(v)) for k, v in (params or {}).items() if k not in names))


def label(result: Result) -> str:
    """`SEM-P-ARC (part acquire)`"""
    words = ", ".join(param(name, value) for name, value in (result.get("params") or {}).items())
    return f"{result['id']} ({words})" if words else str(result["id"])


def param(name: str, value: Any) -> str:
    """One parameter in words. Durations are in nanoseconds: their names say so."""
    return f"{name} {time(value)}" if name in DURATIONS and isinstance(value, int) else f"{name} {value}"


def time(ns: float) -> str:
    """A length of time in words, three digits of it."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(ns) >= size:
            return f"{_digits(ns / size)} {unit}"
    return f"{_digits(ns)} ns"


def ratio(value: float) -> str:
    """A factor, three digits of it."""
    return _digits(value)


def _digits(value: float) -> str:
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
