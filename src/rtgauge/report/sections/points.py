"""Points for and against the system, each with the results behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Bullets, Cell, Item, Panel, Part, Row, Section, Tone
from rtgauge.report.sections._links import links_to
from rtgauge.report.view import Entry, RunView


def section(run: RunView) -> Section:
    found = run.results.get("findings") or ()
    empty = ("No rule found a point against this system.", "No rule found a point for this system.")
    if run.results.get("imported"):
        empty = ("The rules were not applied to an imported file.",) * 2
    panels = (
        _panel(run, found, "negative", "Against", "bad", empty[0]),
        _panel(run, found, "positive", "For", "good", empty[1]),
    )
    return Section(20, Part("findings", "Findings", (Row(panels),)), "Findings")


def _panel(run: RunView, found: Any, kind: str, title: str, tone: Tone, empty: str) -> Panel:
    items = tuple(
        Item(display.micro(str(point.get("text", ""))), tone=tone, links=_links(run, point))
        for point in found
        if point.get("kind") == kind
    )
    return Panel(title, (Bullets(items, empty=empty),), tone=tone if items else "muted")


def _links(run: RunView, point: Mapping[str, Any]) -> tuple[Cell, ...]:
    behind: list[Entry] = []
    for reason in point.get("because") or ():
        entries = list(run.find(str(reason.get("id", "")), reason.get("params") or {}))
        exact = [entry for entry in entries if entry.status == reason.get("status")] or entries
        behind += exact[:1]
    return links_to(behind)
