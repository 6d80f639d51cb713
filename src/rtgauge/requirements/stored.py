"""Requirements and rulings as they are stored. What is written of a requirement reads back as the same one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rtgauge.requirements.model import Case, Judged, Limit, More, Rate, Requirement
from rtgauge.units import canonical_duration

TEXTS = ("name", "why", "where")


def to_json(requirement: Requirement) -> dict[str, Any]:
    """The keys of a requirement file, and where it stands."""
    made: dict[str, Any] = {"test": requirement.test}
    if requirement.params:
        made["params"] = dict(requirement.params)
    for name in ("load", "cpus", "cache"):
        if getattr(requirement, name) is not None:
            made[name] = getattr(requirement, name)
    made |= {limit.figure: _limit(limit) for limit in requirement.limits}
    if requirement.miss_rate is not None:
        made["miss_rate"] = requirement.miss_rate
    if requirement.holds:
        made["holds"] = True
    else:
        made["confidence"] = requirement.confidence
    return made | {name: getattr(requirement, name) for name in TEXTS if getattr(requirement, name)}


def label(requirement: Requirement) -> str:
    """What is required, in words: its name where it has one."""
    if requirement.name:
        return requirement.name
    used = {name: getattr(requirement, name) for name in ("load", "cpus", "cache")}
    about = {**requirement.params, **{name: word for name, word in used.items() if word is not None}}
    named = " ".join([requirement.test, *(f"{name}={value}" for name, value in about.items())])
    return f"{named} {', '.join(criteria(requirement))}"


def criteria(requirement: Requirement) -> list[str]:
    """Each limit as it was written: `max 100us`, `median 5us to 20us`, `miss rate 1e-09`, `holds`."""
    if requirement.holds:
        return ["holds"]
    words = []
    for limit in requirement.limits:
        low, high = (None if value is None else str(written(value, limit.time)) for value in (limit.low, limit.high))
        words.append(f"{limit.figure} {low} to {high}" if low and high else f"{limit.figure} {low or high}")
    return words + ([] if requirement.miss_rate is None else [f"miss rate {requirement.miss_rate:g}"])


def _limit(limit: Limit) -> Any:
    low, high = (None if value is None else written(value, limit.time) for value in (limit.low, limit.high))
    return high if low is None else low if high is None else [low, high]


def written(value: float, time: bool) -> str | int | float:
    """A limit as a file has it."""
    return canonical_duration(int(value)) if time else int(value) if value == int(value) else value


def judged_to_json(judged: Judged) -> dict[str, Any]:
    """One entry of `requirements` in results.json."""
    return {
        "name": label(judged.requirement),
        "requirement": to_json(judged.requirement),
        "ruling": judged.ruling,
        "reason": judged.reason,
        "samples": judged.samples,
        "exposure_s": judged.exposure_s,
        "rate": _rate(judged.rate),
        "more": _more(judged.more),
        "results": [_case(case) for case in judged.cases],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "id": case.id,
        "params": dict(case.params),
        "environment": dict(case.environment),
        "ruling": case.ruling,
        "reason": case.reason,
        "proves": case.proves,
        "unit": case.unit,
        "figures": dict(case.figures),
        "samples": case.samples,
        "exposure_s": case.exposure_s,
        "misses": None if case.misses is None else list(case.misses),
        "rate": _rate(case.rate),
        "more": _more(case.more),
    }


def _rate(rate: Rate | None) -> dict[str, Any] | None:
    return None if rate is None else asdict(rate)


def _more(more: More | None) -> dict[str, Any] | None:
    return None if more is None else asdict(more)
