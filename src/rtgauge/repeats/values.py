"""What several whole runs of the same say together, all frozen: OneRun of each -> Repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rtgauge.model import Between
from rtgauge.stats.between import SURE, Within

Number = TypeVar("Number", int, float)
Key = tuple[str, str, int]  # of a result: test, parameters and environment, and which of those that are alike
ENDED_EARLY = ("interrupted", "incomplete")
GRAVEST = ("fail", "invalid", "inconclusive", "pass")


@dataclass(frozen=True)
class OneResult:
    """One result of one run, as far as it is needed beside those of other runs."""

    id: str
    params: Mapping[str, Any]
    environment: Mapping[str, Any]
    unit: str | None
    status: str | None  # None: the run ended before it
    reason: str | None
    checks: Mapping[str, tuple[str, bool]]  # by name: what it says, whether it holds
    figures: Mapping[str, float]
    within: Within | None
    n: int
    lost: int | None  # None: nobody told, in a run that was imported
    exposure_s: float | None
    unmeasurable: bool


def total(parts: Sequence[Number | None]) -> Number | None:
    """The sum of at least one part; None where one is not known."""
    known = [one for one in parts if one is not None]
    return sum(known[1:], known[0]) if known and len(known) == len(parts) else None


@dataclass(frozen=True)
class OneRun:
    run: str
    number: int  # of the repeat, from 1
    of: int  # repeats that were asked for
    series: str | None
    state: str
    ruling: str | None
    reason: str
    target: str
    created: str
    exposure_s: float | None
    same: Mapping[str, Any]  # what has to be equal in all runs
    results: Mapping[Key, OneResult]


@dataclass(frozen=True)
class Repeated:
    """One result in all runs; each tuple has one entry for each run, in their order."""

    id: str
    params: Mapping[str, Any]
    environment: Mapping[str, Any]
    unit: str | None
    statuses: tuple[str | None, ...]  # None: not in that run
    reasons: tuple[str | None, ...]
    apart: tuple[tuple[str, tuple[bool | None, ...]], ...]  # checks that held in some runs only
    maxima: tuple[float | None, ...]
    medians: tuple[float | None, ...]
    n: int  # samples of all runs
    lost: int | None  # None: not known of every run
    exposure_s: float | None  # of all runs
    p25: float | None  # middle of those of the runs
    p75: float | None
    unmeasurable: bool
    figures: Mapping[str, Between]  # of those that at least two runs have

    @property
    def agree(self) -> bool:
        """Whether all runs that have this result say the same of it."""
        return len({status for status in self.statuses if status is not None}) < 2 and not self.apart

    @property
    def max(self) -> float | None:
        """The largest sample of all runs."""
        return max((one for one in self.maxima if one is not None), default=None)

    @property
    def runs(self) -> int:
        """How many runs gave figures."""
        return sum(one is not None for one in self.maxima)

    @property
    def moves(self) -> bool:
        """Whether the medians differ by more than the samples within the runs explain."""
        found = self.figures.get("median")
        return found is not None and found.chance is not None and found.chance < SURE


@dataclass(frozen=True)
class Repeats:
    """At least two runs of the same, in their order."""

    series: str | None
    target: str
    of: int  # runs that were asked for
    runs: tuple[OneRun, ...]
    results: tuple[Repeated, ...]
    ruling: str | None  # the gravest of all runs
    reason: str
    unequal: tuple[str, ...]  # in what the runs are not the same, one line each
    notes: tuple[str, ...]  # what is missing

    @property
    def exposure_s(self) -> float | None:
        return total([run.exposure_s for run in self.runs])

    def find(self, result: Mapping[str, Any]) -> Repeated | None:
        """What all runs say of an entry of results.json."""
        names = ("id", "params", "environment")
        wanted = tuple(result.get(name) or {} for name in names)
        return next((one for one in self.results if (one.id, one.params, one.environment) == wanted), None)

    @property
    def disagreements(self) -> tuple[Repeated, ...]:
        return tuple(one for one in self.results if not one.agree)

    @property
    def gravest(self) -> int:
        """Which run, from 0, has the gravest ruling; of several the last that is complete."""
        judged = set(judging(self.runs))
        order = [(i in judged, -gravity(run.ruling), run.state == "complete", i) for i, run in enumerate(self.runs)]
        return max(order)[-1]


def judging(runs: Sequence[OneRun]) -> list[int]:
    """The runs, from 0, whose rulings count: one that the user ended can fail, but decides nothing else."""
    whole = [i for i, run in enumerate(runs) if run.state not in ENDED_EARLY or run.ruling == "fail"]
    return whole or list(range(len(runs)))


def gravity(ruling: str | None) -> int:
    return GRAVEST.index(ruling) if ruling in GRAVEST else len(GRAVEST)
