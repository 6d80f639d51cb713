"""What rules need to look into results.json entries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.errors import UsageError
from rtgauge.findings import Finding, Result
from rtgauge.units import parse_duration


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
    words = ", ".join(f"{name} {value}" for name, value in (result.get("params") or {}).items())
    return f"{result['id']} ({words})" if words else str(result["id"])


def duration(result: Result, name: str) -> float:
    """A parameter that is a length of time (`"1ms"`) in ns; 0 where there is none."""
    value = (result.get("params") or {}).get(name)
    try:
        return float(parse_duration(str(value)))
    except UsageError:
        return 0.0


def ratio(value: float) -> str:
    """A factor, three digits of it."""
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if value and math.isfinite(value) else 0
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
