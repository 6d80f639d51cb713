"""What the live view costs the measurement: the same run on a terminal with it and with --no-live, alternated."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from _engine import UnmeasuredError
from _figure import Figure, alternate

PAIRS = 8
TESTS = {
    "TMR-P-CYC": ["--samples", "2000"],
    "THR-P-SLS": ["--param", "threads=2", "--samples", "400000"],
}


def run(test: str, *options: str) -> dict[str, float]:
    """Median and p99 of one run whose standard error is a terminal that somebody reads."""
    rtgauge = str(Path(sys.executable).parent / "rtgauge")
    screen, terminal = pty.openpty()
    reader = threading.Thread(target=_read_all, args=(screen,))
    with tempfile.TemporaryDirectory() as store:
        out = Path(store) / "out.json"
        command = [rtgauge, "run", "local", "--tests", test, *TESTS[test], "--store", store, "-o", str(out), *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        reader.start()
        status = process.wait()
        reader.join()
        if status:
            raise UnmeasuredError(f"{test}: rtgauge ended with {status}")
        result = next(one for one in json.loads(out.read_text())["results"] if one["id"] == test)
    if result["status"] != "ok":
        raise UnmeasuredError(f"{test}: {result['status']}: {result['reason']}")
    return {"median": result["median"], "p99": result["percentiles"]["99"]}


def _read_all(screen: int) -> None:
    try:
        while os.read(screen, 1 << 16):
            pass
    except OSError:  # the other side is closed
        pass
    os.close(screen)


def measure() -> Iterator[Figure]:
    for test in TESTS:
        pairs = alternate(lambda test=test: run(test), lambda test=test: run(test, "--no-live"), PAIRS)
        for name in ("median", "p99"):
            ours, peers = [one[name] for one, _ in pairs], [one[name] for _, one in pairs]
            ratios = [a / b for a, b in zip(ours, peers, strict=True)]
            note = f"with to without, {PAIRS} pairs, from {min(ratios):.2f} to {max(ratios):.2f}"
            yield Figure(f"live view, {test} {name}", median(ours), "ns", median(ratios), note=note)
