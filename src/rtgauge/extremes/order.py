"""Conditions on the order of the exceedances in time: independent, stationary, without a period.

Exceedances of independent samples come at random: the distances between them are geometric. Distances that are short
too often show clusters; what was declustered is tested again, so that only a dependence over short times passes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rtgauge.extremes.model import Condition
from rtgauge.extremes.scan import BLOCKS, Floats, Ints, Scan

SURE = 0.005  # chance of calling a condition broken that holds, for each test
_PARTS = 20  # of the run, in which exceedances are counted
LEAST_INDEX = 0.4
"""Extremal index, the inverse of the mean size of a cluster, below which dependence is called strong."""
_RELEVANT = 0.5  # drift of the middle over the run, as a share of the tail's scale
_STRENGTH = 0.2  # resultant length of the exceedances' phases: 1 when all come in step
_SPECTRUM = 1 << 20  # samples that are looked at together for a period
_MOST_SPECTRA = 8


@dataclass(frozen=True)
class Clusters:
    index: float  # extremal index, at most 1
    run: int  # samples without exceedance that end a cluster; 0: each exceedance stands alone
    peaks: Ints  # position, among the exceedances, of the largest of each cluster


def clusters(places: Ints, values: Floats, n: int) -> Clusters:
    """The exceedances put together where they come in clusters (Ferro and Segers' intervals method, 2003)."""
    if len(places) < 3 or _shortness(places, n, 0) >= SURE:
        return Clusters(1.0, 0, np.arange(len(places)))
    gaps = np.diff(places).astype(np.float64)
    index = extremal_index(gaps)
    runs = math.floor(index * len(gaps))  # distances that part two clusters
    if runs >= len(gaps):  # short distances are balanced by others: no clusters
        return Clusters(1.0, 0, np.arange(len(places)))
    run = int(np.sort(gaps)[len(gaps) - runs]) - 1 if runs else int(gaps.max())
    return Clusters(index, run, largest_of_each(places, values, run))


def extremal_index(gaps: Floats) -> float:
    less = gaps if gaps.max() <= 2 else gaps - 1
    square = gaps * gaps if gaps.max() <= 2 else less * (gaps - 2)
    return min(1.0, float(2 * less.sum() ** 2 / (len(gaps) * square.sum())))


def largest_of_each(places: Ints, values: Floats, run: int) -> Ints:
    """Clusters are parted by more than `run` positions without an exceedance."""
    starts = np.flatnonzero(np.diff(places, prepend=places[0] - run - 2) > run + 1)
    ends = np.append(starts[1:], len(places))
    return np.array([a + int(np.argmax(values[a:b])) for a, b in zip(starts, ends, strict=True)], np.int64)


def _shortness(places: Ints, n: int, run: int) -> float:
    """Chance of so many short distances between independent exceedances that are more than `run` apart."""
    from scipy.stats import binom  # slow to import

    gaps = np.diff(places) - run
    share = len(places) / max(1, n - run * len(places))
    reaches = [1 << i for i in range(24) if (1 << i) <= max(1.0, 0.5 / share)]
    chances = [
        binom.sf(np.count_nonzero(gaps <= reach) - 1, len(gaps), -np.expm1(reach * np.log1p(-share)))
        for reach in reaches
    ]
    return min(1.0, float(min(chances)) * len(chances))


def independent(found: Clusters, places: Ints, values: Floats, n: int) -> Condition:
    """Of exceedances in the order of measuring, and their clusters."""
    from scipy.stats import kendalltau

    k, c = len(places), len(found.peaks)
    sizes = values[found.peaks]
    chance = _shortness(places[found.peaks], n, found.run) if found.run else 1.0
    next_ = float(kendalltau(sizes[:-1], sizes[1:], method="asymptotic").pvalue) if c > 3 else 1.0
    name = "independence"
    alone = f"{k} exceedances, no more of them close together than chance has it"
    together = f"{k} exceedances come in {c} clusters, extremal index {found.index:.2f}"
    what = together if found.run else alone
    if found.run and found.index < LEAST_INDEX:
        return Condition(name, False, f"{what}: one large sample brings others with it; measure at longer intervals")
    if chance < SURE:
        return Condition(name, False, f"{what}, and the clusters themselves come close together; measure longer")
    if next_ < SURE:
        what += f"; the size of one tells that of the next (chance {next_:.1g}); measure at longer intervals"
        return Condition(name, False, what)
    if found.run:
        what += "; the fit is of the largest of each cluster, a probability still that of one activation"
    return Condition(name, True, what)


def stationary(seen: Scan, places: Ints, values: Floats, scale: float) -> Condition:
    """`places`, `values`: independent exceedances; `scale`: their mean excess."""
    from scipy.stats import chi2, kendalltau, kstest, theilslopes

    name, help_ = "stationarity", "measure under a fixed load, after a warm-up"
    k = len(places)
    even = float(kstest((places + 0.5) / seen.n, "uniform").pvalue)
    counts = np.histogram(places, _PARTS, (0, seen.n))[0]
    spread = float(chi2.sf(((counts - k / _PARTS) ** 2).sum() / (k / _PARTS), _PARTS - 1))
    tail = float(kendalltau(places, values, method="asymptotic").pvalue)
    line = theilslopes(seen.medians, np.arange(BLOCKS))
    drift, level = line.slope * BLOCKS, float(kendalltau(np.arange(BLOCKS), seen.medians).pvalue)
    if even < SURE or spread < SURE:
        least, most = counts.min(), counts.max()
        what = f"of {k} exceedances {least} to {most} fall into equal parts of the run (chance {min(even, spread):.1g})"
        return Condition(name, False, f"the rate is not the same throughout: {what}; {help_}")
    if tail < SURE:
        return Condition(name, False, f"the size of exceedances drifts with time (chance {tail:.1g}); {help_}")
    if level < SURE and abs(drift) > _RELEVANT * scale:
        return Condition(name, False, f"the middle drifts by {drift / scale:.2g} of the tail's scale; {help_}")
    evenly = f"{k} exceedances spread evenly over the run (chance {min(1.0, 2 * min(even, spread)):.2g})"
    return Condition(name, True, f"{evenly}, their size steady ({tail:.2g})")


def without_period(places: Ints, n: int) -> Condition:
    """Of independent exceedances: no more of them in step with any period than chance has it."""
    best, strength, chance = _strongest(places, n)
    name = "no period"
    if chance < SURE and strength > _STRENGTH:
        what = f"exceedances come in step with a period of {best:.4g} samples (strength {strength:.2f})"
        why = "their rate depends on the phase; measure at an interval that no multiple of it fits"
        return Condition(name, False, f"{what}: {why}")
    what = f"no period in {len(places)} exceedances (strongest {strength:.2f}, chance {chance:.2g})"
    return Condition(name, True, what)


def _strongest(places: Ints, n: int) -> tuple[float, float, float]:
    """(period in samples, resultant length, chance) of the strongest period that fits into what is looked at."""
    from scipy.fft import next_fast_len, rfft
    from scipy.stats import gamma

    span = min(n, _SPECTRUM)
    size = next_fast_len(span, real=True)
    number = n // span
    chosen = np.unique(np.linspace(0, number - 1, min(number, _MOST_SPECTRA)).astype(int))
    power, counts = np.zeros(size // 2 + 1), []
    for part in chosen:
        inside = places[(places >= part * span) & (places < (part + 1) * span)] - part * span
        counts.append(len(inside))
        signs = np.zeros(size, np.float32)
        signs[inside] = 1
        power += np.abs(rfft(signs)) ** 2
    total = sum(counts)
    power[: 3 * size // span] = 0  # a period must fit a few times
    at = int(np.argmax(power))
    squares = sum(count * count for count in counts)
    if not total:
        return 0.0, 0.0, 1.0
    # Without a period each part's power is exponential with the mean of its count.
    degrees = total * total / squares
    chance = min(1.0, float(gamma.sf(power[at], degrees, scale=total / degrees)) * span / 2)
    strength = math.sqrt(max(0.0, float(power[at]) - total) / max(1, squares - total))
    return size / at if at else 0.0, min(1.0, strength), chance
