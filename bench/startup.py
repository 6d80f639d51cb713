"""`rtgauge --help` against `python -c pass`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from _figure import Figure, against

PAIRS = 15


def seconds(*command: str) -> float:
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def measure() -> Iterator[Figure]:
    python, command = sys.executable, str(Path(sys.executable).parent / "rtgauge")
    seconds(command, "--help"), seconds(python, "-c", "pass")  # both warm
    ours, peers = [], []
    for _ in range(PAIRS):
        ours.append(seconds(command, "--help"))
        peers.append(seconds(python, "-c", "pass"))
    yield against("rtgauge --help against python -c pass", ours, peers, "s", 6.0)
