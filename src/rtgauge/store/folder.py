"""A run folder while it is written: by one process, each file once."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, BinaryIO

from rtgauge._held import abandoned, take
from rtgauge.errors import StoreError
from rtgauge.store.files import open_nameless, sync_folder, write_whole, writing
from rtgauge.store.manifest import SCHEMA, seal
from rtgauge.store.places import new_id, run_ids, runs_root

MANIFEST = "manifest.json"
TRACE = "trace.cbor"
RESULTS = "results.json"
SAMPLES = "samples.parquet"
LOG = "log.txt"
IMPORTED = "imported.txt"
HASHED = (TRACE, RESULTS, SAMPLES, LOG)
KERNEL_CONFIG = "kernel-config.gz"
"""Beside them, of a run whose kernel told what it was built with."""
HASHED_IMPORT = (IMPORTED, RESULTS, LOG)
"""Of a run that was not measured: the file of the other program, from which everything follows."""
RESERVED = 64 << 10  # bytes of the disk, beside those of the manifest
SWEPT = 100  # newest folders that a new run looks through for what killed ones left
_PART = re.compile(r"\..+\.([0-9]+)\.part")  # the name that a file has for a moment, see files.write_whole


class RunFolder:
    """Holds a lock on the folder, which vanishes with the process: a folder that says `running` and is not locked is
    one whose writer was killed. Every method raises StoreError when the disk refuses."""

    def __init__(self, store: Path, target: str, about: Mapping[str, Any], created: datetime | None = None) -> None:
        """Makes the folder, with a manifest that says `running`, holding `about`; of an import where that says so.
        `created`: when it was asked for, by default now; runs are in that order."""
        created = created or datetime.now(timezone.utc)
        self.id = new_id(target, created)
        self.path = runs_root(store) / self.id
        self.manifest: dict[str, Any] = {
            "schema": SCHEMA,
            "run": self.id,
            "state": "running",
            "created": _utc(created),
            "finished": None,
            "target": target,
            **about,
        }
        self._digest = hashlib.sha256()
        self._source = hashed(self.manifest)[0]
        self._lock = -1
        self._reserve: int | None = None
        try:
            with writing(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                sweep(store)
                _, self._lock = take(self._make)
        except StoreError as error:
            raise StoreError(f"{error}; --store DIR names another place") from error
        try:
            self._open()
        except BaseException:
            self._release()
            shutil.rmtree(self.path, ignore_errors=True)
            raise

    def _make(self) -> Path:
        self.path.mkdir()
        return self.path

    def _open(self) -> None:
        """The manifest first: a folder without one holds nothing."""
        self._write_manifest()
        with writing(self.path):
            self._trace = (self.path / self._source).open("xb", buffering=0)
            self._log = (self.path / LOG).open("x", encoding="utf-8", buffering=1)
            sync_folder(self.path)
            sync_folder(self.path.parent)
        self._reserve = _reserve(self.path, 2 * (self.path / MANIFEST).stat().st_size)

    def write_trace(self, chunk: bytes) -> None:
        """Appends to the trace. What was written before stays when this raises."""
        try:
            with writing(self.path / self._source):
                rest = memoryview(chunk)
                while rest:
                    done = self._trace.write(rest) or 0
                    self._digest.update(rest[:done])
                    rest = rest[done:]
        except StoreError:
            self._use_reserve()
            raise

    def log(self, line: str) -> None:
        """Appends a line with its time to the log; a log that cannot be written ends nothing."""
        with contextlib.suppress(OSError, ValueError):
            text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in line.rstrip())
            self._log.write(f"{_utc(datetime.now(timezone.utc))} {text}\n")

    def note(self, **values: Any) -> None:
        """Changes the manifest of the running run and stores it."""
        self.manifest.update(values)
        self._write_manifest()

    def end_trace(self) -> None:
        """Makes the trace durable; nothing is appended after."""
        if self._trace.closed:
            return
        with writing(self.path / self._source):
            try:
                os.fsync(self._trace.fileno())
            finally:
                self._trace.close()

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        self.write(name, lambda file: file.write((json.dumps(content, indent=1, allow_nan=False) + "\n").encode()))

    def write(self, name: str, fill: Callable[[BinaryIO], object]) -> None:
        """Writes a file of the run that is not there yet."""
        path = self.path / name
        if path.exists():
            raise FileExistsError(path)
        write_whole(path, fill)

    def finish(self, state: str, **values: Any) -> None:
        """Hashes every file and writes the last manifest; the folder does not change after."""
        self._use_reserve()
        self.end_trace()
        with contextlib.suppress(OSError):
            self._log.close()
        with writing(self.path):
            names = [name for name in (*hashed(self.manifest), KERNEL_CONFIG) if (self.path / name).exists()]
            files = {name: self._fingerprint(name) for name in names}
        finished = _utc(datetime.now(timezone.utc))
        self.manifest.update(values, state=state, finished=finished, files=files)
        self._write_manifest()
        for name in (*files, MANIFEST):
            with contextlib.suppress(OSError):
                (self.path / name).chmod(0o444)
        self.abandon()

    def abandon(self) -> None:
        """Lets go of the folder as it is."""
        for file in (self._trace, self._log):
            with contextlib.suppress(OSError):
                file.close()
        self._release()

    def _use_reserve(self) -> None:
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None

    def _release(self) -> None:
        self._use_reserve()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _fingerprint(self, name: str) -> dict[str, Any]:
        """Of the trace: what was received, not what the disk gives back."""
        path = self.path / name
        size = path.stat().st_size
        digest = self._digest if name == self._source else hashlib.sha256()
        if name != self._source:
            with path.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        return {"sha256": digest.hexdigest(), "bytes": size}

    def _write_manifest(self) -> None:
        write_whole(self.path / MANIFEST, lambda file: file.write(seal(self.manifest)))


def hashed(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """The files of the run, first the one from which the others follow."""
    return HASHED_IMPORT if manifest.get("imported") is not None else HASHED


def _reserve(folder: Path, size: int) -> int | None:
    """A descriptor that holds `size` and a little more of the disk, so that a run which fills it can still write its
    manifest. It has no name: nothing stays behind."""
    handle = open_nameless(folder)
    if handle is None:
        return None
    try:
        os.posix_fallocate(handle, 0, size + RESERVED)
    except OSError:  # so full already, or a file system that cannot
        os.close(handle)
        return None
    return handle


def sweep(store: Path) -> None:
    """Clears away what runs that were killed left in the newest folders beside their files: a file that was just about
    to get its name, and a folder whose manifest was not written yet, which holds nothing."""
    for run in run_ids(store)[-SWEPT:]:
        with contextlib.suppress(OSError):
            _sweep(runs_root(store) / run)


def _sweep(folder: Path) -> None:
    with abandoned(folder) as handle:  # fails while its writer lives
        names = os.listdir(handle)  # noqa: PTH208 - the folder that is locked, whatever its name is now
        parts = [name for name in names if (match := _PART.fullmatch(name)) and not _lives(int(match[1]))]
        for name in parts:
            os.unlink(name, dir_fd=handle)
        if len(parts) == len(names):
            folder.rmdir()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def holds_nothing(folder: Path) -> bool:
    """True for the folder of a run that was killed before it had a manifest."""
    try:
        return all(_PART.fullmatch(name) for name in os.listdir(folder))  # noqa: PTH208
    except OSError:
        return False


def _utc(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def being_written(path: Path) -> bool:
    """True while the process that writes the run folder lives."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False
