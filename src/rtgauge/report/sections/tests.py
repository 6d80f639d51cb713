"""Every test: its question, where the stamps are, its figures, diagrams, and the evidence of validity."""

from __future__ import annotations

from collections.abc import Sequence

from rtgauge.definitions import definitions
from rtgauge.findings.naming import WHOLE, common, together
from rtgauge.report import display
from rtgauge.report.blocks import Badge, Block, Cell, Column, Facts, Part, Section, Span, Table, Text
from rtgauge.report.sections._loop import loop_of
from rtgauge.report.sections._result import blocks_of, draws, plainly
from rtgauge.report.sections.contents import figures, limits, remark, span
from rtgauge.report.view import Entry, Result, RunView, lines

COMPARED = 3  # a test with more variants than this begins with a table that compares them
_STAMPS = (("start", "start stamp"), ("stop", "stop stamp"), ("thread", "taken by"))


def section(run: RunView) -> Section:
    defined = definitions(run.manifest)
    parts = tuple(_test(id_, entries, defined.get(id_)) for id_, entries in run.groups)
    body: tuple[Block, ...] = parts or (Text("This run holds no results.", tone="warn"),)
    return Section(60, Part("tests", "Tests", body), "Tests")


def _test(id_: str, entries: tuple[Entry, ...], definition: str | None) -> Part:
    first = entries[0].result
    told = list(lines(entries))
    blocks: list[Block] = [Text(str(first.get("question") or "The trace holds no description of this test."))]
    blocks += _conditions(entries, definition)
    blocks += loop_of([entry for entry in entries if not entry.fold])
    alone = len(told) == 1
    if alone and entries[0].fold:
        blocks.append(plainly(entries[0], _number(entries) + entries[0].line))
    elif alone:
        blocks += blocks_of(entries[0])
    else:
        if len(told) > COMPARED or any(line[0].fold for line in told):
            blocks.append(_comparison(entries))
        blocks += _variants([entry for entry in entries if not entry.fold])
    statuses = tuple(dict.fromkeys(entry.status for entry in entries))
    # one line: the heading carries its anchor; several: each variant carries its own
    name = entries[0].anchor if alone else display.anchor("test", id_)
    return Part(
        name, display.sentence(str(first.get("title") or id_)), tuple(blocks), label=id_, statuses=statuses, level=3
    )


def _variants(entries: Sequence[Entry]) -> list[Part]:
    """A part for each result; the first that can be drawn has large diagrams."""
    jobs: dict[tuple[str, str], Entry] = {}
    large = next((entry for entry in entries if draws(entry)), None)
    parts = []
    for entry in entries:
        like = jobs.get(entry.job)
        jobs.setdefault(entry.job, entry)
        blocks = blocks_of(entry, like, entry is large, entries)
        parts.append(Part(entry.anchor, entry.variant or WHOLE, tuple(blocks), statuses=(entry.status,), level=4))
    return parts


# ---- what holds for several results ----------------------------------------------------------------------------------


def _conditions(entries: Sequence[Entry], definition: str | None) -> list[Block]:
    """The parameters that all results share, where their stamps are, and the digest of the test's definition."""
    measured = [entry.result for entry in entries if not entry.fold] or [entry.result for entry in entries]
    stamped = [result for result in measured if _stamps(result)]
    places = list(dict.fromkeys(_stamps(result) for result in stamped))
    rows = [(name, Cell(what)) for name, what in places[0]] if len(places) == 1 else []
    shared = ", ".join(f"{name} {value}" for name, value in common(measured).items())
    if shared:
        rows.append(("in all results" if len(measured) > 1 else "parameters", Cell(display.micro(shared))))
    if definition:
        rows.append(("definition", Cell(definition, tone="muted")))
    blocks: list[Block] = [Facts(tuple(rows))] if rows else []
    if len(places) > 1:
        blocks.insert(0, _places(places, stamped))
    return blocks


def _stamps(result: Result) -> tuple[tuple[str, str], ...]:
    stamps = result.get("stamps") or {}
    return tuple((name, str(stamps[key])) for key, name in _STAMPS if stamps.get(key))


def _places(places: Sequence[tuple[tuple[str, str], ...]], results: Sequence[Result]) -> Table:
    """Where the stamps of each group of results are."""
    rows = []
    for place in places:
        here = dict(place)
        of_it = together([result for result in results if _stamps(result) == place], results)
        rows.append((Cell(of_it or WHOLE), *(Cell(here.get(name, "–")) for _, name in _STAMPS)))
    columns = (Column("Of"), Column("Start stamp"), Column("Stop stamp"), Column("Taken by"))
    return Table(columns, tuple(rows))


# ---- the variants side by side ---------------------------------------------------------------------------------------


def _comparison(entries: Sequence[Entry]) -> Table:
    """One line for each result; those that say the same have one together, and nothing else."""
    low, high = limits(entries)
    names = ("min", "median", "avg", "p99", "max")
    rows: list[tuple[Cell | Badge | Span, ...]] = []
    for line in lines(entries):
        entry = line[0]
        if entry.fold:
            head = Cell(entry.variant or "all others", anchor=entry.anchor)
            text = _number(line) + entry.line
            rows.append((head, Badge(entry.status), Cell(text, tone="muted", span=len(names) + 2)))
            continue
        name = Cell(entry.variant or WHOLE, href=entry.anchor)
        if not entry.has_figures:
            rows.append((name, Badge(entry.status), Cell(remark(entry), tone="muted", span=len(names) + 2)))
            continue
        quantity = Cell(display.count(entry.result.get("n")), numeric=True)
        rows.append((name, Badge(entry.status), quantity, *figures(entry, names), span(entry, low, high)))
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


def _number(line: Sequence[Entry]) -> str:
    return f"{len(line)} results: " if len(line) > 1 else ""
