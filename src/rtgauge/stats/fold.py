"""Finds events of a known period among others: which period and phase, exactly, makes most of its instants fall into
loops that were disturbed.

The period is known only as well as it was measured, and an error of one part in a thousand loses the phase after a few
hundred periods. So both are found in short stretches first, the calmest ones, where the events stand out: the period
from all of them together, since one alone may be disturbed in a rhythm of its own. Then the clearest stretch is doubled
on both sides again and again, and period and phase are refined by steps that it can just tell apart; a fit ends it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FIRST_PERIODS = 32
_STRETCHES = 8
_ERROR = 0.02  # a period measured wrong by such a part is found: a disturbance shifts the ticks that were watched
_LOOPS_MOST = 400  # in a period: the search takes the square of them
_DRIFTS = sorted((np.arange(-6, 7) / 4).tolist(), key=abs)  # of a loop's length, over the whole stretch
_SHIFTS = sorted((np.arange(-2, 3) / 4).tolist(), key=abs)  # of a loop's length
_PHASES = 4  # tried in a loop's length
_FITS = 3
_PARTS = (3, 2)  # of a period that are tried


@dataclass(frozen=True)
class Guess:
    """From short stretches. `contrast`: share of disturbed loops at the instants less that of all loops there."""

    contrast: float
    period: float
    phase: float  # after `zero`
    zero: float  # where the clearest stretch begins
    span: float


def holds_instant(begin: NDArray[Any], end: NDArray[Any], period: float, phase: float) -> NDArray[np.bool_]:
    """Whether an instant phase + k * period falls into (begin, end], for each loop; any unit of time."""
    held: NDArray[np.bool_] = np.floor((end - phase) / period) > np.floor((begin - phase) / period)
    return held


def guess(begin: NDArray[np.float64], end: NDArray[np.float64], disturbed: NDArray[np.bool_], period: float) -> Guess:
    """The period near `period` whose instants meet most disturbed loops in the calmest stretches, with a phase for each
    of them; and where they do so best. Loops in order of time, one at least, that do not overlap; times in one unit.
    A period shorter than a loop, or longer than 400, is not looked for: contrast 0."""
    length = float(np.median(end - begin))
    span = _FIRST_PERIODS * period
    if not length < period <= _LOOPS_MOST * length:
        return Guess(0.0, period, 0.0, float(begin[0]), math.inf)
    zeros = _calmest(begin, disturbed, span)
    stretches = [slice(*np.searchsorted(begin, (zero, zero + span)).tolist()) for zero in zeros]
    steps = np.arange(math.ceil(4 * _ERROR * span / length) + 1)
    errors = np.where(steps % 2, 1, -1) * ((steps + 1) // 2) * length / 2 / span  # 0 first, then ever larger ones
    found = [
        (
            period * (1 + error),
            [
                _best_phase(begin[w] - zero, end[w] - zero, disturbed[w], period * (1 + error), length)
                for zero, w in zip(zeros, stretches, strict=True)
            ],
        )
        for error in errors.tolist()
    ]
    best, phases = max(found, key=lambda one: sum(share for share, _ in one[1]))
    usual = [float(disturbed[within].mean()) for within in stretches]
    clearest = max(range(len(zeros)), key=lambda i: phases[i][0] - usual[i])
    contrast = (sum(share for share, _ in phases) - sum(usual)) / len(zeros)
    return Guess(contrast, best, phases[clearest][1], zeros[clearest], span)


def fold(
    begin: NDArray[np.float64], end: NDArray[np.float64], disturbed: NDArray[np.bool_], first: Guess
) -> tuple[float, float]:
    """(period, phase) of the instants that meet most disturbed loops, `first` refined over all loops."""
    length = float(np.median(end - begin))
    period, phase, zero, span = first.period, first.phase, first.zero, first.span
    if math.isinf(span):
        return period, zero

    usual = float(disturbed.mean())

    def score(within: slice, period: float, phase: float) -> float:
        """Disturbed loops at the instants, beyond what as many loops have anywhere."""
        held = holds_instant(begin[within] - zero, end[within] - zero, period, phase)
        return int(disturbed[within][held].sum()) - usual * int(held.sum())

    within = slice(*np.searchsorted(begin, (zero, zero + span)).tolist())
    while True:
        best = (-math.inf, period, phase)
        for drift in _DRIFTS:  # by how much of a loop the last instant of the stretch moves
            for shift in _SHIFTS:
                candidate = period + drift * length * period / span
                moved = phase + shift * length
                best = max(best, (score(within, candidate, moved), candidate, moved), key=lambda found: found[0])
        _, period, phase = best
        if within.start == 0 and within.stop == len(begin):
            break
        span *= 2
        within = slice(*np.searchsorted(begin, (zero - span, zero + span)).tolist())
    middle = begin[disturbed] + length / 2 - zero  # of the work: what makes a loop longer comes after the instant
    fits = [(period, phase), _fitted(middle, length, period, phase)]
    period, phase = max(fits, key=lambda fit: score(within, *fit))
    return period, zero + math.fmod(phase, period)


def parts(
    begin: NDArray[np.float64], end: NDArray[np.float64], disturbed: NDArray[np.bool_], period: float, phase: float
) -> int:
    """By what to divide a period that is a multiple of the true one: 3 or 2 where loops at the instants between were
    disturbed as well, at least half as much more than others as at the instants; else 1."""

    def share(which: NDArray[np.bool_]) -> float:
        return int(disturbed[which].sum()) / max(1, int(which.sum()))

    for number in _PARTS:
        at = [holds_instant(begin, end, period, phase + period * i / number) for i in range(number)]
        usual = share(~np.any(at, axis=0))
        first, *between = (share(held) - usual for held in at)
        if first > 0 and min(between) >= first / 2:
            return number
    return 1


def _fitted(middle: NDArray[np.float64], length: float, period: float, phase: float) -> tuple[float, float]:
    """Period and phase by least squares through the middles of the disturbed loops near an instant: much finer than a
    step, since the instants fall into each part of a loop equally often."""
    for _ in range(_FITS):
        number = np.round((middle - phase) / period)
        near = np.abs(middle - phase - number * period) < length
        k, at = number[near], middle[near]
        if not len(k) or k.min() == k.max():
            break
        k_mean, at_mean = k.mean(), at.mean()
        period = float(((k - k_mean) * (at - at_mean)).sum() / ((k - k_mean) ** 2).sum())
        phase = float(at_mean - k_mean * period)
    return period, phase


def _best_phase(
    begin: NDArray[np.float64], end: NDArray[np.float64], disturbed: NDArray[np.bool_], period: float, length: float
) -> tuple[float, float]:
    """(share of disturbed loops among those that hold an instant, phase) of the best phase; times from 0 up."""
    phases = math.ceil(period / length * _PHASES)
    step = period / phases
    first = np.floor(begin / step).astype(np.int64) + 1  # instants 0, 1, ... step apart: those in (begin, end]
    after = np.floor(np.minimum(end, begin + period) / step).astype(np.int64) + 1  # a longer loop holds each phase once
    size = -(-(int(after.max()) + 1) // phases) * phases

    def held(which: slice | NDArray[np.bool_]) -> NDArray[np.int64]:
        inside = np.cumsum(np.bincount(first[which], minlength=size) - np.bincount(after[which], minlength=size))
        total: NDArray[np.int64] = inside.reshape(-1, phases).sum(axis=0)
        return total

    loops = held(slice(None))
    share = np.where(2 * loops >= loops.max(), held(disturbed) / np.maximum(loops, 1), -1.0)
    best = int(np.argmax(share))
    return float(share[best]), best * step


def _calmest(begin: NDArray[np.float64], disturbed: NDArray[np.bool_], span: float) -> list[float]:
    """Where the stretches of length `span` begin in which the smallest shares of loops were disturbed, but some were;
    of stretches with at least half as many loops as the fullest. One at least, in order of time."""
    first = np.unique(np.floor((begin - begin[0]) / span), return_index=True)[1]  # however long nothing was measured
    edges = np.append(first, len(begin))
    loops = np.diff(edges)
    hit = np.diff(np.concatenate([[0], np.cumsum(disturbed)])[edges])
    share = np.where((hit > 0) & (2 * loops >= loops.max()), hit / loops, 2.0)
    calm = np.argsort(share, kind="stable")[:_STRETCHES]
    chosen: list[float] = begin[first[np.sort(calm[share[calm] <= max(1.0, share.min())])]].tolist()
    return chosen
