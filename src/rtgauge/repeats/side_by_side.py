"""The same tests in several environments (loads, CPUs, caches), one column each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from rtgauge.repeats.values import OneResult, OneRun, total

SCHEMA = 1
FIGURES = ("max", "p99", "median", "min")  # in the order in which they are told
_ENVIRONMENT = ("environment", "loads", "cpus", "cpu", "cache", "memory")  # of what was asked: may differ
_ASKED = "what was asked"
_Key = tuple[str, str, int]


@dataclass(frozen=True)
class Cell:
    """One result in one environment; several runs of it count together."""

    statuses: tuple[str, ...]  # each once
    reason: str | None
    n: int
    lost: int | None  # None: not known of every run
    exposure_s: float | None
    unmeasurable: bool
    figures: Mapping[str, float]  # max, min: of all runs; the others: middle of those of the runs


@dataclass(frozen=True)
class Column:
    environment: Mapping[str, str]
    runs: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One result by its parameters; a cell for each column, None where there is no such result."""

    id: str
    params: Mapping[str, Any]
    unit: str | None
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class SideBySide:
    target: str
    unequal: tuple[str, ...]  # in what the runs differ beside their environments
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """Each column by what tells it from the others."""
        names = dict.fromkeys(name for column in self.columns for name in column.environment)
        told = [name for name in names if len({column.environment.get(name) for column in self.columns}) > 1]
        return tuple(
            " ".join(f"{name}={column.environment.get(name, '-')}" for name in told) for column in self.columns
        )


def side_by_side(runs: Iterable[OneRun]) -> SideBySide | None:
    """None where the runs do not differ in their environments."""
    groups: dict[tuple[tuple[str, str], ...], list[OneRun]] = {}
    for run in sorted(runs, key=lambda run: (run.created, run.number)):
        if run.results:
            groups.setdefault(_environment(run), []).append(run)
    if len(groups) < 2:
        return None
    every = [run for group in groups.values() for run in group]
    by_group = [_keyed(group) for group in groups.values()]
    keys = dict.fromkeys(key for found in by_group for key in found)
    return SideBySide(
        target=", ".join(dict.fromkeys(run.target for run in every)),
        unequal=tuple(_unequal(every)),
        columns=tuple(Column(dict(env), tuple(run.run for run in group)) for env, group in groups.items()),
        rows=tuple(_row([found.get(key, []) for found in by_group]) for key in keys),
    )


def to_json(side: SideBySide) -> dict[str, Any]:
    """As `side_by_side` of results.schema.json says."""
    return {
        "schema": SCHEMA,
        "target": side.target,
        "unequal": list(side.unequal),
        "columns": [{"environment": dict(one.environment), "runs": list(one.runs)} for one in side.columns],
        "rows": [
            {"id": row.id, "params": dict(row.params), "unit": row.unit, "cells": [_cell_json(c) for c in row.cells]}
            for row in side.rows
        ],
    }


def growth(side: SideBySide) -> Iterator[tuple[str, str, float, float, Row]]:
    """For each environment with a load the one that differs from it in the load alone, and how many times larger the
    maxima are: the middle of all results, the largest, and where that is."""
    for place, column in enumerate(side.columns):
        bare = {**column.environment, "load": "none"}
        base = next((i for i, other in enumerate(side.columns) if dict(other.environment) == bare), place)
        if base == place:
            continue
        ratios = [(ratio, row) for row in side.rows if (ratio := _ratio(row, base, place)) is not None]
        if ratios:
            most, where = max(ratios, key=lambda one: one[0])
            yield side.heads[place], side.heads[base], median(one for one, _ in ratios), most, where


def _ratio(row: Row, base: int, place: int) -> float | None:
    """Only of times that the clock can measure: where more is better it would say nothing."""
    before, after = row.cells[base], row.cells[place]
    if row.unit != "ns" or row.id.startswith("CAL-") or before is None or after is None:
        return None
    if before.unmeasurable or after.unmeasurable:
        return None
    low, high = before.figures.get("max"), after.figures.get("max")
    return high / low if low is not None and high is not None and low > 0 else None


def _environment(run: OneRun) -> tuple[tuple[str, str], ...]:
    first = next(iter(run.results.values()))
    return tuple((str(name), str(value)) for name, value in first.environment.items())


def _keyed(runs: Sequence[OneRun]) -> dict[_Key, list[OneResult]]:
    """The results of one environment by what they are apart from it."""
    found: dict[_Key, list[OneResult]] = {}
    for run in runs:
        seen: dict[tuple[str, str], int] = {}
        for one in run.results.values():
            name = one.id, str(sorted((str(k), str(v)) for k, v in one.params.items()))
            seen[name] = seen.get(name, -1) + 1
            found.setdefault((*name, seen[name]), []).append(one)
    return found


def _row(cells: Sequence[Sequence[OneResult]]) -> Row:
    every = [one for cell in cells for one in cell]
    unit = next((one.unit for one in every if one.unit), None)
    return Row(every[0].id, every[0].params, unit, tuple(_cell(cell) for cell in cells))


def _cell(found: Sequence[OneResult]) -> Cell | None:
    there = [one for one in found if one.status is not None]
    if not there:
        return None
    values = {name: [one.figures[name] for one in there if name in one.figures] for name in FIGURES}
    folded = {"max": max, "min": min}
    return Cell(
        statuses=tuple(dict.fromkeys(str(one.status) for one in there)),
        reason=next((one.reason for one in there if one.reason), None),
        n=sum(one.n for one in there),
        lost=total([one.lost for one in there]),
        exposure_s=total([one.exposure_s for one in there]),
        unmeasurable=any(one.unmeasurable for one in there),
        figures={name: float(folded.get(name, median)(some)) for name, some in values.items() if some},
    )


def _cell_json(cell: Cell | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    return {
        "statuses": list(cell.statuses),
        **{name: getattr(cell, name) for name in ("reason", "n", "lost", "exposure_s", "unmeasurable")},
        **{name: cell.figures.get(name) for name in FIGURES},
    }


def _unequal(runs: Sequence[OneRun]) -> Iterator[str]:
    for name, value in runs[0].same.items():
        other = [run.run for run in runs if _bare(name, run.same[name]) != _bare(name, value)]
        if other:
            yield f"{name} of {', '.join(other[:5])} is not that of {runs[0].run}"


def _bare(name: str, value: Any) -> Any:
    """What was asked, without the environment."""
    if name != _ASKED or not isinstance(value, Mapping):
        return value
    return {key: one for key, one in value.items() if key not in _ENVIRONMENT}
