"""What one instrument said in one run, and the rule by which two instruments agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Figure = Literal["median", "avg"]
Verdict = Literal["agrees", "does not agree", "not measured"]


@dataclass(frozen=True)
class Reading:
    """ns; None where the instrument does not tell."""

    n: int
    min: float | None = None
    median: float | None = None
    avg: float | None = None

    def times(self, factor: float) -> Reading:
        """Each figure multiplied, where one of ours holds several of theirs."""
        return replace(
            self,
            min=None if self.min is None else self.min * factor,
            median=None if self.median is None else self.median * factor,
            avg=None if self.avg is None else self.avg * factor,
        )


def reading_of(values: NDArray[np.floating[Any]]) -> Reading:
    """From raw samples in ns, of which there is at least one."""
    return Reading(len(values), float(values.min()), float(np.median(values)), float(values.mean()))


Pair = tuple[Reading, Reading]
"""Ours and theirs, taken side by side."""


def ratio_of(pairs: Sequence[Pair], figure: Figure | Literal["min"]) -> float | None:
    """Median of ours to theirs, pair by pair, so that a drift of the machine cancels out. None where one has no such
    figure, or has 0 (less than its resolution)."""
    ratios = []
    for ours, theirs in pairs:
        a, b = getattr(ours, figure), getattr(theirs, figure)
        if a is None or not b:
            return None
        ratios.append(a / b)
    return median(ratios) if ratios else None


def typical(readings: Sequence[Reading]) -> Reading:
    """All samples counted; the median of the medians and averages; the smallest minimum."""

    def of(name: str) -> list[float]:
        return [value for r in readings if (value := getattr(r, name)) is not None]

    return Reading(
        n=sum(r.n for r in readings),
        min=min(of("min"), default=None),
        median=median(of("median")) if of("median") else None,
        avg=median(of("avg")) if of("avg") else None,
    )


def judge(ratio: float | None, within: tuple[float, float], flaws: Sequence[str]) -> Verdict:
    """A flaw is an event that contradicts our samples: then no ratio can save them. Without a ratio nothing was
    measured."""
    if flaws:
        return "does not agree"
    if ratio is None:
        return "not measured"
    return "agrees" if within[0] <= ratio <= within[1] else "does not agree"
