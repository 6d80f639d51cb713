"""What rules need to look into results.json entries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.errors import UsageError
from rtgauge.findings import Finding, Result
from rtgauge.findings.latency import batch
from rtgauge.units import format_ns, parse_duration

STEPS = 3  # of the clock: a smaller difference of two figures is within what reading the clock does to them


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
    return result.get("unit") == "ns" and result.get("source") != "value" and _of_performance(str(result["id"]))


def _of_performance(id_: str) -> bool:
    return "-P-" in id_ and not id_.startswith("CAL-")


def clear(difference: float, *results: Result) -> bool:
    """Whether a difference of figures is more than a few steps of the coarsest clock behind them."""
    return difference >= STEPS * max(float(result.get("resolution") or 0.0) for result in results)


def each(result: Result, name: str = "median") -> float:
    """A figure for one operation, also where a sample holds a batch of them."""
    return float(result[name]) / batch(result.get("params"))


def each_ns(result: Result, name: str = "median") -> str:
    """`each`, written."""
    return format_ns(each(result, name))


def evidence(result: Result) -> Iterator[tuple[str, Any, str]]:
    """(name, value, unit) of each line of evidence."""
    for line in result.get("evidence") or ():
        yield str(line.get("name", "")), line.get("value"), str(line.get("unit") or "")


def without(params: Mapping[str, Any] | None, *names: str) -> tuple[tuple[str, str], ...]:
    """The parameters but these, comparable."""
    return tuple(sorted((k, str(v)) for k, v in (params or {}).items() if k not in names))


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
