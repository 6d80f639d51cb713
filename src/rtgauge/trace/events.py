"""What a reader tells while a trace arrives: enough for a progress display, nothing to compute with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rtgauge.model import Outcome, Param


@dataclass(frozen=True)
class RunBegun:
    engine: str
    port: str
    sample_memory: int  # bytes


@dataclass(frozen=True)
class TestBegun:
    __test__ = False  # not a pytest class

    job: int
    id: str
    params: Mapping[str, Param]
    samples: int  # wanted in each series


@dataclass(frozen=True)
class Progress:
    done: int
    of: int


@dataclass(frozen=True)
class BlockRead:
    """Samples arrived. `worst` is their largest in `unit`, overhead not subtracted; None while the clock is unknown."""

    series: int
    count: int
    max_ticks: int
    worst: float | None
    unit: str


@dataclass(frozen=True)
class LiveLine:
    """What one buffer, e.g. that of one thread, has brought so far, in the unit, overhead not subtracted."""

    n: int
    min: float
    avg: float
    max: float
    last: float
    aux: int  # the declared small number of the last


@dataclass(frozen=True)
class LiveRead:
    """Figures of a test while it samples."""

    series: int
    unit: str
    lines: tuple[LiveLine, ...]
    bins: tuple[tuple[float, float, int], ...]  # (from, to, count); four for each doubling


@dataclass(frozen=True)
class TestEnded:
    __test__ = False  # not a pytest class

    job: int
    id: str
    outcome: Outcome
    reason: str | None


@dataclass(frozen=True)
class RunEnded:
    tests: int
    why: str | None  # the engine's own error


Event = RunBegun | TestBegun | Progress | BlockRead | LiveRead | TestEnded | RunEnded
