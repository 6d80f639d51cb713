"""Values of the model: what a target keeps of samples that it does not send one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Extreme:
    """One sample that is kept with all that the target knows of it."""

    ticks: int
    start: int  # raw
    since: int  # ticks from the first accumulated sample to its start
    index: int  # on the target
    aux: int


@dataclass(frozen=True)
class Pile:
    """How often each value came, in raw ticks: those from 0 to below bins * width in bins."""

    count: int
    min: int
    max: int
    total: int  # the exact sum
    bins: NDArray[np.int64]  # numbers of the bins that are not empty, rising
    counts: NDArray[np.int64]  # how many are in each of these
    values: NDArray[np.int64]  # outside of the bins, as they are, rising
    dropped_below: int  # values below zero that found no room: only counted
    dropped_beyond: int  # values beyond the last bin that found no room


@dataclass(frozen=True)
class Accumulated:
    """What the target kept of the samples of a series that it did not send; they follow the raw ones."""

    first: int  # index on the target of the first of them
    first_start: int  # its start, raw
    after_pause: bool  # it did not directly follow the last raw one
    at_ns: int  # when this was written, by the sleep clock
    measured: Pile
    entered: Pile | None  # values of skipped activations; only of periodic series
    largest: tuple[Extreme, ...]  # largest first, the earlier of equals first
    least: Extreme
    lowest: int  # earliest start and latest end, in ticks since the first of them
    highest: int
    pauses: int  # between them
    paused: int  # ticks in all pauses
    overruns: int
    odd: int  # due times that are not a multiple of the interval after the one before
    dropped: int  # of the whole series until then: samples that found no room in its buffer
    width: int  # ticks of a bin
    bins: int  # bins that there were
    beyond: int  # values that there was room for beside them


def unwrapped_to(start: int, starts: NDArray[np.uint64], origin: int, width: int) -> int:
    """Raw ticks from `origin` over each of `starts` to `start`, by a clock of `width` bits."""
    import numpy as np

    half = 1 << (width - 1)
    ticks, before = 0, origin
    for first in range(0, len(starts), 1 << 20):
        piece = starts[first : first + (1 << 20)].astype(np.uint64)
        steps = (piece - np.append(np.uint64(before), piece[:-1]) + np.uint64(half)) % np.uint64(2 * half)
        ticks, before = ticks + int(steps.astype(np.int64).sum()) - half * len(piece), int(piece[-1])
    return ticks + (start - before + half) % (2 * half) - half
