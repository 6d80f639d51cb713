"""Samples that stand out at regular distances, counted in operations: every 32nd write waits for a new block.

The period is sought as that of times is (`period`), with the number of each sample in the place of its time. Peaks are
the samples that take at least a quarter longer than the median and come in step with it; without a period there are
none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Samples
from rtgauge.stats import period
from rtgauge.stats.basic import rank
from rtgauge.stats.clusters import bands
from rtgauge.stats.view import Statistic, View, view_of
from rtgauge.stats.worst import largest

RULES = ("peaks", "others", "between")
"""What a series of source `host` may be of the test's first series, as its `analyse` says with a colon: its peaks, all
other samples, the distances between peaks in operations. It has no result where there are no peaks."""

_IN_STEP = 0.1  # turns that a peak may be off
_FEWEST = 24  # samples that can show a period
_FACTOR = 1.25  # of the median: a peak takes at least so long
_MOST_SHARE = 0.25  # of the samples: more are no peaks, and then ...
_SHARE = 0.05  # ... the largest are tried


@dataclass(frozen=True)
class Peaks:
    every: float  # operations from one to the next
    which: NDArray[np.int64]  # positions, in order
    strength: float
    chance: float


def find(view: View) -> Peaks | None:
    if view.samples.n < max(_FEWEST, view.n):
        return None  # too few, or not all of them were kept
    which = np.sort(_standing_out(view))
    found = period.search(_by_number(view.samples), which)
    if found is None:
        return None
    every = float(found["period_s"])
    phase = np.exp(2j * np.pi * which / every)
    off = np.angle(phase / phase.mean()) / (2 * np.pi)
    return Peaks(every, which[np.abs(off) <= _IN_STEP], found["strength"], found["chance"])


def compute(view: View) -> dict[str, Any]:
    """{"every": operations from one peak to the next, None without; then "n" peaks, "typical": the median of them,
    "median": that of all other samples, "strength" 0 to 1, "chance" of it without a period}."""
    found = find(view)
    if found is None:
        return {"every": None}
    ticks = view.samples.raw.ticks
    return {
        "every": found.every,
        "n": len(found.which),
        "typical": view.unit(_median(ticks[found.which])),
        "median": view.unit(_median(np.delete(ticks, found.which))),
        "strength": found.strength,
        "chance": found.chance,
    }


def with_parts(samples: Sequence[Samples | None]) -> list[Samples | None]:
    """The series of one test, those that follow from the peaks of the first one filled in."""
    whole = samples[0] if samples else None
    if whole is None or not whole.n or not any(one is not None and rule_of(one) for one in samples):
        return list(samples)
    found = find(view_of(whole))
    if found is None:
        return list(samples)
    return [one if one is None or not rule_of(one) else _part(one, whole, found) for one in samples]


def rule_of(samples: Samples) -> str | None:
    """Which of RULES the series is made by."""
    info = samples.raw.info
    words = [word.removesuffix(":") for word in info.analyse if word.endswith(":")]
    return next((word for word in words if info.source == "host" and word in RULES), None)


def _part(part: Samples, whole: Samples, found: Peaks) -> Samples:
    rule = rule_of(part)
    which = found.which if rule == "peaks" else np.delete(np.arange(whole.n), found.which)
    ticks = whole.raw.ticks[which]
    if rule == "between":
        which, ticks = found.which[1:], np.diff(found.which)
    info = replace(part.raw.info, analyse=())
    raw = replace(
        whole.raw,
        info=info,
        start=whole.raw.start[which],
        ticks=ticks,
        aux=whole.raw.aux[which],
        resumed=(),
        missing=(),
        recorded=len(ticks),
        dropped=0,
    )
    made = replace(whole, params=part.params, raw=raw)
    return replace(made, unit=info.unit, scale=1.0, overhead_ticks=0, resolution_ticks=1) if rule == "between" else made


def _standing_out(view: View) -> NDArray[np.int64]:
    """Positions of the samples that take by far longer than the median, a band of their own where there is one."""
    least = view.below(_by_far(view))
    first = next((band.first for band in bands(view) if band.first >= least), least)
    share = view.n - first
    if share > view.n * _MOST_SHARE:
        share = min(view.n - least, int(view.n * _SHARE))
    return largest(view, share) if share else np.empty(0, np.int64)


def _by_far(view: View) -> int:
    """Ticks from which on a sample counts as standing out."""
    overhead = view.samples.overhead_ticks
    return overhead + math.ceil(_FACTOR * (view.raw.one(rank(view.n, (1, 2))) - overhead))


def _by_number(samples: Samples) -> Samples:
    """With the number of each sample as its time in seconds."""
    raw = replace(samples.raw, start=np.arange(samples.n, dtype=np.uint64))
    return replace(samples, raw=raw, origin=0, origin_s=0.0, tick_s=1.0, width=64)


def _median(ticks: NDArray[Any]) -> int:
    return int(np.sort(ticks)[rank(len(ticks), (1, 2))])


STATISTIC = Statistic("peaks", "", compute)
