"""The system under test, and the clock that measured it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Column, Facts, Panel, Part, Row, Section, Table, Text
from rtgauge.report.view import RunView


def section(run: RunView) -> Section:
    system = run.results.get("system") or {}
    facts = system.get("facts") or {}
    rows = tuple((str(name).replace("_", " "), Cell(_value(value))) for name, value in facts.items())
    panels: list[Block] = [Panel("Facts", (Facts(rows) if rows else Text("Nothing was told of it."),))]
    if run.results.get("imported"):
        panels.append(Panel("Clock", (Text("The imported file does not tell of its clock.", tone="muted"),)))
    else:
        panels.append(Panel("Clock", _clock(system.get("clock") or {})))
    return Section(30, Part("system", "System under test", (Row(tuple(panels)),)), "System")


def _value(value: Any) -> str:
    return display.count(value) if isinstance(value, int) and abs(value) >= 10_000 else str(value)


def _clock(clock: Mapping[str, Any]) -> tuple[Block, ...]:
    if not clock:
        return (Text("The trace holds no record of the clock.", tone="bad"),)
    monotonic = {True: "yes", False: "no", None: "not known: one CPU only"}[clock.get("monotonic")]
    rows = [
        ("name", Cell(str(clock.get("name", "–")))),
        ("why this one", Cell(str(clock.get("why", "–")))),
        ("width", Cell(f"{clock.get('width', '–')} bits, counts {_direction(clock.get('direction'))}")),
        ("rate", Cell(f"{display.count(clock.get('rate_num'))} / {display.count(clock.get('rate_den'))} ticks per s")),
        ("uncertainty of the rate", Cell(f"{display.count(clock.get('rate_ppb'))} parts per 10⁹")),
        ("resolution", Cell(_ticks(clock.get("resolution")))),
        ("overhead of two stamps", Cell(_ticks(clock.get("overhead")))),
        ("monotonic across CPUs", Cell(monotonic, tone="bad" if clock.get("monotonic") is False else "plain")),
        ("worst offset between CPUs", Cell(_ticks(clock.get("cpu_offset")))),
    ]
    blocks: list[Block] = [Facts(tuple(rows))]
    rejected = tuple((Cell(str(name)), Cell(str(why))) for name, why in map(_pair, clock.get("rejected") or ()))
    if rejected:
        blocks.append(Table((Column("Rejected clock"), Column("Why")), rejected))
    return tuple(blocks)


def _pair(rejected: Any) -> tuple[Any, Any]:
    if isinstance(rejected, Mapping):
        return rejected.get("name", "–"), rejected.get("why", "–")
    name, why = rejected
    return name, why


def _direction(direction: Any) -> str:
    return "down" if direction == -1 else "up"


def _ticks(value: Any) -> str:
    return "–" if value is None else f"{display.count(value)} {'tick' if value == 1 else 'ticks'}"
