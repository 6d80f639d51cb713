"""The results of TMR-P-CYC as `cyclictest --json` writes them, with the histogram of `-h`: a thread for each result.

As there, values are whole microseconds, rounded down, and activations that a late thread skipped are not told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from rtgauge import __version__
from rtgauge.errors import UsageError
from rtgauge.export._counts import counted

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun

SUMMARY = "the periodic test as cyclictest --json writes its results"
TEST = "TMR-P-CYC"
_US = 1000
_SYSTEM = {"sysname": "os", "nodename": "host", "release": "release", "version": "version", "machine": "machine"}


def write(run: StoredRun, chosen: Sequence[int], file: BinaryIO) -> None:
    results = run.results.get("results") or ()
    mine = [i for i in chosen if results[i]["id"] == TEST and results[i].get("n") and results[i].get("unit") == "ns"]
    if not mine:
        raise UsageError(f"run {run.id} has no result of {TEST} with figures: this format is for that test only")
    import numpy as np

    counts = counted(run, mine, lambda value: np.floor(value / _US).astype(np.int64))
    threads = {str(place): _thread(results[i], found) for place, (i, found) in enumerate(counts)}
    content = {
        "file_version": 1,
        "cmdline:": f"rtgauge export {run.id} --format cyclictest-json",
        "rt_test_version:": f"rtgauge {__version__}",
        "start_time": str(run.manifest.get("created") or ""),
        "end_time": str(run.manifest.get("finished") or ""),
        "return_code": 0,
        "sysinfo": _system((run.results.get("system") or {}).get("facts") or {}, run.manifest),
        "num_threads": len(threads),
        "resolution_in_ns": 0,
        "thread": threads,
    }
    file.write((json.dumps(content, indent=2, allow_nan=False) + "\n").encode())


def _thread(result: Mapping[str, Any], counts: Mapping[int, int]) -> dict[str, Any]:
    bins = dict(sorted(counts.items()))
    if min(bins) < 0:
        raise UsageError(f"a result of {TEST} has samples below zero, which this format cannot tell: export it as csv")
    cpus = {one["cpu"] for one in result.get("worst") or ()}
    return {
        "histogram": {str(value): number for value, number in bins.items()},
        "cycles": sum(bins.values()),
        "min": min(bins),
        "max": max(bins),
        "avg": round(result["avg"] / _US, 2),
        **({"cpu": cpus.pop()} if len(cpus) == 1 else {}),
    }


def _system(facts: Mapping[str, Any], manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of it; a name that is not known is left out."""
    every = {"host": manifest.get("host"), **facts}
    return {theirs: str(every[ours]) for theirs, ours in _SYSTEM.items() if every.get(ours)}
