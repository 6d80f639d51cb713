"""A comparison as plain tables, the same for the terminal and for pages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rtgauge.compare.instructions import about, counted
from rtgauge.compare.values import VERDICT, Comparison, Difference, Row
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
    "Measured figures are shown with four digits (JSON has all), printed ones as they were printed: ~ means about, < "
    "and > are bounds, * marks one with a note. The best is marked among systems that may be ranked against each "
    "other, where it is told apart. A dash: there is no such figure. Lost samples and skipped activations are told "
    "where there are any."
)
UNSETTLED = "that are not told apart"
NOT_SUPPORTED = "not-supported"
KERNELS = "Kernels: words and options that differ"
_EXPOSURE = ("n", "exposure")
MISSED = ("lost", "skipped")  # samples that should be there: told where there are any
SKIPPED = (
    "skipped: activations that a late thread did not run. Average, median, maximum and percentiles count each with the "
    "time that it had waited by then; samples, exposure and distributions are without them"
)


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
    """What no system has for the same reason is a line for each reason, not a row for each result."""
    rows = [row for row in made.shared if VERDICT in row.statistics]
    shown = [row for row in rows if not _nowhere(row)]
    grid = _grid("Behaviour", made, shown, named=True, statistics=(VERDICT,))
    return replace(grid, notes=(*grid.notes, *_reasons(row for row in rows if _nowhere(row))))


def _nowhere(row: Row) -> bool:
    return all(any(one.statistic == VERDICT and one.text == NOT_SUPPORTED for one in cell) for cell in row.cells)


def _reasons(rows: Iterable[Row]) -> Iterator[str]:
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        why = "; ".join(dict.fromkeys(one.note for cell in row.cells for one in cell if one.note)) or "no reason told"
        tests = found.setdefault(why, {})
        tests[row.key.id] = tests.get(row.key.id, 0) + 1
    for why, tests in found.items():
        told = ", ".join(id_ if n == 1 else f"{id_} ({n})" for id_, n in tests.items())
        count = sum(tests.values())
        yield f"{NOT_SUPPORTED} by all, {count} {'results' if count > 1 else 'result'}: {why}: {told}"


def differences(made: Comparison) -> Grid:
    """Of measured systems, in words, those that are told apart; figures that are equal are only counted."""
    told = [one for one in made.differences if one.told_apart]
    rest = len(_unsettled(made))
    equal = len(made.differences) - len(told) - rest
    basis = "; ".join(dict.fromkeys(one.basis for one in made.differences))
    further = "further " if told else ""
    notes = [f"{equal} {further}figures are equal ({basis})"] if equal else []
    notes += [f"{rest} {further}differences are not told apart from what whole runs scatter ({basis})"] if rest else []
    return _differences(made, told, "Differences between runs", tuple(notes))


def unsettled(made: Comparison) -> Grid:
    """Differences that are not told apart from chance: of one run each, or with an interval that holds none."""
    return _differences(made, _unsettled(made), f"Differences {UNSETTLED}")


def largest_unsettled(made: Comparison, most: int) -> Grid:
    """Of these the `most` whose ratios are furthest from one."""
    every = sorted(_unsettled(made), key=lambda one: -abs(math.log(one.ratio)) if one.ratio else 0.0)
    notes = (f"and {len(every) - most} smaller ones: in the other formats",) if len(every) > most else ()
    return _differences(made, every[:most], f"Differences {UNSETTLED}", notes)


def _unsettled(made: Comparison) -> list[Difference]:
    return [
        one
        for one in made.differences
        if not one.told_apart and (one.difference or one.interval not in (None, (0.0, 0.0)))
    ]


def _differences(made: Comparison, found: Sequence[Difference], title: str, notes: tuple[str, ...] = ()) -> Grid:
    pairs = {(one.column, one.against) for one in made.differences}
    named = len(pairs) > 1
    if len(pairs) == 1:
        title = f"{title.replace(' between runs', '')}: {_pair(made, made.differences[0])}"
    rows = tuple(
        (
            name_of(made.rows[one.row].key),
            one.statistic,
            *([_pair(made, one)] if named else []),
            difference_text(one),
        )
        for one in found
    )
    return Grid(title, ("test", "figure", *(["of"] if named else []), "difference"), rows, notes=notes)


def _pair(made: Comparison, one: Difference) -> str:
    return f"{made.columns[one.column].short} against {made.columns[one.against].short}"


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
        notes += [SKIPPED] if _some(row, "skipped") else []
    head = ("test" if named else "of", "figure", *(made.columns[place].short for place in places))
    return Grid(title, head, tuple(lines), frozenset(best), tuple(dict.fromkeys((*_told_doubts(doubts), *notes))))


def _told(row: Row, full: bool) -> tuple[str, ...]:
    every = tuple(name for name in row.statistics if name not in MISSED or _some(row, name))
    if full or not {"avg", "max"} & set(every):
        return every
    measured = any(one.values for cell in row.cells for one in cell)
    left_out = {*_BESIDE, *(() if measured else _EXPOSURE)}
    return tuple(name for name in every if name not in left_out and not name.startswith("p9"))


def _some(row: Row, statistic: str) -> bool:
    return any(one.statistic == statistic and one.number for cell in row.cells for one in cell)


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
