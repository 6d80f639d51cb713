"""The configuration of the system against what is known to disturb deadlines."""

from __future__ import annotations

from collections import Counter

from rtgauge.report import display
from rtgauge.report.blocks import Badge, Cell, Column, Part, Section, Table, Text
from rtgauge.report.view import RunView

_ORDER = ("fail", "warn", "unknown", "ok")


def section(run: RunView) -> Section | None:
    found = run.results.get("audit") or ()
    if not found:
        return None
    number = Counter(str(one.get("status")) for one in found)
    lead = ", ".join(f"{number[status]} {status}" for status in _ORDER if number[status])
    rows = tuple(
        (
            Badge(str(one.get("status", "unknown"))),
            Cell(str(one.get("check", "–"))),
            Cell(display.micro(str(one.get("summary", "")))),
            Cell(display.micro(str(one.get("why", ""))), tone="muted"),
            Cell(str(one.get("fix", "")) or "–"),
        )
        for one in sorted(found, key=lambda one: _rank(str(one.get("status"))))
    )
    columns = (Column("Status"), Column("Check"), Column("Found"), Column("Why it matters"), Column("How to change it"))
    blocks = (
        Text(
            f"{lead}. Nothing was changed: each fix trades something and is to be made on purpose; then measure again."
        ),
        Table(columns, rows, style="plain"),
    )
    return Section(40, Part("audit", "Audit of the configuration", blocks), "Audit")


def _rank(status: str) -> int:
    return _ORDER.index(status) if status in _ORDER else len(_ORDER)
