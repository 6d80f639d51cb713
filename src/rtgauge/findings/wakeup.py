"""Periodic threads: how late the latest activation was, and whether any was skipped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import duration, measured, negative, positive
from rtgauge.findings.naming import label
from rtgauge.units import format_ns


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    periodic = measured(results, "TMR-P-CYC")
    late = [r for r in periodic if overruns(r) > 0 or float(r["max"]) >= (duration(r, "interval") or math.inf)]
    for result in late:
        yield negative(
            f"{label(result, results)}: a periodic thread woke up {format_ns(result['max'])} late at worst and skipped "
            f"{overruns(result)} of {overruns(result) + int(result['n'])} activations.",
            result,
        )
    kept = [r for r in periodic if r not in late]
    if kept:
        most = max(kept, key=lambda result: float(result["max"]))
        number = sum(int(r["n"]) for r in kept)
        yield positive(
            f"No activation was skipped in {number} periods; the latest wake-up came {format_ns(most['max'])} after "
            f"its due time, in {label(most, results)}.",
            *kept,
        )


def overruns(result: Result) -> int:
    """Activations skipped, as the host counted them."""
    found = (result.get("synthetic") or {}).get("overruns", 0)
    return int(found) if isinstance(found, int) else 0
