"""Known answers: delays that were put into a run, against the samples that the host made of it.

The log says which operations were held, and when by the clock that also stamped the samples. Which sample an operation
belongs to follows from how the test works: operations come in groups, of which the first `lead` make no sample.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

NEXT_SHOWS = 0.1  # of a hold: so much of it may be seen in the sample after it
COLD = 0.025  # of a hold: so much longer may take what follows it in the sample, with caches that have grown cold
ELSEWHERE = 0.1  # share of the samples without a hold that others may have delayed as much
NOISE = f"more than {ELSEWHERE:.0%} of the samples without a hold are as late as with one"


@dataclass(frozen=True)
class Groups:
    """After `before` operations they come `size` at a time; those after the first `lead` make one sample each."""

    size: int
    lead: int = 0
    before: int = 0

    def index(self, operation: int) -> int | None:
        """Sample, counted from 0, of an operation, counted from 1 as in the log; None where it makes none."""
        group, place = divmod(operation - 1 - self.before, self.size)
        if group < 0 or place < self.lead:
            return None
        return group * (self.size - self.lead) + place - self.lead


@dataclass(frozen=True)
class Hold:
    operation: int  # counted from 1 since the log began
    begin: int  # by the clock of the samples
    end: int
    ns: float  # its size as made


@dataclass(frozen=True)
class Log:
    """What the engine wrote; a row of `holds`: operation, begin and end by the stamp clock, and by the sleep clock."""

    clock: str
    operations: int
    not_held: int
    holds: tuple[tuple[int, int, int, int, int], ...]

    def of(self, source: str, ns_per_tick: float) -> list[Hold]:
        """The holds by the clock of samples whose series has this source, `stamp` or `os`."""
        at, scale = (1, ns_per_tick) if source == "stamp" else (3, 1.0)
        return [Hold(row[0], row[at], row[at + 1], (row[at + 1] - row[at]) * scale) for row in self.holds]


@dataclass(frozen=True)
class Recorded:
    """The samples of one series as the host stored them, in order."""

    index: NDArray[np.int64]
    start: NDArray[np.int64]  # raw, by the clock of the series
    stop: NDArray[np.int64]
    ns: NDArray[np.float64]  # corrected


@dataclass(frozen=True)
class Comparison:
    """`problems`: one line for each thing that is not as the log says."""

    problems: tuple[str, ...]
    held: int  # samples with a hold
    outside: int  # holds that belong to no sample
    hold_ns: float  # median size of the holds in samples
    excess_ns: float  # median of the samples with a hold less median of those without
    spread_ns: float  # what samples without a hold scatter by: distance of their 5th from their 95th percentile


def read_log(path: Path) -> Log:
    raw = json.loads(path.read_text())
    return Log(raw["clock"], raw["operations"], raw["not_held"], tuple(map(tuple, raw["holds"])))


def compare(holds: Sequence[Hold], samples: Recorded, groups: Groups) -> Comparison:
    """Whether exactly the held samples show their holds. At least one sample, and one without a hold."""
    within = [_sample_around(hold, samples) for hold in holds]
    problems = [
        line
        for hold, at in zip(holds, within, strict=True)
        for line in _misplaced(hold, at, groups.index(hold.operation), samples)
    ]
    missing = set(range(int(samples.index[-1]) + 1)) - set(samples.index.tolist())
    problems += [f"sample {index} is missing" for index in sorted(missing)[:3]]
    inside = [(hold, at) for hold, at in zip(holds, within, strict=True) if at is not None]
    if not inside:
        return Comparison((*problems, "no hold lies within a sample"), 0, len(holds), 0.0, 0.0, 0.0)
    return _sizes(inside, samples, problems, len(holds) - len(inside))


def _sample_around(hold: Hold, samples: Recorded) -> int | None:
    """Position of the sample whose stamps enclose the hold."""
    at = int(np.searchsorted(samples.start, hold.begin, "right")) - 1
    return at if at >= 0 and hold.end <= int(samples.stop[at]) else None


def _misplaced(hold: Hold, at: int | None, wanted: int | None, samples: Recorded) -> list[str]:
    found = None if at is None else int(samples.index[at])
    if wanted is not None and wanted > int(samples.index[-1]):
        wanted = None  # after the last sample
    if found != wanted:
        return [f"operation {hold.operation} was held in sample {wanted}, and is found in {found}"]
    if at is not None and samples.ns[at] < hold.ns:
        return [f"sample {found} is {samples.ns[at]:.0f} ns, and was held for {hold.ns:.0f} ns"]
    return []


def _sizes(inside: Sequence[tuple[Hold, int]], samples: Recorded, problems: Sequence[str], outside: int) -> Comparison:
    held = np.array([at for _, at in inside])
    free = np.ones(len(samples.ns), bool)
    free[held] = False
    after = held[held + 1 < len(free)] + 1
    after = after[free[after]]
    usual, hold_ns = float(np.median(samples.ns[free])), float(np.median([hold.ns for hold, _ in inside]))
    excess = float(np.median(samples.ns[held])) - usual
    low, high = np.percentile(samples.ns[free], [5, 95])
    found = list(problems)
    if abs(excess - hold_ns) > high - low + COLD * hold_ns:
        found.append(
            f"the median excess is {excess:.0f} ns, the median hold {hold_ns:.0f}, the spread {high - low:.0f}"
        )
    if len(after) and np.median(samples.ns[after]) - usual > NEXT_SHOWS * hold_ns:
        found.append(f"samples after a hold have a median of {np.median(samples.ns[after]):.0f} ns, others {usual:.0f}")
    if np.mean(samples.ns[free] - usual >= hold_ns) > ELSEWHERE:
        found.append(NOISE)
    return Comparison(tuple(found), len(held), outside, hold_ns, excess, float(high - low))
