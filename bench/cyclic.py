"""TMR-P-CYC against cyclictest: same policy, priority, interval and CPU, alternated.

Both are set alike: cpu_dma_latency is left alone (cyclictest would hold it at 0), and cyclictest's main thread, which
wakes up every 10 ms, is kept off the CPU under test, as the host of rtgauge is: there it keeps an idle CPU awake, and
the measured thread then wakes up some 10 % earlier. A process of our own that sleeps for 10 ms in a loop on that CPU
makes the same difference for TMR-P-CYC."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from _engine import UnmeasuredError, last_cpu, nanoseconds, other_cpu, run
from _figure import Figure, against
from rtgauge.model import Job

PRIORITY, INTERVAL_US, LOOPS, PAIRS = 90, 1000, 2000, 10
HISTOGRAM_NS = 1_000_000  # cyclictest's largest


def ours() -> dict[str, float]:
    params: dict[str, str | int] = {"interval": INTERVAL_US * 1000, "threads": 1, "policy": "fifo", "priospread": "off"}
    trace = run(Job("TMR-P-CYC", LOOPS, params), level=PRIORITY - 1)
    test = trace.tests[0]
    values = nanoseconds(trace, test)
    due = test.series[0].start.astype(np.int64)
    skipped = int(np.sum(np.diff(due) // (INTERVAL_US * 1000) - 1))
    return {"median": float(np.median(values)), "p99": float(np.percentile(values, 99)), "overruns": float(skipped)}


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


def theirs() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = ["cyclictest", "-q", "-m", "-p", str(PRIORITY), "-i", str(INTERVAL_US), "-l", str(LOOPS), "-t", "1"]
        command += ["-a", str(last_cpu()), "-N", "-h", str(HISTOGRAM_NS), "--laptop", f"--json={result}"]
        command += [f"--mainaffinity={other_cpu()}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UnmeasuredError(f"cyclictest: {done.stderr.strip().splitlines()[-1:]}")
        thread: dict[str, Any] = json.loads(result.read_text())["thread"]["0"]
    histogram = thread["histogram"]
    overflows = thread["cycles"] - sum(histogram.values())
    return {
        "median": percentile(histogram, overflows, 0.5),
        "p99": percentile(histogram, overflows, 0.99),
        "overruns": float(overflows),
    }


def measure() -> Iterator[Figure]:
    if shutil.which("cyclictest") is None:
        raise UnmeasuredError("cyclictest is not installed (package rt-tests)")
    ours(), theirs()  # both warm
    us, them = [], []
    for pair in range(PAIRS):  # each goes first in every second pair, so that a drift favours neither
        first, second = (ours, theirs) if pair % 2 == 0 else (theirs, ours)
        results = {first: first(), second: second()}
        us.append(results[ours])
        them.append(results[theirs])
    for figure in ("median", "p99"):
        name = f"TMR-P-CYC {figure} against cyclictest"
        yield against(name, [u[figure] for u in us], [t[figure] for t in them], "ns", 1.0)
    note = f"cyclictest counts no skipped periods; its latencies above 1 ms: {sum(t['overruns'] for t in them):.0f}"
    yield Figure("TMR-P-CYC overruns (skipped activations)", sum(u["overruns"] for u in us), "count", note=note)
