"""From what the user names to columns: runs, series of repeats, published systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rtgauge.compare import measured, published
from rtgauge.compare.values import Column
from rtgauge.errors import StoreError, UsageError
from rtgauge.reference.systems import find, systems
from rtgauge.store.kernel_config import read_config
from rtgauge.store.places import find_run
from rtgauge.store.readers import open_run
from rtgauge.store.series import find_series, names_series

REFERENCE = "reference:"


def columns(names: Sequence[str], store: Path) -> list[Column]:
    """A column for each thing, and for a published system one for each platform it was published on; each once.
    UsageError where a thing does not exist; it lists the legal ones."""
    return once(one for name in names for one in columns_of(name, store))


def once(found: Iterable[Column]) -> list[Column]:
    """Each system once, in their order."""
    return list({one.name: one for one in reversed(list(found))}.values())[::-1]


def columns_of(name: str, store: Path) -> list[Column]:
    """What one thing that is there already means."""
    if name.startswith(REFERENCE):
        return [published.column(system) for system in find(name.removeprefix(REFERENCE))]
    if names_series(name):
        return [_series(name, store)]
    try:
        path = find_run(name, store)
    except UsageError as error:
        if any(name in (one.name, one.address) for one in systems().values()):
            raise UsageError(f"{error}; a published system is written {REFERENCE}{name}") from error
        raise
    return [of_run(path)]


def of_run(path: Path) -> Column:
    run = open_run(path, quick=True)
    return _with_options(measured.column(run.id, [(run.results, run.manifest, run.state)], run.problems), path)


def _with_options(column: Column, path: Path) -> Column:
    """`path`: of one of its runs; all have the same kernel."""
    return replace(column, options=read_config(path))


def _series(name: str, store: Path) -> Column:
    return of_series(name, find_series(name, store))


def of_series(name: str, paths: Sequence[Path]) -> Column:
    """Runs that repeat each other. StoreError where none can be read."""
    runs, notes, called = [], [], name
    for path in paths:
        try:
            run = open_run(path, quick=True)
        except StoreError as error:
            notes.append(f"{path.name} does not count: {error}")
            continue
        called = str(run.manifest.get("series") or name)
        notes += [f"{run.id}: {problem}" for problem in run.problems]
        runs.append((run.results, run.manifest, run.state))
    if not runs:
        raise StoreError(f"no run of {name} can be read: {'; '.join(notes)}")
    return _with_options(measured.column(called, runs, notes), paths[-1])
