"""Bands: ranges of values in which samples gather, with few in between. A clock tick shows as a second band.

The values are counted in bins that are fine around the densest part and grow with the distance from it, so a band close
to the main one is seen as well as one far away, from ten samples to ten million. A hollow between two heaps separates
two bands when it is deep, and too empty to be chance if the density of the lower heap went on across it. Every sample
belongs to exactly one band; a tail belongs to the band that it leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.view import Statistic, View

_BINS_PER_E = 7  # bins while the distance from the densest part grows e-fold
_QUANTILES = 20_000  # order statistics that the scale is estimated from
_SHARE = 4  # the densest part holds one of so many samples
_DEPTH = 0.25  # the hollow holds at most this share of the lower heap's density
_SMALLEST = 5  # samples of a band; 3 where there are fewer than 100
_FEWEST_STEPS = 5  # distances between different values that show the step of a clock
_SURE = 1e-6  # chance of taking noise for a hollow
_SMOOTH = np.array([1, 2, 3, 2, 1]) / 9


@dataclass(frozen=True)
class Band:
    first: int  # position of its smallest sample in the sorted ticks
    end: int  # position after its largest one


def compute(view: View) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "from": view.unit(view.raw.one(band.first)),
            "to": view.unit(view.raw.one(band.end - 1)),
            "count": band.end - band.first,
            "median": view.unit(view.raw.one((band.first + band.end - 1) // 2)),
        }
        for band in bands(view)
    )


def bands(view: View) -> tuple[Band, ...]:
    """The bands in order of their values; together they hold every sample."""
    edges = _edges(view)
    positions = np.array([view.below(int(edge)) for edge in edges])
    counts = np.diff(positions)
    cuts = [0, *_hollows(counts, 3 if view.n < 100 else _SMALLEST), len(counts)]
    ends = positions[cuts]
    return tuple(Band(a, b) for a, b in pairwise(ends.tolist()))


def _edges(view: View) -> NDArray[np.int64]:
    """Edges in raw ticks, none closer than the smallest step, from the smallest sample to beyond the largest."""
    at = np.linspace(0, view.n - 1, min(view.n, _QUANTILES)).astype(np.int64)
    some = view.raw.each(at).astype(np.float64)
    centre, scale = _densest(some)
    step = max(view.samples.resolution_ticks, _smallest_step(some))
    scale = max(scale, step)
    low, high = (np.arcsinh((some[i] - centre) / scale) for i in (0, -1))
    inner = centre + scale * np.sinh(np.linspace(low, high, 2 + int((high - low) * _BINS_PER_E)))
    edges = [view.raw.least]
    for edge in inner[1:-1].tolist():
        # Whole steps from the first edge on, so that each bin holds the same number of values that the clock can show.
        snapped = int(edges[0] + step * round((edge - edges[0]) / step))
        if snapped > edges[-1]:
            edges.append(snapped)
    last = view.raw.most
    return np.array([*(edge for edge in edges if edge <= last), last + 1], dtype=object)


def _densest(some: NDArray[np.float64]) -> tuple[float, float]:
    """Middle and width of the shortest range that holds one in _SHARE of the samples."""
    span = max(1, len(some) // _SHARE)
    if span >= len(some):
        return float(some[0]), 0.0
    widths = some[span:] - some[:-span]
    at = int(np.argmin(widths))
    return float(some[at] + some[at + span]) / 2, float(widths[at])


def _smallest_step(some: NDArray[np.float64]) -> int:
    """The smallest distance of two different values, at least 1. Few different values show no step of the clock: they
    may be all that a system without noise gives."""
    steps = np.diff(some)
    steps = steps[steps > 0]
    return int(steps.min()) if len(steps) >= _FEWEST_STEPS else 1


def _hollows(counts: NDArray[np.int64], smallest: int) -> list[int]:
    """Bins at which a new band begins."""
    smooth = np.convolve(np.concatenate([counts[:2] * 0, counts, counts[:2] * 0]), _SMOOTH, "same")[2:-2]
    cuts = _valleys(smooth)
    while cuts:
        scores = [_strength(counts, smooth, cuts, i, smallest) for i in range(len(cuts))]
        weakest = int(np.argmin(scores))
        if scores[weakest] >= 1:
            break
        del cuts[weakest]
    return cuts


def _valleys(smooth: NDArray[np.float64]) -> list[int]:
    """For each two neighbouring heaps the middle of the lowest stretch between them."""
    heaps = [
        i
        for i in range(len(smooth))
        if smooth[i] > 0
        and (i == 0 or smooth[i] > smooth[i - 1])
        and smooth[i] >= max(smooth[i : i + 2])
        and _falls_after(smooth, i)
    ]
    cuts = []
    for left, right in pairwise(heaps):
        between = smooth[left : right + 1]
        lowest = np.flatnonzero(between == between.min())
        cuts.append(left + int(lowest[len(lowest) // 2]))
    return cuts


def _falls_after(smooth: NDArray[np.float64], i: int) -> bool:
    """Whether the first value after `i` that differs is lower (the end counts as lower)."""
    rest = smooth[i + 1 :]
    other = np.flatnonzero(rest != smooth[i])
    return not len(other) or bool(rest[other[0]] < smooth[i])


def _strength(counts: NDArray[np.int64], smooth: NDArray[np.float64], cuts: list[int], i: int, smallest: int) -> float:
    """How sure the hollow at cuts[i] is; below 1 it is none."""
    bounds = [0, *cuts, len(counts)]
    left, here, right = bounds[i], bounds[i + 1], bounds[i + 2]
    if min(counts[left:here].sum(), counts[here:right].sum()) < smallest:
        return 0.0
    density = min(smooth[left:here].max(), smooth[here:right].max())
    low = smooth < density * _DEPTH
    if not low[here - 1 : here + 1].any() and not low[min(here, len(low) - 1)]:
        return float(0.5 * density * _DEPTH / max(smooth[here], 1e-300))
    first, end = here, here
    while first > left and low[first - 1]:
        first -= 1
    while end < right and low[end]:
        end += 1
    expected = density * (end - first)
    found = counts[first:end].sum()
    # Poisson bound: the chance of so few where `expected` were due (Chernoff).
    if found >= expected:
        return 0.0
    surprise = expected - found + (found * np.log(found / expected) if found else 0.0)
    return float(surprise / -np.log(_SURE))


STATISTIC = Statistic("clusters", "", compute, always=True)
