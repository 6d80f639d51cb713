"""The values of a gate, all frozen: runs or a baseline file -> Side; two Sides -> Outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rtgauge.gate.limits import Limits

Pairs = tuple[tuple[str, str], ...]
Shares = tuple[tuple[float, float], ...]
Range = tuple[float, float]  # from, to
Direction = Literal["less", "more", "neither"]
STATUSES = ("fail", "ok", "pass", "inconclusive", "invalid", "not-permitted", "not-supported")
"""Of several runs the first of these that one of them has: a failure counts, and so does what was shown."""
HAIR = 1e-6
"""Of a unit: values of samples are rounded to it."""
REPLICAS = 5
"""Runs on each side that an interval needs. With fewer, figures that fall on one of two places in each run (of memory,
of the phase to a tick) would be apart by chance too often; docs/gate.md has the figures."""


@dataclass(frozen=True)
class Key:
    """Which result: test, parameters (and so the part), environment; of several that are alike the `place`-th."""

    id: str
    params: Pairs = ()
    environment: Pairs = ()
    place: int = 0


@dataclass(frozen=True)
class Path:
    """The mode of the undisturbed cluster of one run in virtual time. `taken`: values that many samples have, with
    their shares; of a run only."""

    value: float | None  # None: no value stands out
    share: float  # of the samples that took exactly this, 0 to 1
    taken: Shares = ()

    def share_of(self, values: Sequence[float]) -> float:
        """Of the samples that took one of these; 0 where they are too few to be kept."""
        return sum(has for value, has in self.taken if any(abs(value - one) <= HAIR for one in values))


@dataclass(frozen=True)
class Line:
    """One result as all runs of a side have it; each tuple has one figure for each run that gave one."""

    key: Key
    status: str
    reason: str = ""
    unit: str = ""
    step: float = 0.0  # of the clock, in the unit
    n: int = 0  # samples in a run, the fewest of all runs
    lost: float = 0.0  # share of samples that were lost, the most of all runs
    medians: tuple[float, ...] = ()
    tail: str = ""  # which percentile, e.g. "p99.9"; empty where there are too few samples for one
    tails: tuple[float, ...] = ()
    maximum: float | None = None  # of all runs; told and never judged
    paths: tuple[Path, ...] = ()  # in virtual time
    spread: tuple[Range, ...] = ()  # in virtual time, of all runs together: between what quantiles of the samples lie
    limit: str = ""  # of this line alone, as written
    tail_limit: str = ""
    where: int = 0  # number of the line in the baseline file


@dataclass(frozen=True)
class Side:
    """What stands on one side of the gate."""

    name: str  # as the user gave it, or the runs' common name
    identity: Mapping[str, str]  # what must be equal on both sides, in the order in which it is looked at
    subject: Mapping[str, str]  # what is under test: may differ, and is told
    runs: int
    varied: bool  # whether the runs differ in any figure; those that do not are one run
    lines: Mapping[Key, Line]
    limits: Limits | None = None  # of a baseline file
    made: str = ""
    accepted: tuple[str, ...] = ()  # of a baseline file: date and reason, oldest first
    notes: tuple[str, ...] = ()
    file: bool = False

    @property
    def virtual(self) -> bool:
        return self.identity.get("time") == "virtual"

    @property
    def replicas(self) -> int:
        """Runs that say something about the spread between runs."""
        return self.runs if self.varied or not self.virtual else min(self.runs, 1)


Verdict = Literal["slower", "faster", "changed", "failed", "fixed", "missing", "new", "equal", "undecided", "unjudged"]
FAILING: tuple[Verdict, ...] = ("slower", "changed", "failed", "missing")


@dataclass(frozen=True)
class Judged:
    """One statistic of one result, judged by itself. Figures are in the unit; None where there is none."""

    key: Key
    what: str  # path, median, p99.9, ..., status
    verdict: Verdict
    why: str = ""  # one line, where figures do not say it
    unit: str = ""
    base: float | None = None
    run: float | None = None
    interval: tuple[float, float] | None = None  # of run - base, at the gate's confidence over all that it judges
    limit: str = ""
    where: int = 0  # line in the baseline file

    @property
    def difference(self) -> float | None:
        return None if self.base is None or self.run is None else self.run - self.base


@dataclass(frozen=True)
class Outcome:
    """All that the gate says. `incomparable`: the first thing that differs and must not; then nothing was judged."""

    run: Side
    base: Side
    base_id: str
    judged: tuple[Judged, ...] = ()
    incomparable: str | None = None
    differs: tuple[str, ...] = ()  # of the subject, one line each
    maxima: tuple[Judged, ...] = ()  # told, not judged
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    intervals: int = 0  # that the confidence is shared by
    across: tuple[str, ...] = ()  # of what must be equal, what the user let differ
    same: tuple[str, ...] = field(default=())  # what is known to be equal on both sides

    def of(self, *verdicts: Verdict) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.verdict in verdicts)

    @property
    def failed(self) -> tuple[Judged, ...]:
        return self.of(*FAILING)

    def ruling(self, strict: bool = False) -> Literal["pass", "fail", "undecided", "incomparable"]:
        """fail: something is worse. undecided: nothing is, but something could not be judged; `strict` also counts the
        statistics beside the main one (unjudged)."""
        if self.incomparable is not None:
            return "incomparable"
        if self.failed:
            return "fail"
        if self.of("undecided") or (strict and self.of("unjudged")) or not self.of("equal", "faster", "fixed"):
            return "undecided"
        return "pass"
