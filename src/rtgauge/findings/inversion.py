"""Whether priority inversion is bounded: the work of a bystander must not be in the time that the high thread waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import duration, measured, negative, positive
from rtgauge.findings.naming import label
from rtgauge.units import format_ns

_WORK = "mid-work"  # ns that the bystander works
_HOLD = "hold"  # ns that the owner works under the lock: in the result by definition


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    # without a protocol against inversion the work is there by design
    asked = [
        r for r in measured(results, "MUT-P-INV") if duration(r, _WORK) > 0 and r["params"].get("protocol") != "none"
    ]
    unbounded = [r for r in asked if _waited(r) >= duration(r, _WORK)]
    bounded = [r for r in asked if _waited(r) < duration(r, _WORK)]
    for result in unbounded:
        yield negative(
            f"{label(result, results)}: the high thread waited {format_ns(result['max'])}, which holds the bystander's "
            f"work of {format_ns(duration(result, _WORK))}: priority inversion is not bounded.",
            result,
        )
    if bounded:
        most = max(bounded, key=_waited)
        yield positive(
            f"Priority inversion is bounded: with a bystander that works for {format_ns(duration(most, _WORK))} the "
            f"high thread waited {format_ns(most['max'])} at most.",
            *bounded,
        )


def _waited(result: Result) -> float:
    return float(result["max"]) - duration(result, _HOLD)
