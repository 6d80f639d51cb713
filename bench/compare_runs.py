"""`rtgauge compare` of ten quick runs: one of the simulated system, and nine copies of it with ids of their own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from _figure import Figure
from rtgauge.store.manifest import seal

RUNS = 10
TRIES = 5
GOAL_S = 3.0
COMMAND = str(Path(sys.executable).parent / "rtgauge")


def call(*words: str) -> float:
    begin = time.perf_counter()
    subprocess.run([COMMAND, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def processor_s() -> float:
    """That of all commands until now: what else runs here does not lengthen it by much."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def copy(run: Path, number: int) -> None:
    """The same run once more; its files are links, but for the manifest, which holds the id."""
    other = run.with_name(f"{run.name[:-6]}{number:06x}")
    other.mkdir()
    for file in run.iterdir():
        if file.name != "manifest.json":
            os.link(file, other / file.name)
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    (other / "manifest.json").write_bytes(seal({**manifest, "run": other.name}))


def measure() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="rtgauge-bench-") as store:
        call("run", "fake", "--profile", "quick", "--store", store)
        (run,) = (Path(store) / "runs").iterdir()
        for number in range(1, RUNS):
            copy(run, number)
        names = sorted(path.name for path in run.parent.iterdir())
        before = processor_s()
        taken = min(call("compare", *names, "--store", store) for _ in range(TRIES))
        note = f"the shortest of {TRIES}; {(processor_s() - before) / TRIES:.2g} s of processor time each"
        yield Figure("compare of ten quick runs", taken, "s", goal=GOAL_S, met=taken < GOAL_S, note=note)
