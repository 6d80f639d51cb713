"""Published figures by the system that they are printed for: facts as data, nothing is computed.

A system is named SYSTEM@PLATFORM, e.g. qnx-6.5@atom-z530. SYSTEM alone means all platforms that it was published on.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from rtgauge.errors import UsageError
from rtgauge.reference import rows
from rtgauge.reference.mapping import Place, place

ANY = "any"  # the platform of what is said of no one machine
TABLES = ("published", "published_modern")
REMARKS = {"pass": "pass", "partial": "pass with remark", "fail": "fail"}


@dataclass(frozen=True)
class Figure:
    """One printed number or verdict, as printed."""

    source: str
    section: str
    system: str
    platform: str
    published_id: str
    scenario: str
    load: str
    statistic: str  # min, avg, max, typical, n, verdict, ...
    value: str  # digits as printed; pass, partial or fail of a verdict
    unit: str
    qualifier: str  # <, >, <=, >=, approx, or empty
    note: str  # what is in doubt about it
    place: Place | None  # None: no map knows it

    @property
    def number(self) -> Decimal | None:
        """None of a verdict."""
        return None if self.statistic == "verdict" else Decimal(self.value)


@dataclass(frozen=True)
class System:
    """One system on one platform with all that is printed of it. `facts`: by column of systems.csv, for each source."""

    name: str
    platform: str
    year: str  # empty: not printed
    sources: tuple[str, ...]
    facts: tuple[Mapping[str, str], ...]
    figures: tuple[Figure, ...]

    @property
    def address(self) -> str:
        return f"{self.name}@{self.platform}"


@cache
def figures() -> tuple[Figure, ...]:
    """Every row of the published tables, in their order."""
    return tuple(_figure(row) for table in TABLES for row in rows(table))


@cache
def systems() -> Mapping[str, System]:
    """All systems by SYSTEM@PLATFORM, in the order in which they were published. What is said of a system on any
    platform belongs to its platform where it has only one."""
    platforms: dict[str, list[str]] = {}
    for one in figures():
        platforms.setdefault(one.system, [])
        if one.platform != ANY and one.platform not in platforms[one.system]:
            platforms[one.system].append(one.platform)
    grouped: dict[tuple[str, str], list[Figure]] = {}
    for one in figures():
        own = platforms[one.system]
        platform = own[0] if one.platform == ANY and len(own) == 1 else one.platform
        grouped.setdefault((one.system, platform), []).append(one)
    made = [_system(name, platform, found) for (name, platform), found in grouped.items()]
    return {one.address: one for one in made}


def find(name: str) -> tuple[System, ...]:
    """The systems that SYSTEM or SYSTEM@PLATFORM means, one for each platform. UsageError lists the legal ones."""
    known = systems()
    if name in known:
        return (known[name],)
    found = tuple(one for one in known.values() if one.name == name)
    if found:
        return found
    near = difflib.get_close_matches(name, [*known, *(one.name for one in known.values())], n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UsageError(f"unknown reference system {name!r}: {hint}legal are {', '.join(known)}")


def titles() -> dict[str, str]:
    """What each source is."""
    return {row["source"]: row["title"] for row in rows("sources")}


def _figure(row: Mapping[str, str]) -> Figure:
    fields = {("published_id" if name == "test_id" else name): text for name, text in row.items()}
    return Figure(**fields, place=place(row))


def _system(name: str, platform: str, found: list[Figure]) -> System:
    sources = tuple(dict.fromkeys(one.source for one in found))
    years = {row["source"]: row["year"] for row in rows("sources")}
    return System(
        name=name,
        platform=platform,
        year=", ".join(dict.fromkeys(years[source] for source in sources if years[source])),
        sources=sources,
        facts=tuple(r for r in rows("systems") if (r["system"], r["platform"]) == (name, platform)),
        figures=tuple(found),
    )
