"""Every test: its question, where the stamps are, its figures, diagrams, and the evidence of validity."""

from __future__ import annotations

from rtgauge.report import display
from rtgauge.report.blocks import Badge, Block, Cell, Column, Facts, Part, Section, Span, Table, Text
from rtgauge.report.sections._result import blocks_of
from rtgauge.report.sections.contents import figures, limits, span
from rtgauge.report.view import Entry, Result, RunView

COMPARED = 3  # a test with more variants than this begins with a table that compares them


def section(run: RunView) -> Section:
    parts = tuple(_test(id_, entries) for id_, entries in run.groups)
    body: tuple[Block, ...] = parts or (Text("This run holds no results.", tone="warn"),)
    return Section(60, Part("tests", "Tests", body), "Tests")


def _test(id_: str, entries: tuple[Entry, ...]) -> Part:
    first = entries[0].result
    blocks: list[Block] = [Text(str(first.get("question") or "The trace holds no description of this test."))]
    common = _stamps(first)
    same = all(_stamps(entry.result) == common for entry in entries)
    if same and common:
        blocks.append(Facts(common))
    if len(entries) > COMPARED:
        blocks.append(_comparison(entries))
    if len(entries) == 1:
        blocks += blocks_of(entries[0])
    else:
        blocks += [_variant(entry, own_stamps=not same) for entry in entries]
    statuses = tuple(dict.fromkeys(entry.status for entry in entries))
    # one entry: the heading carries the result's own anchor; several: each variant carries its own
    name = entries[0].anchor if len(entries) == 1 else display.anchor("test", id_)
    title = str(first.get("title") or id_)
    if len(entries) == 1 and entries[0].variant:
        title += f" – {entries[0].variant}"
    return Part(name, title, tuple(blocks), label=id_, statuses=statuses, level=3)


def _variant(entry: Entry, own_stamps: bool) -> Part:
    blocks: list[Block] = []
    stamps = _stamps(entry.result)
    if own_stamps and stamps:
        blocks.append(Facts(stamps))
    blocks += blocks_of(entry)
    return Part(entry.anchor, entry.variant or "whole test", tuple(blocks), statuses=(entry.status,), level=4)


def _stamps(result: Result) -> tuple[tuple[str, Cell], ...]:
    stamps = result.get("stamps") or {}
    names = (("start", "start stamp"), ("stop", "stop stamp"), ("thread", "taken by"))
    return tuple((name, Cell(str(stamps[key]))) for key, name in names if stamps.get(key))


def _comparison(entries: tuple[Entry, ...]) -> Table:
    """The variants side by side, in one line each."""
    low, high = limits(entries)
    names = ("min", "median", "avg", "p99", "max")
    rows: list[tuple[Cell | Badge | Span, ...]] = []
    for entry in entries:
        head = (Cell(entry.variant or "whole test", href=entry.anchor), Badge(entry.status))
        if not entry.has_figures:
            rows.append((*head, Cell(str(entry.result.get("reason") or ""), tone="muted", span=len(names) + 2)))
            continue
        scale = display.scale_for(entry.result.get("median"), entry.result.get("unit"))
        p99 = (entry.result.get("percentiles") or {}).get("99")
        small = entry.result.get("unmeasurable")
        shown = "< resolution" if small else scale.show(p99)
        cells = dict(zip(("min", "median", "avg", "max"), figures(entry, ("min", "median", "avg", "max")), strict=True))
        cells["p99"] = Cell(shown, unit="" if small else scale.unit, numeric=True, tone="muted" if small else "plain")
        quantity = Cell(display.count(entry.result.get("n")), numeric=True)
        rows.append((*head, quantity, *(cells[name] for name in names), span(entry, low, high)))
    columns = (
        Column("Variant"),
        Column("Status"),
        Column("Samples", numeric=True, optional=True),
        *(
            Column("p99" if name == "p99" else name.capitalize(), numeric=True, optional=name in {"avg", "p99"})
            for name in names
        ),
        Column("Spread (logarithmic)", optional=True),
    )
    return Table(columns, tuple(rows), style="contents")
