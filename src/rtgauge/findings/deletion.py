"""Whether deleting a semaphore costs more once it was used: figures of one operation, whatever the batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import clear, each, each_ns, measured, negative, positive, ratio, without
from rtgauge.findings.naming import differing, variant

FACTOR = 1.25  # medians of two runs of the same code differ by less
_NAME = "scenario"

Pair = tuple[Result, Result]  # used, unused


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    deletions = [r for r in measured(results, "SEM-P-NEW") if r["params"].get("part") == "deletion"]
    unused = {without(r["params"], _NAME): r for r in deletions if r["params"].get(_NAME) == "unused"}
    pairs = [
        (used, unused[key])
        for used in deletions
        for key in (without(used["params"], _NAME),)
        if used["params"].get(_NAME) == "used" and key in unused and unused[key]["median"] > 0
    ]
    slower = [pair for pair in pairs if _factor(pair) >= FACTOR and clear(_longer(pair), *pair)]
    if slower:
        most = max(slower, key=_factor)
        yield negative(
            f"Deleting a semaphore{_which(most, deletions)} takes longer once it was used: {_told(most)} "
            f"({ratio(_factor(most))} times).",
            *most,
        )
    elif pairs:
        most = max(pairs, key=_longer)
        yield positive(
            f"Deleting a semaphore takes about as long after use as without: {_told(most)}.",
            *most,
        )


def _factor(pair: Pair) -> float:
    return each(pair[0]) / each(pair[1])


def _longer(pair: Pair) -> float:
    return each(pair[0]) - each(pair[1])


def _told(pair: Pair) -> str:
    return f"median {each_ns(pair[0])} used, {each_ns(pair[1])} unused, for each"


def _which(pair: Pair, deletions: Sequence[Result]) -> str:
    """The parameters of this pair among all deletions that were measured."""
    apart = [name for name in differing(deletions) if name not in {_NAME, "batch"}]
    return f" with {variant(pair[0], apart)}" if apart else ""
