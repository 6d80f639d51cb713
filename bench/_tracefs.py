"""The kernel's scheduling events of one CPU, in a private trace instance, by the counter of the engine's stamps."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from _engine import UnmeasuredError

INSTANCES = Path("/sys/kernel/tracing/instances")
PREFIX, BUFFER_KB = "rtgauge-bench-", 16384
CLOCK = "x86-tsc"  # the name is the same for the kernel's trace clock and for the engine's stamps

SWITCH = re.compile(
    r"\s(\d+): sched_switch: .*? prev_pid=(\d+) .* ==> next_comm=(.*) next_pid=(\d+) next_prio=(-?\d+)$"
)
WAKING = re.compile(r"\s(\d+): sched_waking: comm=.* pid=(\d+) prio=")


@dataclass(frozen=True)
class Switches:
    """sched_switch events in the order of time; `at` in ticks, `priority` as the kernel counts (0 is the highest)."""

    at: NDArray[np.int64]
    to: NDArray[np.int64]  # pid
    priority: NDArray[np.int64]  # of `to`
    command: NDArray[np.str_]  # of `to`


@dataclass(frozen=True)
class Wakings:
    """sched_waking events in the order of time; `at` in ticks."""

    at: NDArray[np.int64]
    of: NDArray[np.int64]  # pid


def parse_switches(text: str) -> Switches:
    found = [match for line in text.splitlines() if (match := SWITCH.search(line))]
    numbers = np.array([(m[1], m[4], m[5]) for m in found], dtype=np.int64).reshape(-1, 3)
    return Switches(numbers[:, 0], numbers[:, 1], numbers[:, 2], np.array([m[3] for m in found], dtype=np.str_))


def parse_wakings(text: str) -> Wakings:
    found = [match for line in text.splitlines() if (match := WAKING.search(line))]
    numbers = np.array([(m[1], m[2]) for m in found], dtype=np.int64).reshape(-1, 2)
    return Wakings(numbers[:, 0], numbers[:, 1])


def parse_lost(stats: str) -> int:
    """Events that the kernel dropped or wrote over, from the statistics of a buffer."""
    return sum(int(count) for count in re.findall(r"^(?:overrun|commit overrun|dropped events): (\d+)$", stats, re.M))


def parse_now(stats: str) -> int:
    """The trace clock's reading, from the statistics of a buffer. ValueError when it is not there."""
    if found := re.search(r"^now ts: +(\d+)$", stats, re.M):
        return int(found[1])
    raise ValueError(f"no reading of the trace clock: {stats!r}")


class Instance:
    """Made and removed by `recording`; holds the events of one CPU."""

    def __init__(self, path: Path, cpu: int) -> None:
        self.path, self.buffer = path, path / "per_cpu" / f"cpu{cpu}"
        self.began = self._now()

    def _now(self) -> tuple[int, int]:
        """The kernel's counter and, at the same time, its monotonic clock in ns."""
        readings = []
        for _ in range(5):
            before = time.monotonic_ns()
            counter = parse_now((self.buffer / "stats").read_text())
            after = time.monotonic_ns()
            readings.append((after - before, counter, (before + after) // 2))
        _, counter, ns = min(readings)
        return counter, ns

    def ns_per_tick(self) -> float:
        """From the kernel's own clocks since recording began: some 0.01 % after a second."""
        (counter, ns), (first_counter, first_ns) = self._now(), self.began
        return (ns - first_ns) / (counter - first_counter)

    def text(self) -> str:
        """Everything recorded so far, as the kernel words it; recording ends. UnmeasuredError when events are lost."""
        (self.path / "tracing_on").write_text("0")
        if lost := parse_lost((self.buffer / "stats").read_text()):
            raise UnmeasuredError(f"the kernel lost {lost} of its events")
        return (self.buffer / "trace").read_text()


@contextmanager
def recording(events: Sequence[str], cpu: int) -> Iterator[Instance]:
    """Records these events of group sched on `cpu` during the block. UnmeasuredError where that cannot be."""
    path = INSTANCES / f"{PREFIX}{os.getpid()}"
    try:
        _remove_orphans()
        path.mkdir()
        try:
            _set_up(path, events, cpu)
        except OSError:
            path.rmdir()
            raise
    except OSError as error:
        raise UnmeasuredError(f"no private trace instance with the {CLOCK} clock (needs root): {error}") from error
    try:
        yield Instance(path, cpu)
    finally:
        path.rmdir()


def _set_up(path: Path, events: Sequence[str], cpu: int) -> None:
    words = f"{1 << cpu:x}".zfill((cpu // 32 + 1) * 8)  # the kernel wants a comma after each 32 bits
    mask = ",".join(words[i : i + 8] for i in range(0, len(words), 8))
    (path / "trace_clock").write_text(CLOCK)
    (path / "tracing_cpumask").write_text(mask)
    (path / "buffer_size_kb").write_text(str(BUFFER_KB))
    for event in events:
        (path / "events" / "sched" / event / "enable").write_text("1")


def _remove_orphans() -> None:
    """Instances of benchmarks that were killed."""
    for path in INSTANCES.glob(f"{PREFIX}*"):
        if not Path("/proc", path.name.removeprefix(PREFIX)).exists():
            path.rmdir()
