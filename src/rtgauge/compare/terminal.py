"""A comparison as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rtgauge.compare import assessment, distributions, settings, tables
from rtgauge.compare.tables import Grid
from rtgauge.compare.values import Comparison

_OPTIONS = 20  # of kernels, and of what only one kind of system has
_DIFFERENCES = 20  # of those that are not told apart
_WIDEST = 60  # characters of a cell of the configuration


def lines(made: Comparison) -> Iterator[str]:
    """The whole comparison; figures that average and maximum go with (least, samples, percentiles) are in the other
    formats."""
    if made.parity.drifts:
        yield from _grid(_narrow(assessment.drift(made)))
    yield "== Conclusion"
    yield from assessment.conclusion(made)
    yield from (f"note: {note}" for note in assessment.notes(made))
    yield ""
    yield from tables.lead(made)
    yield ""
    yield from _shown((tables.overview(made, full=False),))
    drawn = tuple(distributions.lines(made))
    yield from ("== Distributions of key tests: all samples, on shared axes", *drawn, "") if drawn else ()
    yield from _ratings(made)
    yield from _points(made)
    yield from _configuration(made)
    yield from _shown(
        (
            *tables.per_test(made, full=False),
            tables.behaviour(made),
            tables.differences(made),
            tables.largest_unsettled(made, _DIFFERENCES),
            *tables.alone(made, full=False),
            tables.beside(made),
        )
    )


def _configuration(made: Comparison) -> Iterator[str]:
    """Long lists are cut: the other formats have all."""
    if made.kernels:
        yield from _grid(_first(_narrow(tables.kernels(made)), _OPTIONS))
    yield from _grid(_narrow(settings.differing(made)))
    if (own := settings.of_one_kind(made)).rows:
        yield from _grid(_first(_narrow(own), _OPTIONS))
    yield from _grid(_narrow(settings.same(made)))


def _shown(grids: Iterable[Grid]) -> Iterator[str]:
    for grid in grids:
        if grid.rows or grid.notes:
            yield from _grid(grid)


def _ratings(made: Comparison) -> Iterator[str]:
    """The rules behind them are in the other formats."""
    grids = assessment.ratings(made)
    yield from _shown(grids)
    lines = (*assessment.withheld(made), *assessment.alone(made))
    yield from (f"   {line}" for line in lines)
    if lines:
        yield ""


def _points(made: Comparison) -> Iterator[str]:
    for column in made.columns:
        if column.points:
            yield f"== Points against and for {column.short}"
            yield from (f"{'-' if one.kind == 'negative' else '+'} {one.text}" for one in column.points)
            yield ""


def _grid(grid: Grid) -> Iterator[str]:
    yield f"== {grid.title}"
    marked = [
        tuple(f"{text} (best)" if (i, j) in grid.best else text for j, text in enumerate(line))
        for i, line in enumerate(grid.rows)
    ]
    every = [grid.head, *marked] if marked else []
    widths = [max((len(line[i]) for line in every), default=0) for i in range(len(grid.head))]
    above = ""
    for number, line in enumerate(every):
        shown = ["" if number > 1 and line[0] == above else line[0], *line[1:]]
        above = line[0]
        yield "  ".join(text.ljust(width) for text, width in zip(shown, widths, strict=True)).rstrip()
    yield from (f"   {note}" for note in grid.notes)
    yield ""


def _first(grid: Grid, most: int) -> Grid:
    more = len(grid.rows) - most
    notes = (*grid.notes, *([f"and {more} more: in the other formats"] if more > 0 else []))
    return Grid(grid.title, grid.head, grid.rows[:most], notes=notes)


def _narrow(grid: Grid) -> Grid:
    rows = (tuple(t if len(t) <= _WIDEST else f"{t[: _WIDEST - 3]}..." for t in line) for line in grid.rows)
    return Grid(grid.title, grid.head, tuple(rows), notes=grid.notes)
