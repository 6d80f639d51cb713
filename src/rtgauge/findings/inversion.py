"""Whether priority inversion is bounded: the work of a bystander must not be in the time that the high thread waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import label, measured, negative, positive, time

_WORK = "mid-work"  # ns that the bystander works
_HOLD = "hold"  # ns that the owner works under the lock: in the result by definition


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    # without a protocol against inversion the work is there by design
    asked = [r for r in measured(results, "MUT-P-INV") if _of(r, _WORK) > 0 and r["params"].get("protocol") != "none"]
    unbounded = [r for r in asked if _waited(r) >= _of(r, _WORK)]
    bounded = [r for r in asked if _waited(r) < _of(r, _WORK)]
    for result in unbounded:
        yield negative(
            f"{label(result)}: the high thread waited {time(result['max'])}, which holds the bystander's work of "
            f"{time(_of(result, _WORK))}: priority inversion is not bounded.",
            result,
        )
    if bounded:
        most = max(bounded, key=_waited)
        yield positive(
            f"Priority inversion is bounded: with a bystander that works for {time(_of(most, _WORK))} the high thread "
            f"waited {time(most['max'])} at most.",
            *bounded,
        )


def _waited(result: Result) -> float:
    return float(result["max"]) - _of(result, _HOLD)


def _of(result: Result, name: str) -> float:
    value = (result.get("params") or {}).get(name, 0)
    return float(value) if isinstance(value, (int, float)) else 0.0
