"""Columns side by side: what stands in one row, and what differs."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from rtgauge.compare.alike import sampling
from rtgauge.compare.beside import beside
from rtgauge.compare.best import best
from rtgauge.compare.conclusion import conclude
from rtgauge.compare.differences import differences, withheld
from rtgauge.compare.instructions import in_instructions, ns_per_instruction
from rtgauge.compare.kernels import kernels
from rtgauge.compare.parity import EQUAL, Rules, judge
from rtgauge.compare.values import VERDICT, Column, Comparison, Figure, Key, Row, Setting

_USUAL = {"batch": "1", "load": "none", "cache": "hot"}  # where nothing else is printed
_NAME = re.compile(r"(series-)?[0-9]{8}-[0-9]{6}-([a-z0-9]+-[0-9a-f]{6})")  # without the time
SYSTEM = "virtual system"  # a setting: which one of the lab
_ORDER = ("test", "configuration", "qualitative")

Cell = tuple[Figure, ...]
Table = dict[Key, list[Cell]]  # a cell for each column


def align(columns: Sequence[Column], across: bool = False, rules: Rules = EQUAL, unit: str | None = None) -> Comparison:
    """`rules`: what has to be equal before systems are ranked against each other; `across`: they are ranked whatever
    differs; `unit`: that key tests are shown in (see instructions). UsageError for rules that name what nobody knows,
    and for a unit that these systems have not."""
    columns = _labelled(columns)
    parity = judge(columns, rules, across)
    marked = tuple(replace(row, best=_best(row, columns, parity.grounds)) for row in _rows(columns))
    made = Comparison(
        columns=columns,
        settings=_settings(columns),
        rows=marked,
        differences=tuple(differences(columns, marked)),
        notes=(
            *withheld(columns),
            *beside(columns),
            *sampling(columns, marked),
            *(f"{column.name}: {note}" for column in columns for note in column.notes),
        ),
        parity=parity,
        kernels=kernels(columns),
        ns_per_instruction=ns_per_instruction(columns),
        instructions=in_instructions(columns, unit),
    )
    return replace(made, conclusion=tuple(conclude(made)))


def _best(row: Row, columns: Sequence[Column], grounds: Sequence[Hashable]) -> Mapping[str, tuple[int, ...]]:
    samples = [column.histograms.get(row.key) for column in columns]
    return best(row, grounds, [column.exact for column in columns], samples)


def _labelled(columns: Sequence[Column]) -> list[Column]:
    """Each by what is short and tells it from the others: a published system without its platform, a system of the lab
    by its name, any other run by its target and the end of its id."""
    labels = [_label(column) for column in columns]
    systems = [column.configuration.get(SYSTEM) for column in columns]
    labels = [
        system if system and systems.count(system) == 1 and system not in labels else label
        for system, label in zip(systems, labels, strict=True)
    ]
    return [
        replace(column, label=label if labels.count(label) == 1 else "")
        for column, label in zip(columns, labels, strict=True)
    ]


def _label(column: Column) -> str:
    if column.kind == "reference":
        return column.name.removeprefix("reference:").partition("@")[0]
    found = _NAME.fullmatch(column.name)
    return f"{found[1] or ''}{found[2]}" if found else column.name


def _rows(columns: Sequence[Column]) -> list[Row]:
    cells: Table = {}
    for place, column in enumerate(columns):
        for key, figures in column.cells.items():
            cells.setdefault(key, [()] * len(columns))[place] = figures
    notes = _moved(cells, columns)
    checked = _checked(cells, columns)
    every = (Row(key, tuple(found), notes=(*notes.get(key, ()), *checked.get(key, ()))) for key, found in cells.items())
    return sorted(every, key=lambda row: (_ORDER.index(row.key.kind), row.key.id))


def _moved(cells: Table, columns: Sequence[Column]) -> dict[Key, list[str]]:
    """Brings published figures beside those that they can only mean; what is not printed of them becomes a note.

    A figure that could mean several others stays alone."""
    notes: dict[Key, list[str]] = {}
    measured = {key for key, row in cells.items() if _measured(row, columns)}
    by_id: dict[str, list[Key]] = {}
    for key in cells:
        if key.kind == "test" and not key.check:
            by_id.setdefault(key.id, []).append(key)
    targets = {key: _fits(key, keys, cells, measured) for keys in by_id.values() for key in keys if key not in measured}
    for key, found in targets.items():
        if len(found) > 1:
            names = sorted({name for other in found for name in _missing(key, other)})
            notes.setdefault(key, []).append(f"not printed, so several results could be meant: {', '.join(names)}")
        if len(found) != 1 or found[0] not in cells:
            continue
        (target,) = found
        if any(a and b for a, b in zip(cells[key], cells[target], strict=True)):
            continue
        who = ", ".join(columns[i].name for i, cell in enumerate(cells[key]) if cell)
        if missing := _missing(key, target):
            notes.setdefault(target, []).append(f"not printed of {who}: {', '.join(missing)}")
        cells[target] = [a or b for a, b in zip(cells[target], cells.pop(key), strict=True)]
    return notes


def _measured(row: Sequence[Cell], columns: Sequence[Column]) -> bool:
    return any(cell and column.kind != "reference" for cell, column in zip(row, columns, strict=True))


def _fits(key: Key, keys: Sequence[Key], cells: Table, measured: set[Key]) -> list[Key]:
    """Of `keys` the measured results of which a published figure may be; without any the published ones."""
    found = [other for other in keys if other != key and _may_be(key, other, other in measured)]
    ours = [other for other in found if other in measured]
    with_figures = [other for other in ours if _has_numbers(cells[other])] if _has_numbers(cells[key]) else []
    return with_figures or ours or found


def _has_numbers(row: Sequence[Cell]) -> bool:
    return any(one.number is not None for cell in row for one in cell)


def _may_be(key: Key, other: Key, measured: bool) -> bool:
    """Whether what is printed of `key` leaves open that it is `other`."""
    if (key.id, key.part) != (other.id, other.part):
        return False
    own, its = dict(key.environment), dict(other.environment)
    if not measured:  # a load that is not printed may be none at most
        return key.params == other.params and "load" not in own and {**own, "load": "none"} == its
    theirs = dict(other.params)
    mine = {**{name: value for name, value in _USUAL.items() if name in theirs}, **dict(key.params)}
    return all(theirs.get(name) == value for name, value in mine.items()) and all(
        its.get(name, value) == value for name, value in own.items()
    )


def _missing(key: Key, other: Key) -> list[str]:
    """What the other key says beyond this one, but for what is usual."""
    mine, theirs = {**dict(key.params), **dict(key.environment)}, {**dict(other.params), **dict(other.environment)}
    return [name for name in theirs if name not in mine and _USUAL.get(name) != theirs[name]]


def _checked(cells: Table, columns: Sequence[Column]) -> dict[Key, list[str]]:
    """Puts a run's single checks beside published verdicts on the same property."""
    notes: dict[Key, list[str]] = {}
    for key in [key for key in cells if key.check and any(one.statistic == VERDICT for c in cells[key] for one in c)]:
        for place, column in enumerate(columns):
            found = [at for at in column.checks if at.check == key.check and _may_be(replace(key, check=""), at, True)]
            if len(found) == 1 and not cells[key][place]:
                cells[key][place] = column.checks[found[0]]
            elif found:
                notes.setdefault(key, []).append(f"several results of {column.name} could be meant")
    return notes


def _settings(columns: Sequence[Column]) -> tuple[Setting, ...]:
    return tuple(_setting(name, columns) for name in _names(columns))


def _setting(name: str, columns: Sequence[Column]) -> Setting:
    return Setting(name, tuple(column.configuration.get(name) for column in columns))


def _names(columns: Sequence[Column]) -> Iterator[str]:
    yield from dict.fromkeys(name for column in columns for name in column.configuration)
