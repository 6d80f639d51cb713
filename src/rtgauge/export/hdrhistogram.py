"""HdrHistogram log: one histogram of ns for each result, with three digits, for the tools that read such logs.

A line has a tag that names the result. Values below zero cannot be told there and are counted in a comment.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from rtgauge import __version__
from rtgauge.errors import UsageError
from rtgauge.export._counts import counted

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun

SUMMARY = "HdrHistogram log with a histogram for each result in ns"
DIGITS = 3
_LARGEST = 1 << 52  # ns


def write(run: StoredRun, chosen: Sequence[int], file: BinaryIO) -> None:
    histogram = _package()
    results = run.results.get("results") or ()
    mine = [i for i in chosen if results[i].get("n") and results[i].get("unit") == "ns"]
    if not mine:
        raise UsageError(f"run {run.id} has no samples in ns: this format is for times only")
    import numpy as np

    lines = [f"#[rtgauge {__version__}, run {run.id}, values in ns]", "#[Histogram log format version 1.3]"]
    lines.append('"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"')
    for i, counts in counted(run, mine, lambda value: np.rint(value).astype(np.int64)):
        lines += _lines(results[i], counts, histogram)
    file.write(("\n".join(lines) + "\n").encode())


def _lines(result: Mapping[str, Any], counts: Mapping[int, int], histogram: Any) -> list[str]:
    tag = "/".join([result["id"], *(f"{k}={v}" for k, v in (result.get("params") or {}).items())])
    tag = "".join("_" if sign in ", \t\n\r" else sign for sign in tag)
    below = sum(number for value, number in counts.items() if value < 0)
    largest = max(2, min(_LARGEST, max(counts)))
    made = histogram(1, largest, DIGITS)
    for value, number in counts.items():
        if value >= 0:
            made.record_value(min(value, largest), number)
    payload = made.encode().decode("ascii")
    length = float(result.get("exposure_s") or 0.0)
    note = [f"#[{below} values of {tag} below zero are left out]"] if below else []
    return [*note, f"Tag={tag},0.000,{length:.3f},{max(counts) / 1e6:.6f},{payload}"]


def _package() -> Any:
    """UsageError where the package is not there: only this format needs it."""
    try:
        return importlib.import_module("hdrh.histogram").HdrHistogram
    except ImportError:
        raise UsageError(
            "format hdrhistogram needs the Python package hdrhistogram: pip install hdrhistogram"
        ) from None
