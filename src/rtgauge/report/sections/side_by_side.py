"""The same tests in several environments: loads and CPUs, one column each."""

from __future__ import annotations

from collections.abc import Iterator

from rtgauge.repeats.side_by_side import FIGURES, Row, SideBySide, growth
from rtgauge.report import display
from rtgauge.report.blocks import Block, Bullets, Cell, Column, Item, Notice, Part, Section, Table, Text
from rtgauge.report.view import RunView


def section(run: RunView) -> Section | None:
    side = run.side
    if side is None:
        return None
    blocks: list[Block] = [Text(_lead(run, side))]
    if side.unequal:
        blocks.append(Notice("The runs differ in more than their environments", "; ".join(side.unequal)))
    grown = tuple(_grown(side))
    if grown:
        blocks.append(Bullets(grown, title="How much larger the maxima are"))
    columns = (Column("Test"), Column("Figure"), *(Column(head, numeric=True) for head in side.heads))
    blocks.append(Table(columns, tuple(cells for row in side.rows for cells in _cells(row)), style="plain"))
    return Section(14, Part("side-by-side", "Side by side", tuple(blocks)), "Environments")


def _lead(run: RunView, side: SideBySide) -> str:
    name = run.results.get("run")
    here = next((head for head, one in zip(side.heads, side.columns, strict=True) if name in one.runs), None)
    told = f"The same tests in {len(side.columns)} environments. "
    return told + (f"The other sections tell of {here} alone." if here else "")


def _grown(side: SideBySide) -> Iterator[Item]:
    for head, base, middle, most, row in growth(side):
        yield Item(
            f"{head} against {base}: {middle:.3g} times (middle of all), at most {most:.3g} times ({_name(row)})"
        )


def _name(row: Row) -> str:
    return " ".join([row.id, *(f"{name}={display.micro(str(value))}" for name, value in row.params.items())])


def _cells(row: Row) -> Iterator[tuple[Cell, ...]]:
    """A line for each figure; one with the statuses where there are none."""
    if not any(cell and cell.figures for cell in row.cells):
        words = (Cell(" ".join(one.statuses) if one else "–") for one in row.cells)
        yield (Cell(_name(row)), Cell("status"), *words)
        return
    for place, figure in enumerate(FIGURES):
        if any(cell and figure in cell.figures for cell in row.cells):
            values = (_figure(row, column, figure) for column in range(len(row.cells)))
            yield (Cell("" if place else _name(row)), Cell(figure, tone="muted"), *values)


def _figure(row: Row, column: int, name: str) -> Cell:
    cell = row.cells[column]
    if cell is None:
        return Cell("–", numeric=True, tone="muted")
    if name not in cell.figures:
        return Cell(" ".join(cell.statuses) if name == "max" else "–", numeric=True, tone="warn")
    if cell.unmeasurable and name != "max":
        return Cell("< resolution", numeric=True, tone="muted")
    tone = "strong" if name == "max" else "plain"
    return Cell(display.quantity(cell.figures[name], row.unit), numeric=True, tone=tone)  # type: ignore[arg-type]
