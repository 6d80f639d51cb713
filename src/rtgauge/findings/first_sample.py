"""The first sample of a series pays for caches and page faults; a real system meets it after every start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import clear, has_figures, negative, ratio, timed
from rtgauge.findings.naming import label
from rtgauge.units import format_ns

FACTOR = 3.0  # above all other samples by so much: no ordinary outlier, even of a short series


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    slow = [r for r in results if has_figures(r) and timed(r) and _factor(r) >= FACTOR]
    if not slow:
        return
    most = max(slow, key=_factor)
    where = (
        f"in {label(most, results)}" if len(slow) == 1 else f"in {len(slow)} results, most in {label(most, results)}"
    )
    yield negative(
        f"The first sample is far above all others {where}: {format_ns(most['first'])}, {ratio(_factor(most))} times "
        "the largest after it. Run a path once before its deadline counts.",
        *sorted(slow, key=_factor, reverse=True),
    )


def _factor(result: Result) -> float:
    """First sample against the largest after it; 0 where that says nothing."""
    first, later = result.get("first"), result.get("max_after_first")
    if first is None or later is None or later <= 0 or not clear(float(first) - float(later), result):
        return 0.0
    return float(first) / float(later)
