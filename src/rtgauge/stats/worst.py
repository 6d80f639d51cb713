"""The ten largest samples: value, when, on which CPU, and which one it was."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Samples, Worst
from rtgauge.samples import index_on_target
from rtgauge.stats.view import Statistic, View

MOST = 10


def compute(view: View) -> tuple[Worst, ...]:
    """Largest first; among equals the earlier one first."""
    samples = view.samples
    which = largest(view, MOST)
    at = samples.at_of(which)
    raw = tuple(
        Worst(
            value=view.unit(int(samples.raw.ticks[position])),
            at=float(when),
            cpu=cpu_of(samples, int(position)),
            index=index_on_target(samples.raw, int(position)),
        )
        for position, when in zip(which, at, strict=True)
    )
    every = sorted((*raw, *_accumulated(view)), key=lambda one: (-one.value, one.index))
    return tuple(every[:MOST])


def _accumulated(view: View) -> Iterator[Worst]:
    samples, kept = view.samples, view.samples.raw.accumulated
    for one in kept.largest if kept is not None else ():
        cpu = one.aux if samples.raw.info.aux == "cpu" else samples.cpu
        at = samples.at_accumulated(one.start, one.since)
        yield Worst(value=view.unit(one.ticks), at=at, cpu=cpu, index=one.index)


def largest(view: View, most: int) -> NDArray[np.int64]:
    """Positions of the `most` largest samples, largest first, the earlier of equals first."""
    ticks, most = view.samples.raw.ticks, min(most, view.n)
    if not most:
        return np.empty(0, np.int64)
    limit = view.raw.one(view.n - most)
    room = most - (view.n - view.below(limit + 1))  # for samples of the limit itself
    kept = []
    for piece in view.pieces():
        found = np.flatnonzero(ticks[piece] >= limit)
        equal = ticks[piece][found] == limit
        kept.append(found[~equal | (np.cumsum(equal) <= room)] + piece.start)
        room -= int(equal.sum())
    which = np.concatenate(kept)
    return which[np.lexsort((which, ~ticks[which]))]


def cpu_of(samples: Samples, position: int) -> int:
    return int(samples.raw.aux[position]) if samples.raw.info.aux == "cpu" else samples.cpu


STATISTIC = Statistic("worst", "", compute, always=True, whole=True)
