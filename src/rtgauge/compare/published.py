"""A published system as a column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rtgauge.compare.values import VERDICT, Cells, Column, Figure, Key, Point
from rtgauge.compare.words import name_of
from rtgauge.reference.systems import REMARKS, System, titles
from rtgauge.reference.systems import Figure as Printed

if TYPE_CHECKING:
    from rtgauge.ratings import Ratings

IN_KEY = ("load", "cache", "tick")  # of the environment; cpus and memory are the system's configuration
_NOTED = re.compile(r"preemption model: ([^;]+)")
_FACTS = {  # settings by column of systems.csv
    "OS": "os_name",
    "version": "os_version",
    "patch": "patch",
    "board": "board",
    "processor": "cpu",
    "processor MHz": "cpu_mhz",
    "processors": "cores",
    "memory MB": "ram_mb",
    "bus": "bus",
}


def column(system: System) -> Column:
    cells: dict[Key, tuple[Figure, ...]] = {}
    for one in system.figures:
        key = _key(one)
        cells[key] = (*cells.get(key, ()), _figure(one))
    return Column(
        name=f"reference:{system.address}",
        kind="reference",
        configuration=_configuration(system),
        cells=cells,
        points=tuple(sorted(_points(cells), key=lambda one: one.kind == "positive")),
        ratings=_ratings(system),
    )


def _ratings(system: System) -> Ratings:
    from rtgauge.ratings import printed

    return printed(system.name, system.platform)


def _points(cells: Cells) -> Iterator[Point]:
    """What printed verdicts say: a point against for each that is no pass, one point for all others."""
    passed: list[Key] = []
    for key, figures in cells.items():
        for one in (one for one in figures if one.statistic == VERDICT):
            if one.text == "pass":
                passed.append(key)
                continue
            what = "fails" if one.text == "fail" else "passes with a remark"
            yield Point(
                "negative", f"{name_of(key)} {what}{f': {one.note}' if one.note else ''}.", (_because(key, one),)
            )
    if passed:
        names = ", ".join(dict.fromkeys(key.id for key in passed))
        number = f"{len(passed)} printed verdicts are" if len(passed) > 1 else "One printed verdict is"
        behind = tuple({"id": key.id, "params": dict(key.params), "status": "pass"} for key in passed)
        yield Point("positive", f"{number} a pass: {names}.", behind)


def _because(key: Key, one: Figure) -> Mapping[str, Any]:
    return {"id": key.id, "params": dict(key.params), "status": one.text}


def _key(one: Printed) -> Key:
    at = one.place
    if at is None or at.kind != "test":
        return Key(one.published_id, part=one.scenario, kind="qualitative" if at is None else at.kind)
    environment = tuple((name, at.environment[name]) for name in IN_KEY if name in at.environment)
    return Key(at.id, tuple(sorted(at.params.items())), at.part, at.check, environment)


def _figure(one: Printed) -> Figure:
    printed = ("source", "section", "system", "platform", "published_id", "scenario", "load")
    return Figure(
        statistic=one.statistic,
        text=REMARKS[one.value] if one.statistic == VERDICT else one.value,
        unit=one.unit,
        qualifier=one.qualifier,
        note=one.note,
        environment={} if one.place is None else one.place.environment,
        printed={name: getattr(one, name) for name in printed} | {"value": one.value},
    )


def _configuration(system: System) -> dict[str, str]:
    known = titles()
    told = {
        "figures": "published",
        "source": ", ".join(f"{known[one]} ({one})" for one in system.sources),
        "year": system.year,
        "platform": system.platform,
        "time": "real",
    }
    for name, key in _FACTS.items():
        told[name] = _joined(system.facts, key)
    ticks = [facts["clock_tick_ms"] for facts in system.facts if facts["clock_tick_ms"]]
    told["tick"] = ", ".join(f"{tick} ms" for tick in dict.fromkeys(ticks))
    told["preemption model"] = ", ".join(found[1] for facts in system.facts if (found := _NOTED.search(facts["notes"])))
    places = [one.place.environment for one in system.figures if one.place is not None and one.place.kind == "test"]
    told["cpus"] = ", ".join(dict.fromkeys(one["cpus"] for one in places if "cpus" in one))
    told["load"] = ", ".join(sorted({one.load for one in system.figures}))
    told["remarks"] = _joined(system.facts, "notes")
    return {name: text for name, text in told.items() if text}


def _joined(facts: tuple[Mapping[str, str], ...], name: str) -> str:
    return ", ".join(dict.fromkeys(one[name] for one in facts if one[name]))
