"""Runs that belong together: repeats of one command carry the same series in their manifests.

Nothing is stored for the series itself: what its runs say together is computed from their folders whenever it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from rtgauge.errors import StoreError, UsageError
from rtgauge.repeats import OneRun, Repeats, join, one_run
from rtgauge.repeats.side_by_side import SideBySide, side_by_side
from rtgauge.store.places import RUN_ID, find_run, new_id, run_ids, runs_root
from rtgauge.store.readers import open_run, read_manifest, run_state

_PREFIX = "series-"
_STAMP = len("20261121-204512")
SERIES_ID = re.compile(_PREFIX + RUN_ID.pattern)
LAST = "last-series"


def new_series(target: str) -> str:
    """A name for runs that belong together: `series-` and what looks like a run's id, which sorts before theirs."""
    return _PREFIX + new_id(target, datetime.now(timezone.utc))


def names_series(name: str) -> bool:
    """Whether a word of the command line is meant as a series."""
    return name == LAST or name.startswith(_PREFIX)


def find_runs(names: Iterable[str], store: Path) -> list[Path]:
    """The folders of runs and series, each once, in the order in which they are named. UsageError where one is not
    there, or the beginning of several."""
    found = (
        path for name in names for path in (find_series(name, store) if names_series(name) else [find_run(name, store)])
    )
    return list(dict.fromkeys(found))


def find_series(name: str, store: Path) -> list[Path]:
    """The folders of a series given by its id, a unique beginning of it, or as `last-series`; oldest first."""
    root = runs_root(store)
    stamp = re.match(r"[0-9-]*", name.removeprefix(_PREFIX))
    begun = "" if name == LAST or stamp is None else stamp[0][:_STAMP]
    members: dict[str, list[Path]] = {}
    for run in reversed(run_ids(store)):
        if run[:_STAMP] < begun:  # its runs are younger than the series
            break
        series = _manifest(root / run).get("series")
        if not isinstance(series, str) or not SERIES_ID.fullmatch(series):
            continue
        if name == LAST or series.startswith(name):
            members.setdefault(series, []).insert(0, root / run)
        if name == LAST:
            name = series
    if len(members) > 1 and name in members:
        members = {name: members[name]}
    if len(members) > 1:
        raise UsageError(f"{name!r} begins {len(members)} series: {', '.join(sorted(members)[:5])}")
    if not members:
        raise UsageError(f"there is no series {name!r} in {store}: `rtgauge run TARGET --repeat N` makes one")
    return next(iter(members.values()))


def siblings(path: Path, manifest: Mapping[str, Any]) -> list[Path]:
    """All run folders of the series of the run in `path`, itself among them, that lie beside it; oldest first."""
    series = manifest.get("series")
    if not isinstance(series, str) or not SERIES_ID.fullmatch(series) or path.parent != runs_root(path.parent.parent):
        return [path]
    begun = series.removeprefix(_PREFIX)[:_STAMP]
    wanted = (manifest.get("repeat") or {}).get("of")
    found = []
    for run in run_ids(path.parent.parent):
        beside = path.parent / run
        if run[:_STAMP] >= begun and (beside == path or _manifest(beside).get("series") == series):
            found.append(beside)
        if len(found) == wanted:
            break
    return found if path in found else [path]


def repeats_of(paths: Iterable[Path]) -> Repeats | None:
    """What these runs say together; None for fewer than two. One that is being written, or cannot be read, does not
    count and is named in the notes."""
    return join(*_read(paths))


def side_by_side_of(paths: Iterable[Path]) -> SideBySide | None:
    """These runs by their environments; None where they do not differ in them."""
    return side_by_side(_read(paths)[0])


def _read(paths: Iterable[Path]) -> tuple[list[OneRun], list[str]]:
    """The runs, and notes on those that do not count."""
    runs, notes = [], []
    for path in paths:
        try:
            manifest, _ = read_manifest(path)
            if run_state(path, manifest) == "running":
                notes.append(f"{path.name} is being measured and does not count yet")
                continue
            run = open_run(path)
            runs.append(one_run(run.results, run.manifest, run.state))
        except StoreError as error:
            notes.append(f"{path.name} does not count: {error}")
    return runs, notes


def gravest(paths: Sequence[Path], repeats: Repeats | None) -> Path:
    """The folder of the run with the gravest ruling; the last where there are no repeats."""
    name = None if repeats is None else repeats.runs[repeats.gravest].run
    return next((path for path in paths if path.name == name), paths[-1])


def _manifest(path: Path) -> dict[str, Any]:
    try:
        return read_manifest(path)[0]
    except StoreError:
        return {}
