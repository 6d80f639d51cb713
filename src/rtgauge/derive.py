"""Series that the target does not record because they follow from others of the same test.

`analyse` of such a series is its rule: "half:A less:B" is half of each sample of A minus the median of B. For a round
trip A and a signal to oneself B that is the published definition of a context switch.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rtgauge.model import SeriesTrace, TestTrace


def derive(test: TestTrace, series: SeriesTrace, overhead_ticks: int) -> SeriesTrace:
    """`series` with its samples, in ticks that hold no overhead any more; empty where a part of the rule is missing."""
    rule = dict(word.partition(":")[::2] for word in series.info.analyse)
    named = {one.info.name: one for one in test.series}
    whole, less = named.get(rule.get("half", "")), named.get(rule.get("less", ""))
    if whole is None or less is None or not len(whole.ticks) or not len(less.ticks):
        return series
    offset = float(np.median(less.ticks)) - overhead_ticks
    ticks = np.rint((whole.ticks.astype(np.float64) - overhead_ticks) / 2 - offset).astype(np.int64)
    info = replace(series.info, analyse=())
    return replace(whole, info=info, ticks=ticks)
