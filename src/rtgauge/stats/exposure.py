"""The time under observation in s: from the first start to the last stop, less the pauses for draining."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Samples
from rtgauge.stats.view import Statistic, View

_Times = NDArray[np.float64]


def compute(view: View) -> float:
    first, last = _ends(view)
    kept, samples = view.samples.raw.accumulated, view.samples
    if kept is None:
        return max(0.0, last - first - _pauses(view))
    begin, tick_s = samples.at_accumulated(kept.first_start, 0), abs(samples.tick_s)
    gap = max(0.0, begin - last) if kept.after_pause else 0.0
    first, last = min(first, begin + kept.lowest * tick_s), max(last, begin + kept.highest * tick_s)
    return max(0.0, last - first - _pauses(view) - gap - kept.paused * tick_s)


def _ends(view: View) -> tuple[float, float]:
    """The first start and the last stop."""
    samples = view.samples
    if samples.width < 64:  # a clock that wraps is unwrapped from the beginning, so it is taken as a whole
        start = samples.at
        return float(start.min()), float((start + _lengths(view, slice(None))).max())
    first, last, longest = np.inf, -np.inf, _longest(view)
    for piece in reversed(list(view.pieces())):
        earliest, latest = _starts(samples, piece)
        first = min(first, earliest)
        if latest + longest > last:  # else no sample of this piece ends later
            last = max(last, float((samples.at_of(piece) + _lengths(view, piece)).max()))
    return first, last


def _starts(samples: Samples, piece: slice) -> tuple[float, float]:
    """The earliest and the latest start of a piece."""
    since = (samples.raw.start[piece] - np.uint64(samples.origin)).view(np.int64)
    at = samples.at_of(np.array([since.argmin(), since.argmax()]) + piece.start)
    return float(at.min()), float(at.max())


def _longest(view: View) -> float:
    """Of all samples, as `_lengths` computes it."""
    if view.samples.raw.info.source == "value":
        return 0.0
    return float(np.int64(max(view.raw.most, 0)) * abs(view.samples.tick_s))


def _lengths(view: View, which: slice | NDArray[np.int64]) -> _Times:
    if view.samples.raw.info.source == "value":
        return np.zeros(len(view.samples.raw.ticks[which]))
    made: _Times = np.maximum(view.samples.raw.ticks[which], 0) * abs(view.samples.tick_s)
    return made


def _pauses(view: View) -> float:
    after = np.array([one for one in view.samples.raw.resumed if one > 0])
    if not len(after):
        return 0.0
    stopped = view.samples.at_of(after - 1) + _lengths(view, after - 1)
    return float(np.maximum(view.samples.at_of(after) - stopped, 0).sum())


STATISTIC = Statistic("exposure", "s", compute, always=True, whole=True)
