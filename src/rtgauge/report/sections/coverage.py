"""How much of the POSIX standards, and of each kind of object, the system offers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge import coverage
from rtgauge.report.blocks import Block, Cell, Column, Part, Section, Table, Tone
from rtgauge.report.view import RunView

_NUMERIC = True
_TONES: Mapping[str, Tone] = {"full": "good", "partial": "warn", "none": "muted", "unknown": "muted"}
_MET: Mapping[bool | None, tuple[str, Tone]] = {
    True: ("met", "good"),
    False: ("not met", "warn"),
    None: ("not known", "muted"),
}
_OTHER = "vxworks-5.3.1"


def section(run: RunView) -> Section | None:
    blocks: list[Block] = []
    posix = coverage.answers_of(_result(run, coverage.POSIX))
    if any(answer in ("yes", "no") for answer in posix.values()):
        blocks += [_standards(posix), _profiles(posix)]
    rich = coverage.answers_of(_result(run, coverage.RICHNESS))
    if any(answer in ("yes", "no") for answer in rich.values()):
        blocks.append(_richness(rich))
    return Section(45, Part("coverage", "What the system offers", tuple(blocks)), "Coverage") if blocks else None


def _result(run: RunView, id_: str) -> Mapping[str, Any]:
    """The last that says something."""
    found = [entry.result for entry in run.entries if entry.id == id_ and entry.status == "pass"]
    return found[-1] if found else {}


def _standards(answers: Mapping[str, coverage.Answer]) -> Table:
    rows = tuple(
        (
            Cell(one.name),
            Cell(one.level, tone=_TONES[one.level]),
            Cell(f"{one.present} of {one.of}", numeric=True),
            Cell(", ".join(one.missing) or "–"),
            Cell(", ".join(one.unknown) or "–", tone="muted"),
        )
        for one in coverage.standards(answers)
    )
    columns = (
        Column("Standard"),
        Column("Level"),
        Column("Features", _NUMERIC),
        Column("Missing"),
        Column("Not known"),
    )
    return Table(columns, rows, title="POSIX coverage", note="found by trying the calls on the running system")


def _profiles(answers: Mapping[str, coverage.Answer]) -> Table:
    rows = []
    for one in coverage.profiles(answers):
        word, tone = _MET[one.met]
        rows.append((Cell(one.name), Cell(word, tone=tone), Cell(", ".join(one.missing) or "–")))
    note = "of what is tried here: a profile asks for more calls than these"
    return Table((Column("Profile"), Column("Met"), Column("Missing")), tuple(rows), title="Profiles", note=note)


def _richness(answers: Mapping[str, coverage.Answer]) -> Table:
    others = {one.name: one for one in coverage.richness(coverage.published(_OTHER))}
    rows = tuple(
        (
            Cell(one.name),
            Cell(one.present, tone="good" if one.present == "yes" else "muted"),
            Cell(str(one.yes), numeric=True),
            Cell(str(one.no), numeric=True),
            Cell(str(one.not_applicable), numeric=True),
            Cell(str(one.unchecked), numeric=True),
            Cell(_percent(one), numeric=True),
            Cell(_percent(others[one.name]), numeric=True, tone="muted"),
        )
        for one in coverage.richness(answers)
    )
    columns = (
        Column("Object"),
        Column("There"),
        Column("Yes", _NUMERIC),
        Column("No", _NUMERIC),
        Column("Not applicable", _NUMERIC, optional=True),
        Column("Not tried", _NUMERIC, optional=True),
        Column("Percent", _NUMERIC),
        Column("VxWorks 5.3.1", _NUMERIC, optional=True),
    )
    return Table(columns, rows, title="API richness", note="percentages leave out what is not applicable or not tried")


def _percent(one: coverage.Richness) -> str:
    return "–" if one.percent is None else f"{one.percent} %"
