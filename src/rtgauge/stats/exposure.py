"""The time under observation in s: from the first start to the last stop, less the pauses for draining."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.view import Statistic, View

_Times = NDArray[np.float64]


def compute(view: View) -> float:
    first, last = np.inf, -np.inf
    for start, stop in _spans(view):
        first, last = min(first, float(start.min())), max(last, float(stop.max()))
    kept, samples = view.samples.raw.accumulated, view.samples
    if kept is None:
        return max(0.0, last - first - _pauses(view))
    begin, tick_s = samples.at_accumulated(kept.first_start, 0), abs(samples.tick_s)
    gap = max(0.0, begin - last) if kept.after_pause else 0.0
    first, last = min(first, begin + kept.lowest * tick_s), max(last, begin + kept.highest * tick_s)
    return max(0.0, last - first - _pauses(view) - gap - kept.paused * tick_s)


def _spans(view: View) -> Iterator[tuple[_Times, _Times]]:
    samples = view.samples
    # A clock that wraps is unwrapped from the beginning, so it is taken as a whole.
    for piece in view.pieces() if samples.width == 64 else [slice(None)]:
        start = samples.at_of(piece)
        yield start, start + _lengths(view, piece)


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
