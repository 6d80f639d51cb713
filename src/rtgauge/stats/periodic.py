"""The figures of a periodic thread with a value for each activation that it skipped (no coordinated omission)."""

from __future__ import annotations

from math import fsum
from typing import Any

import numpy as np

from rtgauge.model import Accumulated
from rtgauge.stats.basic import percentiles, supported
from rtgauge.stats.distribution import joined, of_samples
from rtgauge.stats.view import Statistic, View


def compute(view: View) -> dict[str, Any] | None:
    """{"overruns": activations skipped, "entered": values entered for them, and the figures of all: "n", "min", "avg",
    "max", "median", "percentiles"}."""
    samples = view.samples
    entered = samples.synthetic
    if samples.raw.accumulated is not None:
        return _with_accumulated(view, samples.raw.accumulated)
    measured = (view.raw.values.astype(np.float64) - samples.overhead_ticks) * samples.scale
    every = np.concatenate([measured, entered])
    order = np.argsort(every, kind="stable")
    every, upto = every[order], np.cumsum(np.concatenate([view.raw.counts, np.ones(len(entered), np.int64)])[order])
    n = int(upto[-1])
    # Exact, so that it does not depend on the order of addition.
    total = (view.whole.total - view.n * samples.overhead_ticks) * samples.scale + fsum(entered)
    shown = {name: float(every[np.searchsorted(upto, at, side="right")]) for name, at in supported(n).items()}
    return {
        "overruns": samples.overruns,
        "entered": len(entered),
        "n": n,
        "min": float(every[0]),
        "avg": total / n,
        "max": float(every[-1]),
        "median": shown["50"],
        "percentiles": shown,
    }


def _with_accumulated(view: View, kept: Accumulated) -> dict[str, Any] | None:
    """The same: times of the OS's clock are whole ns, of which nothing is subtracted. None where so few values were
    kept that the median is not known."""
    samples = view.samples
    raw = [view.raw, *([of_samples(samples.synthetic.astype(np.int64))] if len(samples.synthetic) else [])]
    piles = [kept.measured] if kept.entered is None else [kept.measured, kept.entered]
    every = joined(raw, [(pile, kept) for pile in piles])
    shown = {name: float(at) for name, at in percentiles(every).items()}
    return (
        None
        if "50" not in shown
        else {
            "overruns": samples.overruns,
            "entered": len(samples.synthetic) + sum(pile.count for pile in piles[1:]),
            "n": every.n,
            "min": float(every.least),
            "avg": every.total / every.n,
            "max": float(every.most),
            "median": shown["50"],
            "percentiles": shown,
        }
    )


STATISTIC = Statistic("periodic", "", compute, whole=True)
