"""Periodic threads: how late the latest activation was, and whether any was skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import label, measured, negative, positive, time


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    periodic = measured(results, "TMR-P-CYC")
    late = [r for r in periodic if overruns(r) > 0 or float(r["max"]) >= _interval(r)]
    for result in late:
        yield negative(
            f"{label(result)}: a periodic thread woke up {time(result['max'])} late at worst and skipped "
            f"{overruns(result)} of {overruns(result) + int(result['n'])} activations.",
            result,
        )
    kept = [r for r in periodic if r not in late]
    if kept:
        most = max(kept, key=lambda result: float(result["max"]))
        number = sum(int(r["n"]) for r in kept)
        yield positive(
            f"No activation was skipped in {number} periods; the latest wake-up came {time(most['max'])} after its due "
            f"time, in {label(most)}.",
            *kept,
        )


def overruns(result: Result) -> int:
    """Activations skipped, as the host counted them."""
    found = (result.get("synthetic") or {}).get("overruns", 0)
    return int(found) if isinstance(found, int) else 0


def _interval(result: Result) -> float:
    interval = (result.get("params") or {}).get("interval")
    return float(interval) if isinstance(interval, int) else float("inf")
