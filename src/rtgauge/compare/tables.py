"""A comparison as plain tables, the same for the terminal and for pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rtgauge.compare.quantity import TIME, common, normal
from rtgauge.compare.values import VERDICT, Column, Comparison, Difference, Row
from rtgauge.compare.words import (
    NONE,
    cell_text,
    difference_text,
    is_key,
    statistic_text,
    unit_of,
    unit_text,
    variant,
)

# Left out of the short form where there is an average or a maximum. Measured maxima keep their exposure.
_BESIDE = ("min", "median", "stddev")
_EXPOSURE = ("n", "exposure")


@dataclass(frozen=True)
class Grid:
    """Texts in columns. `best`: places (row, column) of the best figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()


def short_name(column: Column) -> str:
    return column.name.removeprefix("reference:")


def settings(made: Comparison, differs: bool) -> Grid:
    """What differs, or what is the same; what is not known of a system is a dash, and differs from what is known."""
    title = "Configuration: what differs" if differs else "Configuration: the same"
    found = [one for one in made.settings if one.differs == differs]
    if not differs:
        return Grid(title, ("setting", "of all"), tuple((one.name, one.values[0] or NONE) for one in found))
    return Grid(title, ("setting", *_names(made)), tuple((o.name, *(text or NONE for text in o.values)) for o in found))


def overview(made: Comparison, full: bool = True) -> Grid:
    """The key tests of at least two systems."""
    rows = [row for row in made.rows if is_key(row) and len(row.owners) > 1]
    return _grid("Key tests", made, rows, full=full, named=True, noted=False)


def per_test(made: Comparison, full: bool = True) -> tuple[Grid, ...]:
    """For each test that at least two systems have a table of its figures."""
    by_id: dict[str, list[Row]] = {}
    for row in made.shared:
        if _numbers(row):
            by_id.setdefault(row.key.id, []).append(row)
    return tuple(_grid(id_, made, rows, full=full) for id_, rows in by_id.items())


def behaviour(made: Comparison) -> Grid:
    rows = [row for row in made.shared if VERDICT in row.statistics]
    return _grid("Behaviour", made, rows, named=True, statistics=(VERDICT,))


def differences(made: Comparison) -> Grid:
    """Of measured systems, in words; figures that are equal are only counted."""
    pairs = {(one.column, one.against) for one in made.differences}
    named = len(pairs) > 1
    rows = []
    for one in made.differences:
        if one.difference or one.interval not in (None, (0.0, 0.0)):
            row = made.rows[one.row]
            what = " ".join(text for text in (row.key.id, variant(row.key)) if text)
            rows.append((what, one.statistic, *([_pair(made, one)] if named else []), difference_text(one)))
    equal = len(made.differences) - len(rows)
    title = "Differences between runs" if named or not pairs else f"Differences: {_pair(made, made.differences[0])}"
    basis = "; ".join(dict.fromkeys(one.basis for one in made.differences))
    notes = (f"{equal} {'further ' if rows else ''}figures are equal ({basis})",) if equal else ()
    head = ("test", "figure", *(["of"] if named else []), "difference")
    return Grid(title, head, tuple(rows), notes=notes)


def _pair(made: Comparison, one: Difference) -> str:
    return f"{made.columns[one.column].name} against {made.columns[one.against].name}"


def alone(made: Comparison, full: bool = True) -> tuple[Grid, ...]:
    """What only one of several systems has, for each system; also figures that are no result of a test."""
    grids = []
    for place, column in enumerate(made.columns):
        rows = [row for row in made.rows if row.key.kind == "test" and row.owners == (place,)]
        grid = _grid(f"Only {short_name(column)}", made, rows, full=full, named=True, only=place)
        grids += [grid] if grid.rows else []
    return tuple(grids)


def beside(made: Comparison) -> Grid:
    """Published figures that are no result of a test."""
    rows = [row for row in made.rows if row.key.kind != "test"]
    return _grid("Published figures that are no result of a test", made, rows, named=True)


def _grid(
    title: str,
    made: Comparison,
    rows: Iterable[Row],
    *,
    full: bool = True,
    named: bool = False,
    noted: bool = True,
    statistics: Sequence[str] = (),
    only: int | None = None,
) -> Grid:
    places = range(len(made.columns)) if only is None else (only,)
    lines: list[tuple[str, ...]] = []
    best: set[tuple[int, int]] = set()
    notes: list[str] = []
    for row in rows:
        what = " ".join(text for text in (row.key.id if named else "", variant(row.key)) if text)
        for statistic in statistics or _told(row, full):
            unit = unit_of(row, statistic)
            name = " ".join(text for text in (statistic_text(statistic), unit_text(unit)) if text)
            found = row.best.get(statistic, ())
            best |= {(len(lines), 2 + i) for i, place in enumerate(places) if place in found}
            lines.append((what, name, *(cell_text(row.cells[place], statistic, unit) for place in places)))
            notes += _notes(made, row, what, statistic) if noted else ()
        notes += [f"{what}: {note}" if what else note for note in row.notes]
    head = ("test" if named else "of", "figure", *(short_name(made.columns[place]) for place in places))
    return Grid(title, head, tuple(lines), frozenset(best), tuple(dict.fromkeys(notes)))


def _told(row: Row, full: bool) -> tuple[str, ...]:
    every = row.statistics
    if full or not {"avg", "max"} & set(every):
        return every
    measured = any(one.values for cell in row.cells for one in cell)
    left_out = {*_BESIDE, *(() if measured else _EXPOSURE)}
    lost = any(one.statistic == "lost" and one.number for cell in row.cells for one in cell)
    left_out |= set() if lost else {"lost"}
    return tuple(name for name in every if name not in left_out and not name.startswith("p9"))


def _notes(made: Comparison, row: Row, what: str, statistic: str) -> Iterator[str]:
    for column, cell in zip(made.columns, row.cells, strict=True):
        for one in cell:
            if one.statistic == statistic and one.note and not one.unmeasurable:
                yield f"* {short_name(column)}{', ' + what if what else ''}, {statistic_text(statistic)}: {one.note}"


def _numbers(row: Row) -> bool:
    return any(one.number is not None for cell in row.cells for one in cell)


def _names(made: Comparison) -> tuple[str, ...]:
    return tuple(short_name(column) for column in made.columns)


def bars(made: Comparison, id_: str, statistic: str) -> tuple[tuple[str, str, str, float], ...]:
    """For the bar chart of one figure of a test: row, system, text, and length from 0 to 1 of the longest. Only times
    share an axis."""
    found = [
        (row, short_name(column), one)
        for row in made.shared
        if row.key.id == id_
        for column, cell in zip(made.columns, row.cells, strict=True)
        for one in cell
        if one.statistic == statistic and common(one.unit) == TIME and not one.unmeasurable
    ]
    lengths = [float(normal(Decimal(one.text), one.unit)) for _, _, one in found]
    if not lengths or min(lengths) < 0 or max(lengths) == 0:
        return ()
    return tuple(
        (variant(row.key), system, f"{cell_text((one,), statistic, unit)} {unit}", length / max(lengths))
        for (row, system, one), length in zip(found, lengths, strict=True)
        for unit in [unit_of(row, statistic)]
    )
