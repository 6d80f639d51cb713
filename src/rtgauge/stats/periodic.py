"""The figures of a periodic thread with a value for each activation that it skipped (no coordinated omission)."""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np

from rtgauge.stats.basic import sum_of, supported
from rtgauge.stats.view import Statistic, View


def compute(view: View) -> dict[str, Any]:
    """{"overruns": activations skipped, "entered": values entered for them, and the figures of all: "n", "min", "avg",
    "max", "median", "percentiles"}."""
    samples = view.samples
    entered = np.sort(samples.synthetic)
    measured = view.ordered.astype(np.float64)
    measured -= samples.overhead_ticks
    measured *= samples.scale
    every = np.insert(measured, np.searchsorted(measured, entered), entered) if len(entered) else measured
    # Exact, so that it does not depend on the order of addition.
    total = (sum_of(samples.raw.ticks) - view.n * samples.overhead_ticks) * samples.scale + fsum(entered)
    percentiles = {name: float(every[at]) for name, at in supported(len(every)).items()}
    return {
        "overruns": samples.overruns,
        "entered": len(entered),
        "n": len(every),
        "min": float(every[0]),
        "avg": total / len(every),
        "max": float(every[-1]),
        "median": percentiles["50"],
        "percentiles": percentiles,
    }


STATISTIC = Statistic("periodic", "", compute)
