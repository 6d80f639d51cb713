"""From what the user names to columns: runs, series of repeats, published systems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rtgauge.compare import measured, published
from rtgauge.compare.values import Column
from rtgauge.errors import StoreError, UsageError
from rtgauge.reference.systems import find, systems
from rtgauge.registry import plugins
from rtgauge.store.places import find_run
from rtgauge.store.readers import open_run
from rtgauge.store.series import find_series, names_series

REFERENCE = "reference:"


def columns(names: Sequence[str], store: Path) -> list[Column]:
    """A column for each thing, and for a published system one for each platform it was published on; each once.
    UsageError where a thing does not exist; it lists the legal ones."""
    found: dict[str, Column] = {}
    for name in names:
        for one in _columns(name, store):
            found.setdefault(one.name, one)
    return list(found.values())


def _columns(name: str, store: Path) -> list[Column]:
    if name.startswith(REFERENCE):
        return [published.column(system) for system in find(name.removeprefix(REFERENCE))]
    if names_series(name):
        return [_series(name, store)]
    try:
        path = find_run(name, store)
    except UsageError as error:
        if any(name in (one.name, one.address) for one in systems().values()):
            raise UsageError(f"{error}; a published system is written {REFERENCE}{name}") from error
        if name.partition(":")[0] in plugins("rtgauge.targets", "SUMMARY"):
            raise UsageError(f"{name!r} is a target: measure it first, with `rtgauge run {name}`") from error
        raise
    run = open_run(path)
    return [measured.column(run.id, [(run.results, run.manifest, run.state)], run.problems)]


def _series(name: str, store: Path) -> Column:
    runs, notes, called = [], [], name
    for path in find_series(name, store):
        try:
            run = open_run(path)
        except StoreError as error:
            notes.append(f"{path.name} does not count: {error}")
            continue
        called = str(run.manifest.get("series") or name)
        notes += [f"{run.id}: {problem}" for problem in run.problems]
        runs.append((run.results, run.manifest, run.state))
    if not runs:
        raise StoreError(f"no run of {name} can be read: {'; '.join(notes)}")
    return measured.column(called, runs, notes)
