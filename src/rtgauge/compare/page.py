"""A comparison as sections of a report."""

from __future__ import annotations

from collections.abc import Iterator

from rtgauge.compare import tables
from rtgauge.compare.tables import Grid
from rtgauge.compare.values import Comparison
from rtgauge.report import display
from rtgauge.report.blocks import (
    Bar,
    Block,
    Bullets,
    Cell,
    Column,
    Item,
    Part,
    Row,
    Section,
    Table,
    Text,
    Timeline,
)

WORDS = (
    "Each figure stands as it was measured or printed: ~ means about, < and > are bounds, * marks one with a note. The "
    "best is marked among systems on one platform, where it is certain. A dash: there is no such figure."
)


_WORDS = ("test", "of", "figure", "difference")  # columns without numbers


def sections(made: Comparison, charts: bool) -> tuple[Section, ...]:
    """`charts`: with bar charts beside the tables, for formats that draw them."""
    names = " · ".join(tables.short_name(column) for column in made.columns)
    lead: list[Block] = [Text(WORDS)]
    if made.notes:
        lead.append(Bullets(tuple(Item(note) for note in made.notes), title="Notes"))
    built = [
        Section(0, Part("summary", "Side by side", tuple(lead), label=names, level=1), "Summary", first_screen=True),
        Section(1, Part("configuration", "Configuration", _settings(made)), "Configuration"),
        Section(2, Part("contents", "Key tests", _blocks(tables.overview(made))), "Key tests"),
    ]
    parts = tuple(_test(made, grid, charts) for grid in tables.per_test(made))
    if parts:
        built.append(Section(3, Part("tests", "Tests", parts), "Tests"))
    rest = (
        ("behaviour", "Behaviour", (tables.behaviour(made),)),
        ("differences", "Differences between runs", (tables.differences(made),)),
        ("alone", "What only one system has", tables.alone(made)),
        ("beside", "Figures that are no result of a test", (tables.beside(made),)),
    )
    for order, (anchor, title, grids) in enumerate(rest, 4):
        blocks = tuple(
            block for grid in grids if grid.rows or grid.notes for block in _blocks(grid, grid.title != title)
        )
        if blocks:
            built.append(Section(order, Part(anchor, title, blocks), title.split(" that ")[0]))
    return tuple(built)


def _settings(made: Comparison) -> tuple[Block, ...]:
    grids = (tables.settings(made, differs) for differs in (True, False))
    return tuple(_table(grid, titled=True) for grid in grids if grid.rows)


def _test(made: Comparison, grid: Grid, charts: bool) -> Part:
    drawn = tuple(_charts(made, grid.title)) if charts else ()
    blocks = (*([Row(drawn)] if drawn else []), *_blocks(grid, titled=False))
    return Part(display.anchor("t", grid.title), "", blocks, label=grid.title, level=3)


def _charts(made: Comparison, id_: str) -> Iterator[Table]:
    """A pair: the averages, and the maxima, each on an axis of its own that begins at zero."""
    for letter, statistic, name in (("a", "avg", "average"), ("b", "max", "maximum")):
        found = tables.bars(made, id_, statistic)
        if found:
            rows = tuple(
                (
                    Cell("" if place and found[place - 1][0] == what else what),
                    Cell(system),
                    Cell(text, numeric=True),
                    Timeline((Bar(0.0, length, "thread", text),), f"{system} {what}: {text}"),
                )
                for place, (what, system, text, length) in enumerate(found)
            )
            columns = (Column("of"), Column("system"), Column(name, numeric=True), Column(""))
            yield Table(columns, rows, title=f"({letter}) {name}")


def _blocks(grid: Grid, titled: bool = False) -> tuple[Block, ...]:
    if not grid.rows and grid.notes:
        return tuple(Text(note) for note in grid.notes)
    if not grid.rows:
        return (Text("There is nothing of this that two of these systems have.", tone="muted"),)
    notes = (Bullets(tuple(Item(note) for note in grid.notes), title="Notes"),) if grid.notes else ()
    return (_table(grid, titled), *notes)


def _table(grid: Grid, titled: bool = False) -> Table:
    figures = [grid.head[0] != "setting" and name not in _WORDS for name in grid.head]
    columns = tuple(Column(name, numeric=found) for name, found in zip(grid.head, figures, strict=True))
    rows = tuple(
        tuple(_cell(text, (i, j) in grid.best, _repeats(grid, i, j), figures[j]) for j, text in enumerate(line))
        for i, line in enumerate(grid.rows)
    )
    return Table(columns, rows, title=grid.title if titled else "")


def _cell(text: str, best: bool, repeated: bool, numeric: bool) -> Cell:
    return Cell(
        "" if repeated else text, tone="good" if best else "plain", note="best" if best else "", numeric=numeric
    )


def _repeats(grid: Grid, line: int, column: int) -> bool:
    """Whether a line's name is that of the line above."""
    return column == 0 and line > 0 and grid.rows[line][0] == grid.rows[line - 1][0]
