"""Where a published figure stands in the catalogue: the old test ids and scenarios in terms of our tests.

The maps are data (`id_map.csv`, `id_map_modern.csv`); the first line that fits counts. They are written in the words of
the published reports; the tables below put these into the words of our tests where the two differ.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from rtgauge.reference import rows

Kind = Literal["test", "configuration", "qualitative"]

# Environments in which the systems of one paper were measured, by the end of their names.
_CPUS = {"solaris-8-1rt": "reserved", "solaris-8-2proc": "all", "solaris-8-1proc": "one", "lynxos-3.0.1": "one"}
_RENAMED = {("TMR-P-JIT", "period"): "interval"}
_RESTATED = {
    ("SEM-P-ARC", "waiters", "1..128"): "128",  # one result of ours holds all these numbers of waiters
    ("SEM-P-SCL", "waiters", "1..128"): "128",
    ("SEM-P-SCL", "waiters", "1..255"): "255",
    ("MUT-P-INV", "hold", "0"): "0ns",
    ("CLK-P-DUR", "part", "loop"): "",  # the series itself
}
_PARAMETERS_OF_OURS = {("CLK-P-DUR", "clock-variant")}  # where the reports have an environment
_UNSTATED = {("IRQ-P-TLT", "from"): "handler"}  # the catalogue's definition
_WITH_PART = {"MEM-P-FTP"}  # tests whose parameter has this name


@dataclass(frozen=True)
class Place:
    """`kind` other than "test": no result of a test, and `id` is empty. An empty `part` is the test's only series, an
    empty `check` the test as a whole; environments name only what is printed."""

    kind: Kind
    id: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    check: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def place(row: Mapping[str, str]) -> Place | None:
    """Where a row of the published tables stands; None for one that no map knows."""
    for pattern, line in _map().get(row["test_id"], ()):
        if pattern.fullmatch(row["scenario"]):
            return _placed(line, row)
    return None


@cache
def _map() -> dict[str, list[tuple[re.Pattern[str], Mapping[str, str]]]]:
    lines: dict[str, list[tuple[re.Pattern[str], Mapping[str, str]]]] = {}
    for line in (*rows("id_map"), *rows("id_map_modern")):
        pattern = re.compile(".*".join(map(re.escape, line["scenario_pattern"].split("*"))))
        lines.setdefault(line["published_id"], []).append((pattern, line))
    return lines


def _placed(line: Mapping[str, str], row: Mapping[str, str]) -> Place:
    id_, note = line["test_id"], line["note"]
    environment = {name: _filled(name, value, row) for name, value in _pairs(line["environment"])}
    environment = {name: value for name, value in environment.items() if value}
    if id_ == "configuration":
        return Place("configuration", environment=environment, note=note)
    if id_ == "qualitative":
        return Place("qualitative", environment=environment, note=note)
    params = dict(_pairs(line["params"]))
    for name in [name for name in environment if (id_, name) in _PARAMETERS_OF_OURS]:
        params[name] = environment.pop(name)
    params = {_RENAMED.get((id_, n), n): _RESTATED.get((id_, n, value), value) for n, value in params.items()}
    part = params.get("part", "") if id_ in _WITH_PART else params.pop("part", "")
    check = params.pop("check", "")
    for (test, name), value in _UNSTATED.items():
        if test == id_:
            params.setdefault(name, value)
    return Place("test", id_, params, "" if id_ in _WITH_PART else part, check, environment, note)


def _filled(name: str, value: str, row: Mapping[str, str]) -> str:
    """`@load`, `@system`: as in the row itself; empty where it says nothing."""
    if value == "@load":
        return "" if row["load"] == "unstated" else row["load"]
    return _CPUS.get(row["system"], "") if value == "@system" and name == "cpus" else value


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (pair.partition("=") for pair in text.split(";") if pair)]
