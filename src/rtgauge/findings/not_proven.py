"""What was not permitted: nothing is known about it, which is a point against the run, not against the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import negative


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    denied = [result for result in results if result["status"] == "not-permitted"]
    if not denied:
        return
    reasons = list(dict.fromkeys(str(r.get("reason") or "a privilege is missing") for r in denied))
    why = reasons[0] + (f" (and {len(reasons) - 1} other reasons)" if len(reasons) > 1 else "")
    if len(denied) == len(results):
        yield negative(f"Nothing could be proven: no test was permitted: {why}.", *denied)
    else:
        yield negative(f"Nothing is proven by {len(denied)} of {len(results)} results: not permitted: {why}.", *denied)
