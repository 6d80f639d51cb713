"""Whether the operation is too short for the clock: more than half of the samples lie within the smallest distance of
two stamps plus one step of the clock.

By the OS's clock no overhead is subtracted: there it is more than half within one step of zero. A value that the target
counted itself is never too small, and the calibration of the stamp is its own subject.
"""

from __future__ import annotations

from rtgauge.samples import CALIBRATION
from rtgauge.stats.view import Statistic, View


def compute(view: View) -> bool:
    samples, whole = view.samples, view.whole
    if samples.raw.info.source == "value" or samples.id == CALIBRATION:
        return False
    step = samples.resolution_ticks
    if samples.raw.info.source == "os":
        within = whole.below(step + 1) - whole.below(-step)
    else:
        within = whole.below(samples.overhead_ticks + step + 1)
    return 2 * within > whole.n


STATISTIC = Statistic("unmeasurable", "", compute, always=True, whole=True)
