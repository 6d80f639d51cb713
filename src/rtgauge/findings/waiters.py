"""Whether the cost of a service grows with the number of threads that wait for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import measured, negative, positive
from rtgauge.findings.naming import label
from rtgauge.units import format_ns

_VERDICTS = {"grows", "constant"}  # of the analysis `slope`, which sets the thresholds


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    judged = [r for r in measured(results, "SEM-P-SCL") if _slope(r).get("verdict") in _VERDICTS]
    for result in judged:
        slope = _slope(result)
        if slope["verdict"] == "grows":
            each, low, high, few, many = (format_ns(slope[n]) for n in ("slope", "low", "high", "at_from", "at_to"))
            yield negative(
                f"{label(result, results)} grows with the number of {_against(slope)}: {each} for each one more "
                f"(95 % interval {low} to {high}), {few} at {slope['from']}, {many} at {slope['to']}.",
                result,
            )
    constant = [r for r in judged if _slope(r)["verdict"] == "constant"]
    if constant:
        names = "; ".join(label(result, results) for result in constant)
        slope = _slope(constant[0])
        yield positive(
            f"{names}: the cost does not grow with the number of {_against(slope)}, {slope['from']} to {slope['to']}.",
            *constant,
        )


def _slope(result: Result) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (result.get("analysis") or {}).get("slope") or {}
    return found


def _against(slope: Mapping[str, Any]) -> str:
    return str(slope.get("against") or "waiters")
