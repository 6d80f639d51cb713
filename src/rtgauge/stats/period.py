"""Any period in the times of the peaks: a clock tick, a housekeeping timer.

The largest samples are taken, and their times folded by each period that the distances between them suggest. When the
phases gather (Rayleigh's test) more than those of all samples do, and so much that it is not chance given how many
periods were tried, the period is reported. Samples that are themselves taken in step gather by themselves, hence the
comparison with all of them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Samples
from rtgauge.stats.clusters import bands
from rtgauge.stats.view import Statistic, View, settled
from rtgauge.stats.worst import largest

_FEWEST = 8  # peaks that can show a period
_MOST = 400
_SHARE = 0.002  # of the samples are peaks where no band of their own is seen
_SURE = 1e-4  # chance of reporting a period where there is none
_STRENGTH = 0.8  # least mean resultant length: 1 when all peaks come in step
_FOLDS = (1, 2, 3, 4)  # a distance between peaks may hold several periods
_COMMON = 5_000  # samples that stand for all
_AS_GOOD = 0.8  # of the best score
_IN_STEP = 0.2  # turns: a distance further from whole turns than this does not take part in a fit
_COMMONEST = 0.15  # share of the distances that the commonest one is sought with
_BY_CHANCE = 0.5  # resultant length of all samples above which a period is their own

_Times = NDArray[np.float64]


def compute(view: View) -> dict[str, Any] | None:
    """{"period_s", "n" peaks, "strength" 0 to 1, "chance" of it without a period}, or None."""
    return search(view.samples, _peaks(view))


def search(samples: Samples, which: NDArray[np.int64]) -> dict[str, Any] | None:
    """The same for the peaks at the positions `which`."""
    if len(which) < _FEWEST:
        return None
    peaks = np.sort(samples.at_of(which))
    others = _times_of_all(samples)
    span, spacing = peaks[-1] - peaks[0], _spacing(others, samples.n)
    tried = [period for period in _suggested(peaks) if 2 * spacing <= period <= span / 3]
    scored = [score for score in (_score(peaks, others, period) for period in tried) if score is not None]
    if not scored:
        return None
    best = max(surprise for _, _, surprise in scored)
    # Half of a period gathers the peaks as well as the whole: the longest of the best is meant.
    period, strength, surprise = max(one for one in scored if one[2] >= _AS_GOOD * best)
    # Independent periods among those that fit into the span.
    chance = float(len(_FOLDS) * span / period) * math.exp(-surprise)
    if chance > _SURE or strength < _STRENGTH:
        return None
    return {"period_s": settled(period), "n": len(peaks), "strength": settled(strength), "chance": settled(chance)}


def _peaks(view: View) -> NDArray[np.int64]:
    """Positions of the samples above the main band; the largest ones where there is no other band."""
    found = bands(view)
    main = max(found, key=lambda band: band.end - band.first)
    above = view.n - main.end
    if _FEWEST <= above <= view.n / 4:
        return largest(view, min(above, _MOST))
    return largest(view, min(_MOST, max(2 * _FEWEST, int(view.n * _SHARE)), view.n // 4))


def _times_of_all(samples: Samples) -> _Times:
    """Times of a part of the samples, in groups of neighbours so that no step of the choice shows in them."""
    if samples.n <= _COMMON:
        return samples.at
    rng = np.random.default_rng(samples.n)  # the same choice whenever it is computed again
    return samples.at_of(np.sort(rng.integers(0, samples.n, _COMMON)))


def _spacing(others: _Times, n: int) -> float:
    return float(others.max() - others.min()) / max(1, n - 1)


def _suggested(peaks: _Times) -> list[float]:
    """Periods that the distances between neighbours suggest, and their parts."""
    apart = np.diff(peaks)
    apart = apart[apart > 0]
    if not len(apart):
        return []
    seeds = [float(np.quantile(apart, share, method="nearest")) for share in (0.05, 0.1, 0.25, 0.5, 0.75)]
    seeds.append(_commonest(np.sort(apart)))
    return sorted({_refined(peaks, seed / fold) for seed in seeds for fold in _FOLDS})


def _commonest(ordered: _Times) -> float:
    """Middle of the shortest range that holds _COMMONEST of the distances."""
    span = max(2, int(len(ordered) * _COMMONEST))
    if span >= len(ordered):
        return float(ordered[len(ordered) // 2])
    at = int(np.argmin(ordered[span:] - ordered[:-span]))
    return float(ordered[at : at + span + 1].mean())


def _refined(peaks: _Times, period: float) -> float:
    """The period that fits the peaks best near `period`: stretches that grow fourfold, each fitted by least squares,
    so that the number of turns in the next stretch is never in doubt."""
    reach = 4 * period
    while True:
        ends = np.searchsorted(peaks, peaks + reach, side="right") - 1
        apart = peaks[ends] - peaks
        turns = np.rint(apart / period)
        turns[np.abs(apart / period - turns) > _IN_STEP] = 0
        weight = float((turns * turns).sum())
        if weight:
            period = float((apart * turns).sum()) / weight
        if reach >= peaks[-1] - peaks[0]:
            return period
        reach *= 4


def _score(peaks: _Times, others: _Times, period: float) -> tuple[float, float, float] | None:
    """(period, resultant length of the peaks, how much they gather beyond all samples), None when it is theirs."""
    peaks_mean, all_mean = _resultant(peaks, period), _resultant(others, period)
    if abs(all_mean) > _BY_CHANCE:
        return None
    beyond = abs(peaks_mean - all_mean) ** 2 / (1 - abs(all_mean) ** 2)
    return period, float(abs(peaks_mean)), float(len(peaks) * beyond)


def _resultant(times: _Times, period: float) -> complex:
    return complex(np.exp(2j * np.pi * (times / period % 1.0)).mean())


STATISTIC = Statistic("period", "s", compute, always=True)
