"""Summing up and drawing one series of a hundred million samples, against numpy that reads its values and partitions
them once at the percentiles of a summary.

Each side is a process of its own that reads the same files, which both find in the system's cache. numpy's: np.load of
the values (int32 ticks) and np.partition. Ours: the same values, and the start of each sample besides, read in parts as
often as it is needed; then every figure of a summary, and the diagrams of the report. Reading a trace is not part of
it: that holds the starts and the small numbers in memory, too, which is shown beside. Nor is the start of Python, on
either side. Of much fewer samples the ratio says little: much of our time does not depend on their number.

    python bench/run.py --only summarise [--samples N]
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from _figure import Figure, alternate
from memory import peak_mb
from rtgauge.model import Samples, SeriesInfo, SeriesTrace
from rtgauge.report.sections._figures import figures_of
from rtgauge.report.view import Entry
from rtgauge.stats.basic import PERCENTILES, rank
from rtgauge.stats.summary import statistics, summarise

SAMPLES = 100_000_000
ROUNDS = 3
GOAL, LIMIT_MB = 2.0, 1000.0  # of numpy's time; of memory
_PIECE = 1 << 20  # samples made together
_STEP = 30_000  # ticks from one sample to the next, on average
_COLUMNS = 4 + 8 + 2  # bytes of a sample: int32 ticks, uint64 start, uint16 number


@dataclass(frozen=True)
class Taken:
    seconds: float
    parts: dict[str, float]  # seconds
    peak_mb: float


def measure(samples: int = SAMPLES) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="rtgauge-bench-") as folder:
        peak_mb([sys.executable, __file__, "make", folder, str(samples)])
        pairs = alternate(lambda: _taken("ours", folder), lambda: _taken("numpy", folder), ROUNDS)
        held = _taken("held", folder).peak_mb
    ours, peers = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    name, parts = f"summarise and draw {samples} samples", ours[0].parts
    told = ", ".join(f"{part} {min(one.parts[part] for one in ours):.3g}" for part in parts)
    us, them = [one.seconds for one in ours], [one.seconds for one in peers]
    ratio = min(us) / min(them)
    note = f"fastest of {ROUNDS}, {told}; numpy {min(them):.3g} s; ratio of medians {median(us) / median(them):.3g}"
    yield Figure(name, min(us), "s", ratio, GOAL, ratio <= GOAL, note)
    peak = max(one.peak_mb for one in ours)
    note = f"numpy {max(one.peak_mb for one in peers):.4g} MB"
    yield Figure(f"{name}: memory", peak, "MB", None, LIMIT_MB, peak <= LIMIT_MB, note)
    columns = samples * _COLUMNS / 2**20
    note = f"starts and small numbers held as well, as they are after a trace was read: {columns:.4g} MB of columns"
    yield Figure(f"{name}: memory, all held", held, "MB", None, LIMIT_MB, held <= LIMIT_MB, note)


def _taken(side: str, folder: str) -> Taken:
    peak, text = peak_mb([sys.executable, __file__, side, folder])
    parts = json.loads(text)
    return Taken(sum(parts.values()), parts, peak)


def make(folder: Path, n: int) -> None:
    """Values and starts as a timer's latencies have them: a band, every hundredth sample hit by the clock tick, and a
    few large outliers."""
    rng = np.random.default_rng(1)
    ticks = np.lib.format.open_memmap(folder / "ticks.npy", mode="w+", dtype=np.int32, shape=(n,))
    start = np.lib.format.open_memmap(folder / "start.npy", mode="w+", dtype=np.uint64, shape=(n,))
    for first in range(0, n, _PIECE):
        number = np.arange(first, min(n, first + _PIECE))
        value = 6_000 + rng.gamma(4.0, 400.0, len(number))
        value[number % 100 == 0] += rng.normal(20_000, 800, int((number % 100 == 0).sum()))
        outlier = np.flatnonzero(rng.random(len(number)) < 1e-5)
        value[outlier] += rng.pareto(1.5, len(outlier)) * 100_000
        ticks[first : first + _PIECE] = np.clip(value, 0, 2**31 - 1)
        start[first : first + _PIECE] = number * _STEP + rng.integers(0, 1000, len(number))
    ticks.flush()
    start.flush()


# ---- the two processes ----------------------------------------------------------------------------------------------


def by_numpy(folder: Path) -> dict[str, float]:
    begin = time.perf_counter()
    ticks = np.load(folder / "ticks.npy")
    read = time.perf_counter()
    at = [rank(len(ticks), share) for share in PERCENTILES.values()]
    ordered = np.partition(ticks, at)
    assert [int(ordered[one]) for one in at]
    return {"read": read - begin, "partition": time.perf_counter() - read}


def by_rtgauge(folder: Path, held: bool = False) -> dict[str, float]:
    """`held`: the starts and the small numbers are arrays, as those of a trace that was read; else the starts are read
    as they are needed."""
    statistics()  # loads them all
    begin = time.perf_counter()
    ticks, column = np.load(folder / "ticks.npy"), folder / "start.npy"
    samples = _samples(ticks, np.load(column) if held else Read(column), held)
    read = time.perf_counter()
    summary = summarise(samples)
    summed = time.perf_counter()
    result = {"n": summary.n, "min": summary.min, "max": summary.max, "unit": "ns", "histogram": summary.histogram}
    drawn = figures_of(Entry(result, samples, "one"))
    assert [one.plot for one in drawn] == ["samples", "histogram", "tail"]
    return {"read": read - begin, "summarise": summed - read, "draw": time.perf_counter() - summed}


class Read:
    """A column of a file that is read as far as it is asked for, and never mapped: mapped pages are memory of the
    process."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("rb", buffering=0)
        np.lib.format.read_magic(self._file)
        (self._n,), _, self._dtype = np.lib.format.read_array_header_1_0(self._file)
        self._first = self._file.tell()

    def __len__(self) -> int:
        return int(self._n)

    def __getitem__(self, which: slice | NDArray[np.int64]) -> NDArray[np.uint64]:
        if isinstance(which, slice):
            first, end, _ = which.indices(self._n)
            return self._stretch(first, end - first)
        return np.concatenate([self._stretch(one, 1) for one in which.tolist()])

    def _stretch(self, first: int, count: int) -> NDArray[np.uint64]:
        size = self._dtype.itemsize
        return np.frombuffer(os.pread(self._file.fileno(), count * size, self._first + first * size), self._dtype)


def _samples(ticks: NDArray[np.int32], start: Any, held: bool) -> Samples:
    n = len(ticks)
    aux = np.ones(n, np.uint16) if held else np.broadcast_to(np.uint16(1), n)
    info = SeriesInfo("", "ns", "timer due", "thread runs", "the thread", "", "stamp", ())
    raw = SeriesTrace(info, start, ticks, aux, recorded=n)
    return Samples(
        id="TMR-P-REL",
        params={},
        raw=raw,
        unit="ns",
        scale=1 / 3,
        overhead_ticks=60,
        resolution_ticks=1,
        origin=0,
        origin_s=0.0,
        tick_s=1e-9 / 3,
        width=64,
        cpu=0,
        synthetic=np.empty(0),
    )


def main(what: str, folder: Path, samples: str = "0") -> None:
    """In a process of its own also the making: a process counts what its parent held as its own peak memory."""
    if what == "make":
        make(folder, int(samples))
    else:
        print(json.dumps(by_numpy(folder) if what == "numpy" else by_rtgauge(folder, what == "held")))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
