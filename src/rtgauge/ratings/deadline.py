"""Results held against the deadlines that were stated for them."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from rtgauge.errors import UsageError
from rtgauge.findings import Result
from rtgauge.ratings import rules
from rtgauge.ratings.facts import Manifest
from rtgauge.requirements import CONFIDENCE, DEADLINE_TEST, Requirement, from_json, of_deadline
from rtgauge.requirements.figures import figure_of, misses_of, name_of, samples_of, unknown_of
from rtgauge.requirements.match import matching
from rtgauge.requirements.rates import needed, upper
from rtgauge.units import canonical_duration, format_ns


@dataclass(frozen=True)
class Held:
    """One result against its deadline. `misses`: late, lost or skipped, at most."""

    result: Result
    deadline: float  # ns
    n: int
    misses: int
    worst: float  # ns
    stars: float | None  # None: too few activations to say anything

    @property
    def bound(self) -> float:
        return upper(self.misses, self.n, CONFIDENCE)

    @property
    def words(self) -> str:
        late = f"{self.misses} of {self.n} late or lost" if self.misses else f"none of {self.n} late"
        return (
            f"{name_of(self.result)}: {late}, worst {format_ns(self.worst)} of {format_ns(self.deadline)}: "
            f"a rate of misses below {self.bound:.2g}"
        )


@dataclass(frozen=True)
class Open:
    """A result with a deadline that cannot be held against it, and why."""

    result: Result
    why: str


def deadlines(manifest: Manifest) -> tuple[Requirement, ...]:
    """What the run was asked to keep as times that no sample may exceed."""
    ns = manifest.get("deadline_ns")
    stated = [of_deadline(ns)] if isinstance(ns, int) and not isinstance(ns, bool) and ns > 0 else []
    with contextlib.suppress(UsageError):  # a manifest from elsewhere: what cannot be read is not stated
        stated += from_json(manifest.get("requirements") or [])
    return tuple(one for one in stated if limit_of(one) is not None)


def deadline_words(manifest: Manifest) -> str | None:
    """The stated deadlines in one form, whatever way they were given; None without."""
    told = set()
    for one in deadlines(manifest):
        narrowed = one.test != DEADLINE_TEST or one.params or one.load or one.cpus or one.cache
        words = [one.test, *(f"{name}={value}" for name, value in sorted(one.params.items()))] if narrowed else []
        words += [f"{name}={value}" for name in ("load", "cpus", "cache") if (value := getattr(one, name))]
        told.add(" ".join([*words, canonical_duration(int(limit_of(one) or 0))]))
    return ", ".join(sorted(told)) or None


def hold(manifest: Manifest, results: Sequence[Result]) -> tuple[tuple[Held, ...], tuple[Open, ...]]:
    """Every result for which a deadline was stated, and those of them that say nothing. Where several are stated for
    one result, the shortest counts. What the system does not have is in neither."""
    shortest: dict[int, float] = {}
    for requirement in deadlines(manifest):
        deadline = limit_of(requirement)
        assert deadline is not None
        for result in matching(requirement, results):
            if result.get("status") != "not-supported":
                shortest[id(result)] = min(deadline, shortest.get(id(result), deadline))
    every = [_held(one, shortest[id(one)]) for one in results if id(one) in shortest]
    return tuple(one for one in every if isinstance(one, Held)), tuple(one for one in every if isinstance(one, Open))


def least() -> int:
    """Activations without a miss below which nothing is said."""
    return needed(0, rules.LEAST_BOUND, CONFIDENCE)


def _held(result: Result, deadline: float) -> Held | Open:
    why = _unusable(result, deadline)
    if why:
        return Open(result, why)
    unknown = unknown_of(result) or 0
    n, misses = samples_of(result) + unknown, misses_of(result, deadline)[1] + unknown
    worst = figure_of(result, "max")
    assert worst is not None
    stars = None
    if n >= least():
        stars = rules.stars_of_misses(upper(misses, n, CONFIDENCE), misses == 0, max(0.0, worst) / deadline)
    return Held(result, deadline, n, misses, worst, stars)


def _unusable(result: Result, deadline: float) -> str | None:
    status = result.get("status")
    if status != "ok":
        return f"{status}: {result.get('reason') or 'no reason given'}"
    if not result.get("n") or result.get("max") is None:
        return "it has no figures"
    if result.get("unit") != "ns":
        return "its figures are no times"
    if unknown_of(result) is None:
        return "it is not known how many samples were lost"
    if float(result.get("resolution") or 0.0) >= deadline:
        return "the clock's step hides the deadline"
    return None


def limit_of(requirement: Requirement) -> float | None:
    """ns; None where it is about something else than a largest time."""
    limit = requirement.limit("max")
    return limit.high if limit is not None and limit.time else None
