"""Whether a switch takes longer the more threads are ready."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import clear, measured, negative, positive, ratio
from rtgauge.units import format_ns

FACTOR = 1.5  # growth from the fewest to the most threads that the caches of 1 000 stacks alone do not explain away


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    switches = [r for r in measured(results, "THR-P-SLS") if isinstance(r["params"].get("threads"), int)]
    by_number = {r["params"]["threads"]: r for r in switches}
    numbers = sorted(by_number)
    if len(numbers) < 2 or not by_number[numbers[0]]["median"] > 0:
        return
    ordered = [by_number[number] for number in numbers]
    few, many = ordered[0], ordered[-1]
    factor = float(many["median"]) / float(few["median"])
    told = f"median {format_ns(few['median'])} with {numbers[0]}, {format_ns(many['median'])} with {numbers[-1]}"
    if factor >= FACTOR and clear(float(many["median"]) - float(few["median"]), few, many):
        yield negative(f"A thread switch takes longer with more threads: {told} ({ratio(factor)} times).", *ordered)
    else:
        yield positive(f"A thread switch takes about as long whatever the number of threads: {told}.", *ordered)
