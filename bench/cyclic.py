"""TMR-P-CYC against cyclictest: same policy, priority, interval and CPU, alternated.

Both are set alike: cpu_dma_latency is left alone (cyclictest would hold it at 0), and cyclictest's main thread, which
wakes up every 10 ms, is kept off the CPU under test, as the host of rtgauge is: there it keeps an idle CPU awake, and
the measured thread then wakes up some 10 % earlier. A process of our own that sleeps for 10 ms in a loop on that CPU
makes the same difference for TMR-P-CYC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from _engine import last_cpu, nanoseconds, other_cpu, run
from _figure import Figure, against, alternate
from _readings import Reading, reading_of
from _rttests import run_for_json
from rtgauge.model import Job

PRIORITY, INTERVAL_US, LOOPS, PAIRS = 90, 1000, 2000, 10
HISTOGRAM_NS = 1_000_000  # cyclictest's largest


@dataclass(frozen=True)
class Lateness:
    """What one instrument said in one run."""

    reading: Reading
    p99: float  # ns
    overruns: int  # ours: skipped activations; cyclictest's: beyond its histogram


def ours() -> Lateness:
    params: dict[str, str | int] = {"interval": INTERVAL_US * 1000, "threads": 1, "policy": "fifo", "priospread": "off"}
    trace = run(Job("TMR-P-CYC", LOOPS, params), level=PRIORITY - 1)
    test = trace.tests[0]
    values = nanoseconds(trace, test)
    due = test.series[0].start.astype(np.int64)
    skipped = int(np.sum(np.diff(due) // (INTERVAL_US * 1000) - 1))
    return Lateness(reading_of(values), float(np.percentile(values, 99)), skipped)


def percentile(histogram: dict[str, int], overflows: int, share: float) -> float:
    """Smallest latency (ns) with at least `share` of all samples at or below it; overflows lie above all."""
    points = sorted((int(ns), count) for ns, count in histogram.items())
    wanted = share * (sum(count for _, count in points) + overflows)
    seen = 0
    for ns, count in points:
        seen += count
        if seen >= wanted:
            return float(ns)
    return float(HISTOGRAM_NS)


def lateness_of(document: dict[str, Any]) -> Lateness:
    """Of cyclictest's one thread, with its histogram in ns."""
    thread = document["thread"]["0"]
    histogram = thread["histogram"]
    overflows = thread["cycles"] - sum(histogram.values())
    reading = Reading(thread["cycles"], float(thread["min"]), percentile(histogram, overflows, 0.5), thread["avg"])
    return Lateness(reading, percentile(histogram, overflows, 0.99), overflows)


def cyclictest() -> dict[str, Any]:
    options = ["-q", "-m", "-p", str(PRIORITY), "-i", str(INTERVAL_US), "-l", str(LOOPS), "-t", "1"]
    options += ["-a", str(last_cpu()), "-N", "-h", str(HISTOGRAM_NS), "--laptop", f"--mainaffinity={other_cpu()}"]
    return run_for_json("cyclictest", options)


def theirs() -> Lateness:
    return lateness_of(cyclictest())


def measure() -> Iterator[Figure]:
    theirs(), ours()  # both warm
    pairs = alternate(ours, theirs, PAIRS)
    figures = {
        "median": [(u.reading.median or 0.0, t.reading.median or 0.0) for u, t in pairs],
        "p99": [(u.p99, t.p99) for u, t in pairs],
    }
    for name, both in figures.items():
        us, them = zip(*both, strict=True)
        yield against(f"TMR-P-CYC {name} against cyclictest", us, them, "ns", 1.0)
    note = f"cyclictest counts no skipped periods; its latencies above 1 ms: {sum(t.overruns for _, t in pairs)}"
    yield Figure("TMR-P-CYC overruns (skipped activations)", sum(u.overruns for u, _ in pairs), "count", note=note)
