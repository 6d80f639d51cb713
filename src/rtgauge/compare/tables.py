"""A comparison as plain tables, the same for the terminal and for pages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rtgauge.compare.instructions import about, counted
from rtgauge.compare.quantity import TIME, common, in_unit, normal, shown_unit
from rtgauge.compare.values import VERDICT, Comparison, Difference, Figure, Row
from rtgauge.compare.words import (
    NONE,
    cell_text,
    difference_text,
    is_key,
    name_of,
    statistic_text,
    unit_of,
    unit_text,
    variant,
)

# Left out of the short form where there is an average or a maximum. Measured maxima keep their exposure.
_BESIDE = ("min", "median", "stddev")
WORDS = (
    "Each figure stands as it was measured or printed: ~ means about, < and > are bounds, * marks one with a note. The "
    "best is marked among systems that may be ranked against each other, where it is certain. A dash: there is no "
    "such figure."
)
KERNELS = "Kernels: words and options that differ"
_EXPOSURE = ("n", "exposure")


@dataclass(frozen=True)
class Grid:
    """Texts in columns. `best`: places (row, column) of the best figures."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()


def kernels(made: Comparison) -> Grid:
    """The options and words of the command line in which kernels differ; empty where nothing is known of two."""
    rows = tuple((one.name, *(text or NONE for text in one.values)) for one in made.kernels)
    without = [column.short for column in made.columns if column.options is None and column.kind != "reference"]
    notes = (f"Not known: the options of the kernel of {', '.join(without)}.",) if without and rows else ()
    return Grid(KERNELS, ("option", *names(made)), rows, notes=notes)


def overview(made: Comparison, full: bool = True) -> Grid:
    """The key tests of at least two systems, in the unit that the comparison chose for them."""
    rows = [counted(made, row) for row in _key_rows(made)]
    return _grid("Key tests", made, rows, full=full, named=True, noted=False)


def _key_rows(made: Comparison) -> list[Row]:
    return [row for row in made.rows if is_key(row) and len(row.owners) > 1]


def lead(made: Comparison) -> tuple[str, ...]:
    """How figures are to be read, said once before the key tests."""
    unit = about(made, _key_rows(made))
    return (WORDS, unit) if unit else (WORDS,)


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
            what = name_of(row.key)
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
        grid = _grid(f"Only {column.short}", made, rows, full=full, named=True, only=place)
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
    doubts: list[_Doubt] = []
    for row in rows:
        what = " ".join(text for text in (row.key.id if named else "", variant(row.key)) if text)
        for statistic in statistics or _told(row, full):
            unit = unit_of(row, statistic)
            name = " ".join(text for text in (statistic_text(statistic), unit_text(unit)) if text)
            found = row.best.get(statistic, ())
            best |= {(len(lines), 2 + i) for i, place in enumerate(places) if place in found}
            lines.append((what, name, *(cell_text(row.cells[place], statistic, unit) for place in places)))
            doubts += _doubts(made, row, what, statistic) if noted else ()
        notes += [f"{what}: {note}" if what else note for note in row.notes]
    head = ("test" if named else "of", "figure", *(made.columns[place].short for place in places))
    return Grid(title, head, tuple(lines), frozenset(best), tuple(dict.fromkeys((*_told_doubts(doubts), *notes))))


def _told(row: Row, full: bool) -> tuple[str, ...]:
    every = row.statistics
    if full or not {"avg", "max"} & set(every):
        return every
    measured = any(one.values for cell in row.cells for one in cell)
    left_out = {*_BESIDE, *(() if measured else _EXPOSURE)}
    lost = any(one.statistic == "lost" and one.number for cell in row.cells for one in cell)
    left_out |= set() if lost else {"lost"}
    return tuple(name for name in every if name not in left_out and not name.startswith("p9"))


_Doubt = tuple[str, str, str]  # what it says, the system, the figure


def _doubts(made: Comparison, row: Row, what: str, statistic: str) -> Iterator[_Doubt]:
    for column, cell in zip(made.columns, row.cells, strict=True):
        for one in cell:
            if one.statistic == statistic and one.note and not one.unmeasurable:
                place = ", ".join(text for text in (what, statistic_text(statistic)) if text)
                yield one.note, column.short, place


def _told_doubts(doubts: Iterable[_Doubt]) -> Iterator[str]:
    """Each once, with the figures and the systems that it is about."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for text, system, place in doubts:
        places.setdefault((text, system), {})[place] = None
    systems: dict[tuple[str, str], list[str]] = {}
    for (text, system), found in places.items():
        systems.setdefault((text, "; ".join(found)), []).append(system)
    yield from (f"* {text} ({', '.join(names)}: {where})" for (text, where), names in systems.items())


def _numbers(row: Row) -> bool:
    return any(one.number is not None for cell in row.cells for one in cell)


def names(made: Comparison) -> tuple[str, ...]:
    return tuple(column.short for column in made.columns)


@dataclass(frozen=True)
class Bars:
    """Of one figure of a test, for all systems on one axis that begins at zero. `bars`: row, system, text, length from
    0 to 1 of the axis, and whether it is the best. `ticks`: places on the axis with their labels."""

    unit: str
    bars: tuple[tuple[str, str, str, float, bool], ...]
    ticks: tuple[tuple[float, str], ...]


def bars(made: Comparison, id_: str, statistic: str) -> Bars | None:
    """The bar chart of one figure of a test; None where there is nothing to draw. Only times share an axis."""
    found = [
        (row, place, one)
        for row in made.shared
        if row.key.id == id_
        for place, cell in enumerate(row.cells)
        for one in _once(cell, statistic)
        if common(one.unit) == TIME and not one.unmeasurable
    ]
    values = [normal(Decimal(one.text), one.unit) for _, _, one in found]
    if not values or min(values) < 0 or max(values) == 0:
        return None
    unit = shown_unit(tuple(one.unit for _, _, one in found), max(values))
    end, ticks = _axis(float(in_unit(max(values), TIME, unit)))
    lengths = (float(in_unit(value, TIME, unit)) / end for value in values)
    drawn = tuple(
        (
            variant(row.key),
            made.columns[place].short,
            _bar_text(row, statistic, one),
            length,
            place in _best(row, statistic),
        )
        for (row, place, one), length in zip(found, lengths, strict=True)
    )
    return Bars(unit, drawn, tuple((tick / end, f"{tick:g} {unit}" if tick else "0") for tick in ticks))


def _once(cell: Sequence[Figure], statistic: str) -> Iterable[Figure]:
    """A figure that was printed twice counts once."""
    return {(one.text, one.unit, one.qualifier): one for one in cell if one.statistic == statistic}.values()


def _bar_text(row: Row, statistic: str, one: Figure) -> str:
    unit = unit_of(row, statistic)
    return f"{cell_text((one,), statistic, unit)} {unit}".rstrip()


def _best(row: Row, statistic: str) -> tuple[int, ...]:
    return tuple(row.best.get(statistic, ()))


def _axis(largest: float) -> tuple[float, tuple[float, ...]]:
    """The end of an axis, not below `largest`, and where its ticks are: at 1, 2 or 5 times a power of ten."""
    rough = largest / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((factor * power for factor in (1, 2, 5) if factor * power >= rough), 10 * power)
    count = max(1, math.ceil(largest / step - 1e-9))
    return count * step, tuple(round(i * step, 12) if step < 1 else i * step for i in range(count + 1))
