"""A comparison as sections of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from rtgauge.compare import assessment, settings, tables
from rtgauge.compare.bars import bars
from rtgauge.compare.distributions import Shared, drawn, undrawn
from rtgauge.compare.tables import Grid
from rtgauge.compare.values import Column as System
from rtgauge.compare.values import Comparison, Figure
from rtgauge.compare.words import measured_text, name_of
from rtgauge.report import display, thin
from rtgauge.report.blocks import (
    Bar,
    Block,
    Bullets,
    Cell,
    Column,
    Item,
    Notice,
    Panel,
    Part,
    Row,
    Section,
    Table,
    Text,
    Timeline,
)
from rtgauge.report.blocks import Figure as Drawing

DRAWN = (
    "All samples of the key tests whose largest differ most. The diagrams of one test have the same axes: the time is "
    "logarithmic, and so are the counts."
)
DIFFERENCES = "Differences between runs"
ALL = "All figures"
_IN_WORDS = ("test", "of", "figure", "difference")  # columns without numbers


def sections(made: Comparison, charts: bool, full: bool = True) -> tuple[Section, ...]:
    """`charts`: with bar charts beside the tables, for formats that draw them. `full`: with the figures that average
    and maximum go with."""
    names = " · ".join(column.name.removeprefix("reference:") for column in made.columns)
    lead = tuple(_lead(made))
    key_tests = (*(Text(line, tone="muted") for line in tables.lead(made)), *_blocks(tables.overview(made, full)))
    built = [
        Section(0, Part("summary", "Side by side", lead, label=names, level=1), "Summary", first_screen=True),
        Section(1, Part("contents", "Key tests", key_tests), "Key tests"),
    ]
    if spread := tuple(_distribution(made, one) for one in drawn(made)):
        what = Text(f"{DRAWN} {undrawn(made)}".rstrip(), tone="muted")
        built.append(Section(2, Part("distributions", "Distributions", (what, *spread)), "Spread"))
    if ratings := tuple(_ratings(made)):
        built.append(Section(3, Part("ratings", "Ratings", ratings), "Ratings"))
    if points := tuple(_points(column) for column in made.columns if column.points):
        built.append(Section(4, Part("points", "Points against and for", (Row(points),)), "Points"))
    built.append(Section(5, Part("configuration", "Configuration", _settings(made)), "Configuration"))
    parts = tuple(_test(made, grid, charts, full) for grid in tables.per_test(made, full))
    if parts:
        built.append(Section(6, Part("tests", "Tests", parts), "Tests"))
    rest = (
        ("behaviour", "Behaviour", "Behaviour", _all((tables.behaviour(made),), "Behaviour")),
        ("differences", DIFFERENCES, "Differences", _differences(made, full)),
        ("alone", "What only one system has", "Alone", _all(tables.alone(made, full))),
        ("beside", "Figures that are no result of a test", "Others", _all((tables.beside(made),))),
    )
    for order, (anchor, title, short, blocks) in enumerate(rest, 7):
        if blocks:
            built.append(Section(order, Part(anchor, title, blocks), short))
    return tuple(built)


def _all(grids: Iterable[Grid], title: str = "") -> tuple[Block, ...]:
    """`title`: of the section, which is told once."""
    return tuple(
        block
        for grid in grids
        if grid.rows or grid.notes
        for block in _blocks(grid, bool(grid.rows) and grid.title != title)
    )


def _differences(made: Comparison, full: bool) -> tuple[Block, ...]:
    """Those that may be chance are many and say little: they are folded, and not in the short form."""
    told, rest = _all((tables.differences(made),), DIFFERENCES), tables.unsettled(made)
    return (*told, _table(rest, titled=True, folded=True)) if rest.rows and full else told


def _lead(made: Comparison) -> Iterator[Block]:
    """What is not equal first, then what follows from all that is below."""
    if made.parity.drifts:
        what, *way = assessment.consequence(made)
        yield Notice("These systems are not equal in what should be", what, " ".join(way), tone="warn")
        yield _table(assessment.drift(made))
    yield Panel("Conclusion", (Bullets(tuple(Item(text) for text in assessment.conclusion(made))),), wide=True)
    if notes := assessment.notes(made):
        yield Bullets(tuple(Item(note) for note in notes), title="Notes")


def _ratings(made: Comparison) -> Iterator[Block]:
    grids = assessment.ratings(made)
    for grid in grids:
        yield _table(grid, titled=len(grids) > 1)
    yield from (Text(line, tone="muted") for line in assessment.alone(made))
    if basis := assessment.basis(made):
        yield Bullets(tuple(Item(one.text) for one in basis), title="How the ratings came about")


def _points(column: System) -> Panel:
    """Those against first."""
    items = tuple(Item(one.text, tone="good" if one.kind == "positive" else "bad") for one in column.points)
    return Panel(column.short, (Bullets(items),))


def _settings(made: Comparison) -> tuple[Block, ...]:
    """What only one kind of system has is long and compares nothing: it is folded."""
    grids = (tables.kernels(made), settings.differing(made), settings.of_one_kind(made), settings.same(made))
    return tuple(
        block
        for grid in grids
        if grid.rows
        for block in (_table(grid, titled=True, folded=grid.title == settings.ONE_KIND), *_notes(grid))
    )


def _notes(grid: Grid) -> tuple[Block, ...]:
    """Below the kernels' options: which are not known."""
    return tuple(Text(note, tone="muted") for note in grid.notes)


def _caption(cell: tuple[Figure, ...], drawn: int) -> str:
    largest = next(one for one in cell if one.statistic == "max")
    skipped = next((int(one.number) for one in cell if one.statistic == "skipped" and one.number), 0)
    without = f", without {skipped} skipped" if skipped else ""
    return f"{drawn} samples{without}, largest {measured_text(float(largest.text), largest.unit)}."


def _distribution(made: Comparison, one: Shared) -> Part:
    """A histogram for each system, beside each other."""
    scale = display.scale_for(one.high, one.unit)
    label = f"time, {_plain(scale.unit)}" if scale.unit else "value"
    figures = []
    for place, histogram in one.of:
        bins = thin.bins(np.array(histogram.bins, dtype=np.float64).reshape(-1, 3))
        figures.append(
            Drawing(
                "histogram",
                made.columns[place].short,
                _caption(made.rows[one.row].cells[place], histogram.n),
                label,
                "samples in a bin",
                bins[:, 0] / scale.factor,
                bins[:, 2],
                bins[:, 1] / scale.factor,
                log=one.log,
                span=(one.low / scale.factor, one.high / scale.factor),
                most=float(one.most),
            )
        )
    return Part(
        display.anchor("d", name_of(one.key)), "", (Row(tuple(figures), "beside"),), label=name_of(one.key), level=3
    )


def _plain(unit: str) -> str:
    """As all of a comparison writes it."""
    return unit.replace("µ", "u")


def _test(made: Comparison, grid: Grid, charts: bool, full: bool) -> Part:
    """Where charts tell the averages and maxima, all figures are folded below them."""
    pair = tuple(_charts(made, grid.title)) if charts else ()
    folded = full and len(pair) == 2
    figures = _blocks(replace(grid, title=ALL) if folded else grid, titled=folded, folded=folded)
    return Part(
        display.anchor("t", grid.title), "", (*([Row(pair)] if pair else []), *figures), label=grid.title, level=3
    )


def _charts(made: Comparison, id_: str) -> Iterator[Table]:
    """A pair: the averages, and the maxima, each on an axis of its own that begins at zero."""
    for letter, statistic, name in (("a", "avg", "average"), ("b", "max", "maximum")):
        found = bars(made, id_, statistic)
        if found is None:
            continue
        above, rows = "", []
        for number, (what, system, text, length, best) in enumerate(found.bars):
            last = number == len(found.bars) - 1
            bar = Bar(0.0, length, "own" if best else "thread", text)
            rows.append(
                (
                    Cell("" if number and what == above else what),
                    Cell(system),
                    Cell(text, numeric=True, tone="good" if best else "plain", note="best" if best else ""),
                    Timeline((bar,), f"{system} {what}: {text}", found.ticks if last else ()),
                )
            )
            above = what
        columns = (Column("of"), Column("system"), Column(name, numeric=True), Column(""))
        yield Table(columns, tuple(rows), title=f"({letter}) {name}")


def _blocks(grid: Grid, titled: bool = False, folded: bool = False) -> tuple[Block, ...]:
    if not grid.rows and grid.notes:
        return tuple(Text(note) for note in grid.notes)
    if not grid.rows:
        return (Text("There is nothing of this that two of these systems have.", tone="muted"),)
    notes = (Bullets(tuple(Item(note) for note in grid.notes), title="Notes"),) if grid.notes else ()
    return (_table(grid, titled, folded), *notes)


def _table(grid: Grid, titled: bool = False, folded: bool = False) -> Table:
    figures = [grid.head[0] not in ("setting", "rating", "option") and name not in _IN_WORDS for name in grid.head]
    columns = tuple(Column(name, numeric=found) for name, found in zip(grid.head, figures, strict=True))
    rows = tuple(
        tuple(_cell(text, (i, j) in grid.best, _repeats(grid, i, j), figures[j]) for j, text in enumerate(line))
        for i, line in enumerate(grid.rows)
    )
    return Table(columns, rows, title=grid.title if titled else "", folded=folded)


def _cell(text: str, best: bool, repeated: bool, numeric: bool) -> Cell:
    return Cell(
        "" if repeated else text, tone="good" if best else "plain", note="best" if best else "", numeric=numeric
    )


def _repeats(grid: Grid, line: int, column: int) -> bool:
    """Whether a line's name is that of the line above."""
    return column == 0 and line > 0 and grid.rows[line][0] == grid.rows[line - 1][0]
