"""What every statistic sees: the samples, and their raw ticks in order, sorted once for all of them.

Order statistics are taken from ticks, which are whole numbers, and turned into the unit last: so they are exact, and
the same whenever they are computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Samples
from rtgauge.stats.distribution import Distribution, joined, of_samples

PIECE = 1 << 20
"""Samples turned into floating point together, so that no second copy of a long series is ever alive."""


@dataclass(frozen=True)
class View:
    samples: Samples
    ordered: NDArray[np.int32] | NDArray[np.int64]  # ticks of all raw samples, smallest first; at least one
    whole: Distribution  # of these and of all that the target accumulated

    @property
    def n(self) -> int:
        return len(self.ordered)

    def unit(self, ticks: int | float) -> float:
        """A value in the unit of the samples: `ticks` less the overhead."""
        return (ticks - self.samples.overhead_ticks) * self.samples.scale

    def below(self, ticks: int) -> int:
        """Number of raw samples of less than `ticks`."""
        info = np.iinfo(self.ordered.dtype)
        if ticks > info.max:
            return self.n
        return int(np.searchsorted(self.ordered, self.ordered.dtype.type(max(ticks, info.min))))

    def pieces(self) -> Iterator[slice]:
        for first in range(0, self.n, PIECE):
            yield slice(first, first + PIECE)


@dataclass(frozen=True)
class Statistic:
    name: str
    unit: str  # of what it computes: "sample" for the unit of the samples, "" for a record of several
    compute: Callable[[View], Any]
    always: bool = False  # part of every summary
    whole: bool = False  # of all samples, also those that were accumulated; else of the raw ones only


def view_of(samples: Samples) -> View:
    """ValueError when there is no sample: then there is nothing to say about them."""
    if not samples.n:
        raise ValueError(f"{samples.id}: no samples")
    ordered = samples.raw.ticks.copy()
    ordered.sort()
    kept = samples.raw.accumulated
    whole = of_samples(ordered) if kept is None else joined(ordered, [(kept.measured, kept)])
    return View(samples, ordered, whole)


def settled(figure: float) -> float:
    """Nine digits of a figure that comes from functions whose last digits differ between processors and libraries, so
    that computing it again elsewhere gives the same."""
    return float(f"{figure:.9g}")
