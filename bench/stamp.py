"""Stamp overhead: CAL-P-TRC's minimum against the bare counter read twice in the same loop."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _engine import UnmeasuredError, run
from _figure import Figure, against
from rtgauge.model import Job

ROOT = Path(__file__).parent.parent
HEADERS = {
    "x86-tsc": ("engine/clocks", "x86_tsc.h"),
    "arm64-cntvct": ("engine/clocks", "arm64_cntvct.h"),
    "riscv-time": ("engine/clocks", "riscv_time.h"),
    "clock-monotonic-raw": ("engine/ports/posix", "posix_monotonic.h"),
}
PAIRS = 10


def build_bare(clock: str, folder: str) -> Path:
    where, header = HEADERS[clock]
    program = Path(folder) / "bare"
    command = ["cc", "-O2", f'-DRTG_CLOCK_HEADER="{header}"', "-I", where, "bench/bare_stamp.c", "-o", str(program)]
    subprocess.run(command, cwd=ROOT, check=True)
    return program


def measure() -> Iterator[Figure]:
    first = run(Job("CAL-P-TRC", 1000))
    if first.clock is None or first.clock.name not in HEADERS:
        raise UnmeasuredError("the clock of this machine has no bare counterpart")
    ours, peers = [], []
    with tempfile.TemporaryDirectory() as folder:
        bare = build_bare(first.clock.name, folder)
        for _ in range(PAIRS):
            peers.append(float(subprocess.run([bare], capture_output=True, check=True).stdout))
            ours.append(float(run(Job("CAL-P-TRC", 10000)).tests[0].series[0].ticks.min()))
    yield against("stamp overhead against the bare counter", ours, peers, "ticks", 1.1)
