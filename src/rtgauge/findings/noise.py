"""How much of the CPU the system takes for itself from a thread that only computes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import evidence, measured, negative, positive
from rtgauge.units import format_ns

SHARE = 1e-3  # of the CPU's time; a tick of 4 us every 4 ms is as much


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    for result in measured(results, "NSE-P-OSN"):
        watched = [value for name, value, _ in evidence(result) if name == "watched" and isinstance(value, int)]
        if not watched or watched[0] <= 0:
            continue
        share = float(result["avg"]) * int(result["n"]) / watched[0]
        told = (
            f"{result['n']} interruptions in {format_ns(watched[0])} of watching took {share * 100:.3g} % of the "
            f"processor's time, the longest {format_ns(result['max'])}"
        )
        if share > SHARE:
            yield negative(f"The system is noisy: {told}.", result)
        else:
            yield positive(f"The system is quiet: {told}.", result)
