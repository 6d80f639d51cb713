"""The printed report of a whole quick run: from the stored folder to pages on disk, as the user waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _engine import UnmeasuredError
from _figure import Figure

GOAL_S = 10.0
TIMES = 3


def measure() -> Iterator[Figure]:
    rtgauge = str(Path(sys.executable).parent / "rtgauge")
    with tempfile.TemporaryDirectory() as store:
        # the simulated OS: no privilege, the same on every machine; what its samples say does not matter here
        words = [rtgauge, "run", "fake", "--profile", "quick", "--store", store, "--json"]
        done = subprocess.run(words, capture_output=True)
        if not done.stdout:
            raise UnmeasuredError(f"no run to report on: {done.stderr.decode(errors='replace').strip()[-200:]}")
        results = len(json.loads(done.stdout)["results"])
        file = Path(store) / "report.pdf"
        command = [rtgauge, "report", "last", "--store", store, "--format", "pdf", "-o", str(file)]
        taken = [_seconds(command) for _ in range(TIMES)]
        pages, size = _pages(file), file.stat().st_size / 1e6
    note = f"fastest of {TIMES}; {results} results on {pages} pages, {size:.2g} MB"
    yield Figure("rtgauge report --format pdf", min(taken), "s", None, GOAL_S, min(taken) <= GOAL_S, note)


def _seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        raise UnmeasuredError(done.stderr.decode(errors="replace").strip()[-200:])
    return time.perf_counter() - begin


def _pages(file: Path) -> int | str:
    try:
        told = subprocess.run(["pdfinfo", str(file)], capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        return "?"
    return next((int(line.split()[1]) for line in told.splitlines() if line.startswith("Pages:")), "?")
