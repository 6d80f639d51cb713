"""Number, extremes, mean, median, percentiles, the first sample.

Percentiles use the nearest rank: the p-th percentile of n samples is the ceil(p / 100 * n)-th smallest, so each is a
sample that was really measured. A percentile is given only where at least one sample is expected beyond it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.stats.distribution import Distribution
from rtgauge.stats.view import Statistic, View

PERCENTILES: Mapping[str, tuple[int, int]] = {
    "50": (1, 2),
    "99": (99, 100),
    "99.9": (999, 1000),
    "99.99": (9999, 10000),
}
"""Name of each percentile, and the share of samples up to it as a fraction; its denominator is the least n."""


def rank(n: int, share: tuple[int, int]) -> int:
    """Position, counted from 0, of a percentile among n sorted samples."""
    return -(-n * share[0] // share[1]) - 1


def supported(n: int) -> dict[str, int]:
    """Position of each percentile that n samples support; the median always."""
    return {name: rank(n, share) for name, share in PERCENTILES.items() if n >= share[1] or name == "50"}


def percentiles(whole: Distribution) -> dict[str, int]:
    """Raw ticks of each percentile that the number of samples supports, and that is known."""
    known = {name: whole.at(at) for name, at in supported(whole.n).items()}
    return {name: ticks for name, ticks in known.items() if ticks is not None}


def compute(view: View) -> dict[str, Any]:
    ticks, raw, whole = view.samples.raw.ticks, view.samples.raw, view.whole
    shown = {name: view.unit(at) for name, at in percentiles(whole).items()}
    first_is_there = not (raw.missing and raw.missing[0][0] == 0)
    rest = ticks[1:] if first_is_there else ticks
    later = [int(rest.max())] if len(rest) else []
    if raw.accumulated is not None:
        later.append(raw.accumulated.measured.max)
    return {
        "n": whole.n,
        "negatives": whole.below(view.samples.overhead_ticks),
        "min": view.unit(whole.least),
        "avg": view.unit(whole.total / whole.n),
        "max": view.unit(whole.most),
        "median": shown["50"],
        "percentiles": shown,
        "first": view.unit(int(ticks[0])) if first_is_there else None,
        "max_after_first": view.unit(max(later)) if later else None,
    }


STATISTIC = Statistic("basic", "sample", compute, always=True, whole=True)
