"""What is required of a system, and what its results say about it: all frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rtgauge.model import Param

DEADLINE_TEST = "TMR-P-CYC"
"""The test that `--deadline` is judged by."""
DEADLINE_OPTION = "--deadline"
CONFIDENCE = 0.95

Ruling = Literal["met", "not met", "inconclusive", "invalid"]
GRAVEST: tuple[Ruling, ...] = ("not met", "invalid", "inconclusive", "met")


@dataclass(frozen=True)
class Limit:
    """Where one figure has to lie; at a limit is within it. Too small is not believable, too large is not met."""

    figure: str  # max, min, avg, median, or a percentile: p99.9
    low: float | None
    high: float | None
    time: bool  # ns, of series in time; else the unit of the series, which is no time


@dataclass(frozen=True)
class Requirement:
    """What some results have to keep. `params` and the environment choose the results; None: any."""

    test: str  # a glob of test ids
    params: Mapping[str, str] = field(default_factory=dict)  # as written, the part among them
    load: str | None = None
    cpus: str | None = None
    cache: str | None = None
    limits: tuple[Limit, ...] = ()
    miss_rate: float | None = None  # of samples above the limit of `max`
    confidence: float = CONFIDENCE
    holds: bool = False  # the behaviour holds
    name: str = ""
    why: str = ""
    where: str = ""  # file and number of the entry, or the option

    def limit(self, figure: str) -> Limit | None:
        return next((one for one in self.limits if one.figure == figure), None)


@dataclass(frozen=True)
class Rate:
    """How often, per sample, values lie above the limit of `max`: bounds at a confidence."""

    low: float
    high: float
    confidence: float
    by: Literal["binomial", "extreme values"]


@dataclass(frozen=True)
class More:
    """What is missing to decide."""

    samples: int
    seconds: float | None  # at the pace of the run; None where that is not known


@dataclass(frozen=True)
class Case:
    """One result, held against a requirement."""

    id: str
    params: Mapping[str, Param]
    environment: Mapping[str, str]
    ruling: Ruling
    reason: str
    proves: str = ""  # what its largest sample shows, and what it does not; "" where there is nothing to show
    unit: str | None = None
    figures: Mapping[str, float] = field(default_factory=dict)  # those with a limit, in the unit
    samples: int | None = None  # None: no figures
    exposure_s: float | None = None  # None: no figures, or nobody told
    misses: tuple[int, int] | None = None  # at least and at most, of the samples; None without a limit of `max`
    rate: Rate | None = None
    more: More | None = None


@dataclass(frozen=True)
class Judged:
    """The ruling on one requirement: the gravest of its results. Exposure, rate and what is missing are those of the
    result that decided."""

    requirement: Requirement
    ruling: Ruling
    reason: str  # one line
    cases: tuple[Case, ...] = ()  # the results that it was judged by
    samples: int | None = None
    exposure_s: float | None = None
    rate: Rate | None = None
    more: More | None = None


Result = Mapping[str, Any]
"""One entry of `results` in results.json: what is judged is what is stored, measured here or imported."""
