"""Process against thread: what the same exchange costs more when it crosses from one address space to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import clear, each, each_ns, measured, negative, positive, ratio, without
from rtgauge.findings.naming import label

TESTS = ("SYN-P-RTT", "MSG-P-LAT", "SIG-P-LAT")
FACTOR = 1.5  # a process has another address space to load; half as much again is more than that explains


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    pairs = [pair for test in TESTS for pair in _pairs(measured(results, test))]
    dear = [(t, p) for t, p in pairs if each(p) >= FACTOR * each(t) and clear(each(p) - each(t), t, p)]
    for thread, process in dear:
        yield negative(
            f"{label(process, results)}: between processes {each_ns(process)}, between threads {each_ns(thread)} "
            f"({ratio(each(process) / each(thread))} times; medians).",
            process,
            thread,
        )
    if pairs and not dear:
        worst = max(pairs, key=lambda pair: each(pair[1]) / each(pair[0]))
        yield positive(
            f"Processes exchange about as fast as threads: at most {ratio(each(worst[1]) / each(worst[0]))} times the "
            f"median ({label(worst[1], results)}).",
            *(result for pair in pairs for result in pair),
        )


def _pairs(found: Sequence[Result]) -> Iterator[tuple[Result, Result]]:
    """(thread, process) of results that are alike in all else."""
    threads = {
        without(r.get("params"), "peers"): r
        for r in found
        if r["params"].get("peers") == "thread" and r.get("unit") == "ns" and each(r) > 0
    }
    for result in found:
        like = threads.get(without(result.get("params"), "peers"))
        if result["params"].get("peers") == "process" and like is not None:
            yield like, result
