"""What the answers of API-B-PSX and API-B-RCH say together: levels, profiles and totals, out of the reference data.

An answer is yes or no; a feature that could not be tried is neither, and one that has no meaning on the system is left
out of percentages, as the published lists do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from rtgauge.reference import rows

Answer = Literal["yes", "no", "not applicable", "unchecked"]
Level = Literal["full", "partial", "none", "unknown"]

POSIX, RICHNESS = "API-B-PSX", "API-B-RCH"
_NOT_APPLICABLE: Final = "not applicable"
_PROFILES: Mapping[str, tuple[str, ...]] = {
    # IEEE 1003.13 by items of the published table: processes, threads, file system.
    "PSE51": ("single-process", "thread-control"),
    "PSE52": ("single-process", "thread-control", "file-system"),
    "PSE53": ("multiple-processes", "thread-control"),
    "PSE54": ("multiple-processes", "thread-control", "file-system"),
}
_MINIMUM = (  # what every one of the profiles asks for beside them, of the features that are tried
    "semaphores",
    "timers",
    "realtime-signals",
    "memory-locking",
    "mutexes",
    "mutex-inheritance",
    "mutex-ceiling",
    "condition-variables",
    "thread-attributes",
    "thread-scheduling",
    "sched-fifo",
    "sched-rr",
    "shared-memory",
    "synchronised-io",
    "clock-nanosleep",
    "timeouts",
)


@dataclass(frozen=True)
class Standard:
    """One standard: its level, and what is missing or unknown of it, by the names of the features."""

    name: str
    level: Level
    present: int
    of: int  # features that were answered
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Profile:
    name: str
    met: bool | None  # None: not known
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Richness:
    """One kind of object; `percent` leaves out what is not applicable or was not tried."""

    group: str
    name: str
    present: Answer
    yes: int
    no: int
    not_applicable: int
    unchecked: int

    @property
    def percent(self) -> int | None:
        answered = self.yes + self.no
        return round(100 * self.yes / answered) if answered else None


def answers_of(result: Mapping[str, Any]) -> dict[str, Answer]:
    """The answers of one result, as results.json has it, by the slug of the feature."""
    found: dict[str, Answer] = {
        str(check["name"]): "yes" if check.get("holds") else "no"
        for check in result.get("checks") or ()
        if check.get("role") == "report"
    }
    for line in result.get("unchecked") or ():
        applies = not str(line.get("why", "")).startswith(_NOT_APPLICABLE)
        found[str(line.get("name"))] = "unchecked" if applies else _NOT_APPLICABLE
    return found


def standards(answers: Mapping[str, Answer]) -> tuple[Standard, ...]:
    """Each standard of the reference in its order."""
    table = rows("posix_features")
    names = dict.fromkeys(row["standard"] for row in table)
    return tuple(_standard(name, [row for row in table if row["standard"] == name], answers) for name in names)


def _standard(name: str, features: Sequence[Mapping[str, str]], answers: Mapping[str, Answer]) -> Standard:
    by_answer: dict[Answer, list[str]] = {"yes": [], "no": [], "not applicable": [], "unchecked": []}
    for row in features:
        by_answer[answers.get(row["slug"], "unchecked")].append(row["feature"])
    yes, no, unknown = by_answer["yes"], by_answer["no"], by_answer["unchecked"]
    level: Level = "partial" if yes else "none"
    if not yes and not no:
        level = "unknown"
    elif not no and yes:
        level = "unknown" if unknown else "full"
    return Standard(name, level, len(yes), len(yes) + len(no), tuple(no), tuple(unknown))


def profiles(answers: Mapping[str, Answer]) -> tuple[Profile, ...]:
    """The profiles PSE51 to PSE54, from the smallest to the largest."""
    names = {row["slug"]: row["feature"] for row in rows("posix_features")}
    return tuple(_profile(name, (*needs, *_MINIMUM), answers, names) for name, needs in _PROFILES.items())


def _profile(name: str, needs: Iterable[str], answers: Mapping[str, Answer], names: Mapping[str, str]) -> Profile:
    needed = [slug for slug in needs if answers.get(slug) != _NOT_APPLICABLE]
    missing = tuple(names[slug] for slug in needed if answers.get(slug) == "no")
    known = all(answers.get(slug, "unchecked") != "unchecked" for slug in needed)
    return Profile(name, False if missing else True if known else None, missing)


def richness(answers: Mapping[str, Answer]) -> tuple[Richness, ...]:
    """Each kind of object in the order of the reference. The object itself is not one of its features."""
    table = rows("api_features")
    kinds = dict.fromkeys((row["group"], row["object"]) for row in table)
    return tuple(
        _richness(group, name, [row for row in table if row["object"] == name], answers) for group, name in kinds
    )


def _richness(group: str, name: str, features: Sequence[Mapping[str, str]], answers: Mapping[str, Answer]) -> Richness:
    own = [answers.get(row["slug"], "unchecked") for row in features if row["feature"]]
    present: Answer = next(
        (answers.get(row["slug"], "unchecked") for row in features if not row["feature"]), "unchecked"
    )
    return Richness(
        group, name, present, own.count("yes"), own.count("no"), own.count(_NOT_APPLICABLE), own.count("unchecked")
    )


def published(system: str) -> dict[str, Answer]:
    """The published answers of another system (a column of the reference), by slug."""
    words: dict[str, Answer] = {"yes": "yes", "no": "no", "na": "not applicable"}
    return {row["slug"]: words[row[system]] for row in rows("api_features")}
