"""The virtual lab: wall time from the start of a guest to its first sample, and how well guests run side by side.

    python bench/lab.py [--json] [--systems lab:linux-none,lab:linux-rt]

Efficiency is the sum of the times of single runs over the time of all at once, times the processors that they could
use. It is of wall times on the host: run it on a host that does nothing else."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from _figure import Figure
from rtgauge.errors import RtgaugeError
from rtgauge.model import Job, RunSpec
from rtgauge.targets import open_target
from rtgauge.targets.base import Stop
from rtgauge.trace.events import BlockRead

SYSTEMS = ("lab:linux-none", "lab:linux-voluntary", "lab:linux-full", "lab:linux-rt")
BOOT_GOAL_S, EFFICIENCY_GOAL = 8.0, 0.8
SPEC = RunSpec(
    jobs=(
        Job("CAL-P-TRC", 100),
        Job("TMR-P-CYC", 2000, {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}),
    ),
    memory=1 << 20,
    time_ms=100_000,
)


@dataclass
class Took:
    """Seconds."""

    first: float = 0.0  # to the first sample, from before the emulator was started
    first_worked: float = 0.0  # of processor time, of the emulator alone
    whole: float = 0.0


def one(system: str) -> Took:
    """A run of a system. RtgaugeError where it did not come to its end."""
    took, begin = Took(), time.monotonic()

    def take(_chunk: bytes, events: Sequence[object]) -> None:
        if not took.first and any(isinstance(event, BlockRead) for event in events):
            took.first, took.first_worked = time.monotonic() - begin, _worked_by_children()

    ending = open_target(system).run(SPEC, [60.0] * len(SPEC.jobs), take, Stop())
    if ending.why or ending.deaths:
        raise RtgaugeError(ending.why or ending.deaths[0].reason)
    took.whole = time.monotonic() - begin
    return took


def _worked_by_children() -> float:
    """Of those under way; 0 where the kernel does not tell who they are."""
    ticks = 0
    with contextlib.suppress(OSError):
        for told in Path("/proc/self/task").glob("*/children"):
            for child in told.read_text().split():
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(systems: tuple[str, ...] = SYSTEMS) -> list[Figure]:
    for system in systems:
        open_target(system).describe()  # fetches what must be fetched
    single = [one(system) for system in systems]
    cores = min(len(os.sched_getaffinity(0)), len(systems))
    begin = time.monotonic()
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:  # as the command line has them, each in its own
        list(pool.map(one, systems))
    together = time.monotonic() - begin
    first = max(took.first for took in single)
    alone = sum(took.whole for took in single)
    efficiency = alone / (together * cores)
    worked = max(took.first_worked for took in single)
    return [
        Figure("lab.first_sample", first, "s", goal=BOOT_GOAL_S, met=first <= BOOT_GOAL_S, note="the slowest system"),
        Figure("lab.first_sample_processor", worked, "s", note="the same in the emulator's processor time"),
        Figure("lab.single", alone, "s", note="all systems one after another"),
        Figure("lab.together", together, "s", note=f"all at once, {cores} at a time"),
        Figure("lab.efficiency", efficiency, "1", goal=EFFICIENCY_GOAL, met=efficiency >= EFFICIENCY_GOAL),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="addresses, with commas")
    args = parser.parse_args()
    try:
        figures = measure(tuple(args.systems.split(",")))
    except RtgaugeError as error:
        print(f"bench/lab: {error}", file=sys.stderr)
        return error.exit_code
    if args.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=1))
    else:
        for figure in figures:
            print(f"{figure.name:28} {figure.value:.3f} {figure.unit:3} {figure.note}")
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
