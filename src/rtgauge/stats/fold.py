"""Finds events of a known period among others: which period and phase, exactly, makes most of its instants fall into
loops that were disturbed.

The period is known only as well as it was measured, and an error of one part in a thousand loses the phase after a few
hundred periods. So the phase is found in a short stretch first, the calmest one, where the events stand out; then the
stretch is doubled on both sides again and again, and period and phase are refined by steps that it can just tell apart.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FIRST_PERIODS = 32
_DRIFTS = np.arange(-6, 7) / 4  # of a loop's length, over the whole stretch: a period measured 1000 ppm wrong is found
_SHIFTS = np.arange(-2, 3) / 4  # of a loop's length


def holds_instant(begin: NDArray[Any], end: NDArray[Any], period: float, phase: float) -> NDArray[np.bool_]:
    """Whether an instant phase + k * period falls into (begin, end], for each loop; any unit of time."""
    held: NDArray[np.bool_] = np.floor((end - phase) / period) > np.floor((begin - phase) / period)
    return held


def fold(
    begin: NDArray[np.float64], end: NDArray[np.float64], disturbed: NDArray[np.bool_], period: float
) -> tuple[float, float]:
    """(period, phase) of the instants, near `period`, that meet most disturbed loops. Loops in order of time, one at
    least; all times in one unit."""
    length = float(np.median(end - begin))
    if not 0 < length < period:
        return period, float(begin[0])
    span = _FIRST_PERIODS * period
    zero = _calmest(begin, disturbed, span)

    def score(within: slice, period: float, phase: float) -> float:
        held = holds_instant(begin[within] - zero, end[within] - zero, period, phase)
        return float(disturbed[within][held].sum()) / max(1, int(held.sum()))

    within = slice(*np.searchsorted(begin, (zero, zero + span)).tolist())
    phases = np.arange(0, period, length / 4)
    phase = float(phases[int(np.argmax([score(within, period, p) for p in phases]))])
    while True:
        best = (-1.0, period, phase)
        for drift in _DRIFTS:  # by how much of a loop the last instant of the stretch moves
            for shift in _SHIFTS:
                candidate = period + drift * length * period / span
                moved = phase + shift * length
                best = max(best, (score(within, candidate, moved), candidate, moved), key=lambda found: found[0])
        _, period, phase = best
        if within.start == 0 and within.stop == len(begin):
            return period, zero + math.fmod(phase, period)
        span *= 2
        within = slice(*np.searchsorted(begin, (zero - span, zero + span)).tolist())


def _calmest(begin: NDArray[np.float64], disturbed: NDArray[np.bool_], span: float) -> float:
    """Where the stretch of length `span` begins in which the smallest share of loops was disturbed, but some were; of
    stretches with at least half as many loops as the fullest."""
    starts = np.arange(begin[0], begin[-1], span)
    edges = np.append(np.searchsorted(begin, starts), len(begin))
    loops = np.diff(edges)
    hit = np.diff(np.concatenate([[0], np.cumsum(disturbed)])[edges])
    share = np.where((hit > 0) & (2 * loops >= loops.max(initial=0)), hit / np.maximum(loops, 1), 2.0)
    return float(starts[int(np.argmin(share))]) if len(starts) else float(begin[0])
