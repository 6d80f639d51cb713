"""THR-P-SLS with two threads against the kernel's own sched_switch events of the same stretch.

The sample is one yield to the next thread running; the kernel's events are the switches themselves. From start stamp to
start stamp there is exactly one switch, so the medians of both distances must agree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from _engine import ENGINE, UnmeasuredError, last_cpu, run
from _figure import Figure
from _tracefs import parse_switches, recording
from rtgauge.model import Job

SAMPLES, AGREEMENT = 20000, 0.05


def measure() -> Iterator[Figure]:
    with recording(["sched_switch"], last_cpu()) as instance:
        trace = run(Job("THR-P-SLS", SAMPLES, {"threads": 2}))
        switches = parse_switches(instance.text())
    start = trace.tests[0].series[0].start.astype(np.int64)
    at = switches.at[switches.command == ENGINE.name[:15]]
    inside = at[(at >= start[0]) & (at <= start[-1])]
    if len(inside) < SAMPLES // 2:
        raise UnmeasuredError(f"the kernel recorded {len(inside)} switches of {SAMPLES}")
    ours, kernel = float(np.median(np.diff(start))), float(np.median(np.diff(inside)))
    apart = abs(ours / kernel - 1)
    counts = f"{len(inside)} switches traced, {len(start)} samples"
    note = f"median distance of starts {ours:.0f}, of the kernel's switches {kernel:.0f} ticks; {counts}"
    yield Figure(
        "THR-P-SLS against sched_switch", ours, "ticks", ours / kernel, 1 + AGREEMENT, apart <= AGREEMENT, note
    )
