"""Names of categories and the words of the star criteria, out of the published tables."""

from __future__ import annotations

import re
from functools import cache

from rtgauge.reference import rows

_CRITERION = re.compile(r"configuration: (?P<configuration>.*?); results: (?P<results>.*)")
_FROWN = "frown symbol"

TESTS, ARCHITECTURE, RICHNESS, CONFIGURATION = "test results", "RTOS architecture", "API richness", "configuration"
BEHAVIOUR, PERFORMANCE, POSIX = f"{TESTS}: behaviour", f"{TESTS}: performance", "POSIX coverage"
MEASURED = (BEHAVIOUR, PERFORMANCE, TESTS, CONFIGURATION, ARCHITECTURE, RICHNESS, POSIX)
_UNPUBLISHED_OPINIONS = ("price",)


@cache
def opinions() -> tuple[str, ...]:
    """The categories that ask for an opinion: those published that are not measured, each half of a double one for
    itself, and the price."""
    published = [row["category"] for row in rows("ratings") if row["kind"] == "0-10"]
    halves = [half for name in dict.fromkeys(published) for half in name.split(" and ")]
    return (*dict.fromkeys(half for half in halves if half not in MEASURED), *_UNPUBLISHED_OPINIONS)


@cache
def checklist() -> dict[str, tuple[str, ...]]:
    """The published list of tools: features by group."""
    groups: dict[str, list[str]] = {}
    for row in rows("tools"):
        groups.setdefault(row["group"], []).append(row["feature"])
    return {group: tuple(features) for group, features in groups.items()}


@cache
def criterion(stars: int) -> dict[str, str]:
    """What so many whole stars mean for `configuration` and `results`, as published; 0 is the frown."""
    wanted = f"{stars} stars" if stars else _FROWN
    note = next(row["note"] for row in rows("ratings") if row["kind"] == "criterion" and row["category"] == wanted)
    found = _CRITERION.fullmatch(note)
    assert found is not None
    return found.groupdict()


def meaning(part: str, stars: float) -> str:
    """The criterion of the whole stars below, and where half a star is added that it is more."""
    words = criterion(int(stars))[part]
    return f"more than {words!r}" if stars % 1 else words
