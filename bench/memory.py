"""Ten million samples of one test: all kept, reported, and the host's memory. And the engine's memory, which is fixed
before the first sample."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _engine import run
from _figure import Figure
from rtgauge.model import Job

SAMPLES, LIMIT_MB = 10_000_000, 500.0


def peak_mb(command: list[str]) -> tuple[float, str]:
    """Runs the command; the largest memory of that process itself (its children not counted), and its output."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_maxrss / 1024, text


def measure() -> Iterator[Figure]:
    memory = run(Job("CAL-P-TRC", 10000)).sample_memory
    yield Figure(
        "engine's sample memory for 10 000 samples", memory / 1024, "KiB", note="fixed before the first sample"
    )
    rtgauge = str(Path(sys.executable).parent / "rtgauge")
    with tempfile.TemporaryDirectory() as store:
        measured, text = peak_mb(
            [rtgauge, "run", "local", "--tests", "CAL-P-TRC", "--samples", str(SAMPLES), "--store", store, "--json"]
        )
        result = next(r for r in json.loads(text)["results"] if r["id"] == "CAL-P-TRC")
        reported, _ = peak_mb(
            [rtgauge, "report", "last", "--store", store, "--format", "html", "-o", f"{store}/r.html"]
        )
    kept = f"{result['n']} samples kept, {result['lost']} lost"
    whole = result["n"] == SAMPLES and result["lost"] == 0
    for name, peak in (("run", measured), ("report", reported)):
        met = whole and peak <= LIMIT_MB
        yield Figure(f"host's memory, {name} of 10 000 000 samples", peak, "MB", None, LIMIT_MB, met, kept)
