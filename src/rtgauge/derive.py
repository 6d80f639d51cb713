"""Series that the target does not record because they follow from others of the same test.

`analyse` of such a series is its rule:

- "half:A less:B": half of each sample of A minus the median of B. For a round trip A and a signal to oneself B that is
  the published definition of a context switch.
- "rate:A": the bytes that the test's evidence `bytes` names, divided by each sample of A, in MB/s (10^6 bytes).
- "frequency:A": the turns that the test's evidence `turns` names, divided by each sample of A, in 1/s.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import SeriesTrace, TestTrace

RATE_SCALE = 1e-3  # MB/s or 1/s for one tick of a derived rate


def derive(test: TestTrace, series: SeriesTrace, overhead_ticks: int, ns_per_tick: float) -> tuple[SeriesTrace, float]:
    """`series` with its samples, which hold no overhead any more, and what one tick of them is in the series' unit.

    Empty where a part of the rule is missing.
    """
    rule = dict(word.partition(":")[::2] for word in series.info.analyse)
    whole = _named(test, rule.get("half") or rule.get("rate") or rule.get("frequency"))
    if whole is None:
        return series, ns_per_tick
    if "rate" in rule or "frequency" in rule:
        each = 1e3 * _told(test, "bytes") if "rate" in rule else 1e9 * _told(test, "turns")
        return _filled(series, whole, _rates(each, whole, overhead_ticks, ns_per_tick)), RATE_SCALE
    less = _named(test, rule.get("less"))
    if less is None:
        return series, ns_per_tick
    offset = float(np.median(less.ticks)) - overhead_ticks
    ticks = np.rint((whole.ticks.astype(np.float64) - overhead_ticks) / 2 - offset).astype(np.int64)
    return _filled(series, whole, ticks), ns_per_tick


def _named(test: TestTrace, name: str | None) -> SeriesTrace | None:
    return next((one for one in test.series if one.info.name == name and len(one.ticks)), None)


def _filled(series: SeriesTrace, like: SeriesTrace, ticks: NDArray[np.int64]) -> SeriesTrace:
    return replace(like, info=replace(series.info, analyse=()), ticks=ticks, accumulated=None)


def _told(test: TestTrace, name: str) -> int:
    """A number that the test's evidence holds; 0 where it does not, or one that makes no sense."""
    told = [line.value for line in test.evidence if line.name == name and isinstance(line.value, int)]
    return told[0] if told and told[0] > 0 else 0


def _rates(each: float, whole: SeriesTrace, overhead_ticks: int, ns_per_tick: float) -> NDArray[np.int64]:
    """In thousandths: `each` divided by the ns of each sample; 0 where a time is not above the overhead."""
    ns = (whole.ticks.astype(np.float64) - overhead_ticks) * ns_per_tick
    rates = np.divide(each / RATE_SCALE, ns, out=np.zeros(len(ns)), where=ns > 0)
    return np.rint(rates).astype(np.int64)
