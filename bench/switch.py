"""THR-P-SLS with two threads against the kernel's own sched_switch events of the same stretch.

The sample is one yield to the next thread running; the kernel's events are the switches themselves. From start stamp to
start stamp there is exactly one switch, so the medians of both distances must agree."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from _engine import ENGINE, UnmeasuredError, last_cpu, run
from _figure import Figure
from rtgauge.model import Job

TRACEFS = Path("/sys/kernel/tracing")
SAMPLES, AGREEMENT = 20000, 0.05
LINE = re.compile(r"\s(\d+): sched_switch: prev_comm=(\S+) .*? next_comm=(\S+) next_pid=(\d+)")


class Instance:
    """A private tracefs instance that records switches by the processor's counter, and vanishes afterwards."""

    def __init__(self) -> None:
        self.path = TRACEFS / "instances" / f"rtgauge-bench-{os.getpid()}"

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def __enter__(self) -> Instance:
        try:
            self.path.mkdir()
            self.write("trace_clock", "x86-tsc")
            self.write("buffer_size_kb", "16384")
            self.write("events/sched/sched_switch/filter", f'next_comm ~ "{ENGINE.name[:15]}"')
            self.write("events/sched/sched_switch/enable", "1")
        except OSError as error:
            if self.path.is_dir():
                self.path.rmdir()
            raise UnmeasuredError(f"no private trace instance with the x86-tsc clock: {error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        self.path.rmdir()

    def switches(self, cpu: int) -> NDArray[np.int64]:
        """Ticks of the switches to threads of the engine on `cpu`, in order."""
        text = (self.path / "per_cpu" / f"cpu{cpu}" / "trace").read_text()
        return np.array([int(match[1]) for match in LINE.finditer(text)], dtype=np.int64)


def measure() -> Iterator[Figure]:
    with Instance() as instance:
        trace = run(Job("THR-P-SLS", SAMPLES, {"threads": 2}))
        switches = instance.switches(last_cpu())
    start = trace.tests[0].series[0].start.astype(np.int64)
    inside = switches[(switches >= start[0]) & (switches <= start[-1])]
    if len(inside) < SAMPLES // 2:
        raise UnmeasuredError(f"the kernel recorded {len(inside)} switches of {SAMPLES}")
    ours, kernel = float(np.median(np.diff(start))), float(np.median(np.diff(inside)))
    apart = abs(ours / kernel - 1)
    counts = f"{len(inside)} switches traced, {len(start)} samples"
    note = f"median distance of starts {ours:.0f}, of the kernel's switches {kernel:.0f} ticks; {counts}"
    yield Figure(
        "THR-P-SLS against sched_switch", ours, "ticks", ours / kernel, 1 + AGREEMENT, apart <= AGREEMENT, note
    )
