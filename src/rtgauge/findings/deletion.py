"""Whether deleting a semaphore costs more once it was used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import measured, negative, positive, ratio, without
from rtgauge.units import format_ns

FACTOR = 1.25  # medians of two runs of the same code differ by less
_NAME = "scenario"


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    deletions = [r for r in measured(results, "SEM-P-NEW") if r["params"].get("part") == "deletion"]
    unused = {without(r["params"], _NAME): r for r in deletions if r["params"].get(_NAME) == "unused"}
    pairs = [
        (used, unused[key])
        for used in deletions
        for key in (without(used["params"], _NAME),)
        if used["params"].get(_NAME) == "used" and key in unused and unused[key]["median"] > 0
    ]
    if not pairs:
        return
    used, fresh = max(pairs, key=lambda pair: float(pair[0]["median"]) / float(pair[1]["median"]))
    factor = float(used["median"]) / float(fresh["median"])
    told = f"median {format_ns(used['median'])} used, {format_ns(fresh['median'])} unused"
    if factor >= FACTOR:
        yield negative(
            f"Deleting a semaphore takes longer once it was used: {told} ({ratio(factor)} times).", used, fresh
        )
    else:
        yield positive(f"Deleting a semaphore takes no longer once it was used: {told}.", used, fresh)
