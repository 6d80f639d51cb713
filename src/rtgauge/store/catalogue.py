"""The catalogue of runs: an index of the run folders, which are the truth. It can be lost at any time.

SQLite in the store by default; $RTGAUGE_CATALOGUE names another database by URL, e.g. postgresql+psycopg://host/name.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)

from rtgauge.errors import StoreError
from rtgauge.store.files import read_stored
from rtgauge.store.folder import MANIFEST, RESULTS, being_written, holds_nothing
from rtgauge.store.places import run_ids, runs_root
from rtgauge.store.readers import read_manifest, run_state

TRIES = 5  # while others write the same rows
TOGETHER_S = 0.2
LOCKED_S = 2.0  # that a catalogue in use by others is waited for

_metadata = sa.MetaData()
_runs = sa.Table(
    "rtgauge_runs_1",  # the number is the version of these columns: another version makes its own table
    _metadata,
    sa.Column("store", sa.Text, primary_key=True),  # several stores can share a database
    sa.Column("run", sa.String(80), primary_key=True),
    sa.Column("stamp", sa.Text, nullable=False),  # of the files the row was made from
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("tag", sa.Text, nullable=False),
    sa.Column("tests", sa.Integer, nullable=False),  # results
    sa.Column("verdict", sa.Text, nullable=False),
)


def list_runs(store: Path, url: str | None = None) -> list[dict[str, Any]]:
    """One row for each run folder of the store, newest first, as the folders are now.

    Only folders that changed since the last call are read. A catalogue that is missing, damaged or cannot be written
    is made again, in memory if need be. Raises StoreError when a database named by URL cannot be used.
    """
    url = url or os.environ.get("RTGAUGE_CATALOGUE")
    if url:
        try:
            return _agreed(url, store)
        except ModuleNotFoundError as error:
            raise StoreError(f"the catalogue's database needs the Python package {error.name}: install it") from error
        except (ArgumentError, NoSuchModuleError) as error:
            raise StoreError(f"the catalogue's URL cannot be used: {_first_line(error)}") from error
        except SQLAlchemyError as error:
            raise StoreError(f"the catalogue cannot be used: {_first_line(error)}") from error
    file = store / "catalogue.sqlite"
    if not run_ids(store) and not file.exists():
        return []
    for last in (False, True):
        try:
            if last:
                file.unlink(missing_ok=True)
            return _agreed(_sqlite(file), store)
        except (OperationalError, IntegrityError) as error:
            if isinstance(error, IntegrityError) or "locked" in str(error):  # others work with it: it is sound
                break
        except (DatabaseError, OSError):
            continue
    return _synchronised("sqlite://", store)


def index_run(store: Path) -> None:
    """Brings the catalogue up to date after a run. It is only an index: nothing is lost when that fails."""
    with contextlib.suppress(StoreError, SQLAlchemyError, OSError):
        list_runs(store)


def _sqlite(file: Path) -> sa.Engine:
    """A path is no URL: it may hold any character, and any byte."""
    return sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(file, timeout=LOCKED_S), poolclass=sa.NullPool)


def _agreed(database: str | sa.Engine, store: Path) -> list[dict[str, Any]]:
    """As _synchronised; when others did the same at the same time, once more with what they left."""
    for _ in range(TRIES - 1):
        try:
            return _synchronised(database, store)
        except (IntegrityError, ProgrammingError, OperationalError) as error:
            if isinstance(error, OperationalError) and "deadlock" not in str(error):
                raise
            time.sleep(random.uniform(0, TOGETHER_S))
    return _synchronised(database, store)


def _synchronised(database: str | sa.Engine, store: Path) -> list[dict[str, Any]]:
    name = _text(store.absolute())
    engine = sa.create_engine(database) if isinstance(database, str) else database
    try:
        with engine.begin() as connection:
            _metadata.create_all(connection)
            mine = sa.select(_runs).where(_runs.c.store == name)
            known = {row["run"]: dict(row) for row in connection.execute(mine).mappings()}
            present = run_ids(store)
            stamps = {run: _stamp(runs_root(store) / run) for run in present}
            changed = [run for run in present if _outdated(known.get(run), stamps[run])]
            _delete(
                connection, name, sorted({*(known.keys() - stamps.keys()), *(run for run in changed if run in known)})
            )
            fresh = {run: _row(name, run, stamps[run], runs_root(store) / run) for run in changed}
            if fresh:
                connection.execute(sa.insert(_runs), list(fresh.values()))
    finally:
        engine.dispose()
    return [_shown({**known.get(run, {}), **fresh.get(run, {})}, runs_root(store) / run) for run in reversed(present)]


def _outdated(known: Mapping[str, Any] | None, stamp: str) -> bool:
    """A running run's row is always read again: that its writer was killed leaves no trace in the files."""
    return known is None or known["stamp"] != stamp or known["state"] in ("running", "incomplete")


def _delete(connection: sa.Connection, store: str, runs: Iterable[str]) -> None:
    for run in runs:
        connection.execute(sa.delete(_runs).where(_runs.c.store == store, _runs.c.run == run))


def _stamp(folder: Path) -> str:
    """Changes whenever what a row is made from does."""
    parts = []
    for name in (MANIFEST, RESULTS):
        try:
            status = (folder / name).stat()
            parts.append(f"{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_size}:{status.st_ino}")
        except OSError:
            parts.append("none")
    return " ".join(parts)


def _row(store: str, run: str, stamp: str, folder: Path) -> dict[str, Any]:
    row: dict[str, Any] = {
        "store": store,
        "run": run,
        "stamp": stamp,
        "created": "",
        "state": "damaged",
        "target": "",
        "host": "",
    }
    row |= {"tag": "", "tests": 0, "verdict": ""}
    try:
        manifest, _ = read_manifest(folder)
    except StoreError:
        if holds_nothing(folder):  # its run begins, or was killed then
            row["state"] = "running" if being_written(folder) else "incomplete"
        return row
    row |= {name: _text(manifest.get(name)) for name in ("created", "target", "host", "tag")}
    return {**row, "state": run_state(folder, manifest), **_from_results(folder)}


def _from_results(folder: Path) -> dict[str, Any]:
    try:
        content = json.loads(read_stored(folder / RESULTS))
        verdict = content.get("verdict") or {}
        return {"tests": len(content["results"]), "verdict": _text(verdict.get("ruling"))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _text(value: object) -> str:
    """Text that every database takes; different values stay different."""
    text = "" if value is None else str(value).replace("\0", "\ufffd")
    return text.encode("utf-8", "backslashreplace").decode()[:1000]


def _shown(row: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    kept = {name: row[name] for name in ("run", "created", "state", "target", "host", "tag", "tests", "verdict")}
    return {**kept, "path": str(folder)}


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
