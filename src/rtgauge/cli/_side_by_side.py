"""The same tests in several environments, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtgauge.repeats.side_by_side import Cell, Row, SideBySide

NO_FIGURE = "-"


def show_side_by_side(side: SideBySide, rows: Sequence[Row] | None = None) -> None:
    """The table, and what it says of loads. `rows`: only these."""
    from rtgauge.cli._output import line, table

    runs = [f"{head}: {', '.join(column.runs)}" for head, column in zip(side.heads, side.columns, strict=True)]
    for text in (*runs, *(f"note: {one}" for one in side.unequal)):
        line(text)
    line()
    shown = [text for row in (side.rows if rows is None else rows) for text in _lines(row)]
    table(("test", "figure", *side.heads), shown, right=range(2, 2 + len(side.heads)))
    for text in _reasons(side.rows if rows is None else rows, side.heads):
        line(text)
    if rows is None:
        for text in conclusion(side):
            line(text)


def conclusion(side: SideBySide) -> Iterator[str]:
    from rtgauge.plan import label
    from rtgauge.repeats.side_by_side import growth

    for head, base, middle, most, row in growth(side):
        where = label(row.id, row.params)
        yield f"maxima, {head} against {base}: {middle:.3g} times (middle of all), at most {most:.3g} times ({where})"


def _lines(row: Row) -> Iterator[list[str]]:
    """One for each figure, the largest first; one with the statuses where there are no figures."""
    from rtgauge.plan import label
    from rtgauge.repeats.side_by_side import FIGURES

    name = label(row.id, row.params)
    if not any(cell and cell.figures for cell in row.cells):
        yield [name, "status", *(" ".join(cell.statuses) if cell else NO_FIGURE for cell in row.cells)]
        return
    for place, figure in enumerate(FIGURES):
        if any(cell and figure in cell.figures for cell in row.cells):
            yield ["" if place else name, figure, *(_shown(cell, figure, row.unit) for cell in row.cells)]


def _shown(cell: Cell | None, name: str, unit: str | None) -> str:
    from rtgauge.cli._repeats import figure

    if cell is None:
        return NO_FIGURE
    if name not in cell.figures:
        return " ".join(cell.statuses) if name == "max" else NO_FIGURE
    if cell.unmeasurable and name != "max":
        return "< resolution"
    return figure(cell.figures[name], unit)


def _reasons(rows: Sequence[Row], heads: Sequence[str]) -> Iterator[str]:
    """Why a result has no figures, or is in doubt; once where it is the same in all environments."""
    from rtgauge.plan import label

    for row in rows:
        why: dict[str, list[str]] = {}
        for head, cell in zip(heads, row.cells, strict=True):
            if cell and cell.reason:
                why.setdefault(f"{' '.join(cell.statuses)}: {cell.reason}", []).append(head)
        for reason, where in why.items():
            place = "" if len(where) == len(row.cells) else f" with {', '.join(where)}"
            yield f"{label(row.id, row.params)}{place}: {reason}"
