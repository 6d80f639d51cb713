"""Runs that were not measured but read from the file of another program. The file is kept; everything follows from it,
and from what the user said of it."""

from __future__ import annotations

import contextlib
import platform
import shutil
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtgauge import __version__
from rtgauge.errors import StoreError, UsageError
from rtgauge.importers import LARGEST, read
from rtgauge.importers._results import content_of
from rtgauge.store.files import read_stored, why
from rtgauge.store.folder import IMPORTED, RESULTS, RunFolder
from rtgauge.trace.fields import clean

_NAME_MOST = 200  # characters of a file's name


@dataclass(frozen=True)
class Imported:
    path: Path
    results: dict[str, Any]


def import_file(
    file: Path, store: Path, format: str | None, unit: str | None, tag: str, command: Sequence[str]
) -> Imported:
    """A new run from the file. UsageError where it is not what it must be; then nothing is left in the store."""
    from rtgauge.store.catalogue import index_run

    data = _read(file)
    name, foreign = read(data, format, unit)
    about = {"format": name, "file": clean(file.name, most=_NAME_MOST), **({"unit": unit} if unit else {})}
    folder = RunFolder(store, f"import:{name}", _about(about, tag, command))
    try:
        folder.write_trace(data)
        folder.end_trace()
        folder.log(f"imported from {file.name}")
        results = content_of(foreign, name, folder.manifest)
        folder.write_json(RESULTS, results)
        folder.finish("complete")
    except BaseException:
        folder.abandon()
        with contextlib.suppress(OSError):
            shutil.rmtree(folder.path)
        raise
    index_run(store)
    return Imported(folder.path, results)


def compute_imported(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The content of results.json, from the stored file. StoreError where that is damaged."""
    about = manifest.get("imported") or {}
    try:
        name, foreign = read(read_stored(path / IMPORTED, LARGEST), str(about.get("format")), about.get("unit"))
    except OSError as error:
        raise StoreError(f"cannot read {path / IMPORTED}: {why(error)}") from error
    except UsageError as error:
        raise StoreError(f"{path / IMPORTED} is damaged: {error}") from error
    return content_of(foreign, name, manifest)


def _read(file: Path) -> bytes:
    """At most one byte more than is legal. UsageError where it cannot be read."""
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {why(error)}") from error
    except ValueError as error:  # a null byte in the name
        raise UsageError(f"cannot read {file}: {error}") from error


def _about(imported: Mapping[str, str], tag: str, command: Sequence[str]) -> dict[str, Any]:
    return {
        "why": None,
        "tag": tag,
        "repeat": None,
        "series": None,
        "user": None,
        "host": socket.gethostname(),
        "command": list(command),
        "versions": {"rtgauge": __version__, "python": platform.python_version(), "host_os": platform.platform()},
        "engine": None,
        "profile": None,
        "deadline_ns": None,
        "spec": None,
        "imported": dict(imported),
    }
