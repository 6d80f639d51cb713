"""What is known of the values beyond the largest that was seen: frozen, and nothing of it needs the samples again."""

from __future__ import annotations

from dataclasses import dataclass

CONFIDENCE = 0.95
PROBABILITIES = (1e-6, 1e-9)
"""Per activation; the levels that are stored with a result."""


@dataclass(frozen=True)
class Condition:
    """Something that must hold before anything may be said beyond the maximum seen."""

    name: str
    holds: bool
    what: str  # its figures in words; where it does not hold, also what could help


@dataclass(frozen=True)
class Bound:
    """An estimate and its confidence interval, in the unit of the samples or a probability; all finite."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Blocks:
    """The second opinion: a generalised extreme value distribution fitted to the maxima of blocks."""

    size: int  # samples of a block
    count: int
    location: float
    scale: float
    shape: float


@dataclass(frozen=True)
class Tail:
    """The upper tail of one series: a generalised Pareto distribution of what exceeds a threshold.

    Values are in the unit of the samples. Where `refused`, the tail has conditions, and no level or rate.
    """

    name: str
    n: int  # samples, in the order of measuring
    max: float | None  # largest sample; None without samples
    conditions: tuple[Condition, ...]
    refused: str | None = None  # what failed and what could help, in plain words
    threshold: float = 0.0
    step: float = 0.0  # width of one value of the clock where the fit allows for it, else 0
    exceedances: int = 0  # samples above the threshold
    peaks: tuple[float, ...] = ()  # the largest of each cluster of exceedances, rising; the fit is of these
    others: tuple[float, ...] = ()  # exceedances that are not the largest of their cluster, rising
    shape: float = 0.0
    scale: float = 0.0
    blocks: Blocks | None = None
    below: tuple[tuple[float, int], ...] = ()  # (value, samples above it) from the threshold down, halving in rank
