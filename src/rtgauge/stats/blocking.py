"""The longest time blocked in the kernel: the largest interval between two reads of the clock, less the average."""

from __future__ import annotations

from typing import Any

from rtgauge.stats.view import Statistic, View


def compute(view: View) -> dict[str, Any]:
    """{"longest"}: largest minus average, in the unit."""
    return {"longest": (view.whole.most - view.whole.total / view.whole.n) * view.samples.scale}


STATISTIC = Statistic("blocking", "sample", compute, whole=True)
