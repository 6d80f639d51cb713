"""The frequency distribution in bins that grow with the value: none narrower than one step of the clock.

Every sample is in exactly one bin [from, to). Values below zero share one bin, values of zero have their own; above
that the edges grow by a constant factor. Bins without a sample are left out.
"""

from __future__ import annotations

import numpy as np

from rtgauge.stats.view import Statistic, View

MOST = 180  # bins above zero


def compute(view: View) -> tuple[tuple[float, float, int], ...]:
    edges = _edges(view)
    counts = np.diff([view.whole.below(edge) for edge in edges])
    return tuple(
        (view.unit(lower), view.unit(upper), int(count))
        for lower, upper, count in zip(edges[:-1], edges[1:], counts, strict=True)
        if count
    )


def _edges(view: View) -> list[int]:
    """Edges in raw ticks, the first at or below the smallest sample, the last above the largest."""
    zero = view.samples.overhead_ticks
    whole = view.whole
    low, high = whole.least, whole.most
    edges = [low] if low < zero else []
    if low <= zero <= high:
        edges.append(zero)
    positive = whole.below(zero + 1)
    if positive == whole.n:
        return [*edges, high + 1 if high >= zero else zero]
    first = whole.at(positive)
    if whole.limit is None and first is not None:
        return [*edges, *(zero + edge for edge in growing(first - zero, high - zero, view))]
    return [*edges, *_up_to_limit(view, first), high + 1]


def _up_to_limit(view: View, first: int | None) -> list[int]:
    """Edges from the smallest value above zero on. What was only counted lies between the last of them and the largest
    sample: that is one bin."""
    zero, limit = view.samples.overhead_ticks, view.whole.limit
    if limit is None or first is None or first >= limit:
        return [zero + 1] if limit is None or limit <= zero else [limit]
    return [edge for edge in (zero + one for one in growing(first - zero, limit - zero, view)) if edge < limit] + [
        limit
    ]


def growing(low: int, high: int, view: View) -> list[int]:
    """Edges from `low` (at least 1) to beyond `high`, by a factor or by one step of the clock, whichever is more."""
    factor = (high / low) ** (1 / MOST)
    edges = [low]
    while edges[-1] <= high:
        edges.append(max(edges[-1] + view.samples.resolution_ticks, int(edges[-1] * factor + 0.999999)))
    return edges


STATISTIC = Statistic("histogram", "", compute, always=True, whole=True)
