"""What every statistic sees: the samples, and how often each of their raw ticks came, counted once for all of them.

Order statistics are taken from ticks, which are whole numbers, and turned into the unit last: so they are exact, and
the same whenever they are computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rtgauge.model import Samples
from rtgauge.stats.distribution import Distribution, joined, of_samples

PIECE = 1 << 18
"""Samples turned into floating point together, so that no second copy of a long series is ever alive."""


@dataclass(frozen=True)
class View:
    samples: Samples
    raw: Distribution  # of the ticks of all raw samples; at least one
    whole: Distribution  # of these and of all that the target accumulated

    @property
    def n(self) -> int:
        return self.raw.n

    def unit(self, ticks: int | float) -> float:
        """A value in the unit of the samples: `ticks` less the overhead."""
        return (ticks - self.samples.overhead_ticks) * self.samples.scale

    def below(self, ticks: int) -> int:
        """Number of raw samples of less than `ticks`."""
        return self.raw.below(ticks)

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
    raw, kept = of_samples(samples.raw.ticks), samples.raw.accumulated
    return View(samples, raw, raw if kept is None else joined([raw], [(kept.measured, kept)]))


def settled(figure: float) -> float:
    """Nine digits of a figure that comes from functions whose last digits differ between processors and libraries, so
    that computing it again elsewhere gives the same."""
    return float(f"{figure:.9g}")
