"""The longest time blocked in the kernel: the largest interval between two reads of the clock, less the average."""

from __future__ import annotations

from typing import Any

from rtgauge.stats.basic import sum_of
from rtgauge.stats.view import Statistic, View


def compute(view: View) -> dict[str, Any]:
    """{"longest"}: largest minus average, in the unit."""
    average = sum_of(view.samples.raw.ticks) / view.n
    return {"longest": (int(view.ordered[-1]) - average) * view.samples.scale}


STATISTIC = Statistic("blocking", "sample", compute)
