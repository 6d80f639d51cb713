"""Which mechanism for signalling is the slowest, where the others show that it need not be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import clear, each, each_ns, measured, negative, ratio
from rtgauge.findings.latency import batch

FACTOR = 2.0  # slower than the next


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    by_kind: dict[str, Result] = {}
    for result in sorted(measured(results, "SYN-P-SIG"), key=lambda r: batch(r.get("params"))):
        by_kind[str(result["params"].get("kind"))] = result  # the largest batch tells the most
    ordered = sorted((r for r in by_kind.values() if each(r) > 0), key=each)
    if len(ordered) < 2:
        return
    second, slowest = ordered[-2], ordered[-1]
    factor = each(slowest) / each(second)
    if factor >= FACTOR and clear(each(slowest) - each(second), slowest, second):
        yield negative(
            f"Of the ways to signal, {slowest['params']['kind']} is the slowest: {each_ns(slowest)} for a pair, "
            f"{ratio(factor)} times the next ({second['params']['kind']}, {each_ns(second)}).",
            slowest,
            second,
        )
