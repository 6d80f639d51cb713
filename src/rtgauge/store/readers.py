"""Stored runs as values. One reader for each schema version; what is damaged or missing is said, not hidden."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtgauge import __version__
from rtgauge.errors import StoreError
from rtgauge.store.content import checked, load_json
from rtgauge.store.files import open_stored, read_stored, why
from rtgauge.store.folder import IMPORTED, MANIFEST, RESULTS, TRACE, being_written, hashed
from rtgauge.store.manifest import LARGEST, spec_from_json, unseal

if TYPE_CHECKING:
    from rtgauge.model import RunSpec, Trace

LARGEST_RESULTS = 512 << 20  # bytes


@dataclass(frozen=True)
class StoredRun:
    """One run folder. `results` is the content of results.json, computed from the trace where the file is missing."""

    path: Path
    id: str
    manifest: Mapping[str, Any]
    results: Mapping[str, Any]
    complete: bool
    problems: tuple[str, ...]  # what is missing or damaged, one line each

    @property
    def state(self) -> str:
        """running, complete, interrupted, broken; `incomplete` when its writer was killed."""
        return run_state(self.path, self.manifest)

    def load_trace(self) -> Trace:
        """The trace, all that is whole in it. Raises StoreError when the file cannot be read, or there is none."""
        if self.manifest.get("imported") is not None:
            raise StoreError(f"run {self.id} was imported: it has no trace, its file is {self.path / IMPORTED}")
        return load_trace(self.path)

    def spec(self) -> RunSpec:
        """What was asked. Raises StoreError when the manifest does not say."""
        return spec_from_json(self.manifest.get("spec"))


def open_run(path: Path, quick: bool = False) -> StoredRun:
    """The run in folder `path`, complete or not. Raises StoreError when not even its manifest can be read.

    `quick`: results of a complete run by this very version that have the hash which its manifest tells are not held
    against their schema, which takes longer than all else. For callers that turn into a StoreError whatever breaks on
    their way: who makes up a whole folder can make up its hashes."""
    manifest, changed = read_manifest(path)
    schema = manifest.get("schema")
    reader = _READERS.get(schema) if type(schema) is int else None
    if reader is None:
        raise StoreError(f"{path / MANIFEST} has no schema version that this version reads")
    return reader(path, manifest, changed, quick)


def read_manifest(path: Path) -> tuple[dict[str, Any], str | None]:
    """See manifest.unseal; errors name the folder."""
    try:
        raw = read_stored(path / MANIFEST, LARGEST)
    except FileNotFoundError:
        raise StoreError(f"{path} is no run folder: it has no {MANIFEST}") from None
    except OSError as error:
        raise StoreError(f"cannot read {path / MANIFEST}: {why(error)}") from error
    try:
        content, changed = unseal(raw)
        return checked(content), changed
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from error
    except ValueError as error:
        raise StoreError(f"{path}: {MANIFEST} is damaged: {error}") from error


def run_state(path: Path, manifest: Mapping[str, Any]) -> str:
    state = str(manifest.get("state"))
    return "incomplete" if state == "running" and not being_written(path) else state


def load_trace(path: Path) -> Trace:
    from rtgauge.trace.reader import read_trace

    try:
        with open_stored(path / TRACE) as file:
            return read_trace(file)
    except OSError as error:
        raise StoreError(f"cannot read {path / TRACE}: {why(error)}") from error


def _read_1(path: Path, manifest: dict[str, Any], changed: str | None, quick: bool) -> StoredRun:
    problems = [changed] if changed else []
    state = run_state(path, manifest)
    if state != "complete":
        cause = manifest.get("why")
        problems.append(f"the run is {state}: {cause}" if cause else f"the run is {state}")
    if manifest.get("files") is not None:
        problems += _sizes(path, manifest["files"], hashed(manifest))
    ours = quick and not problems and (manifest.get("versions") or {}).get("rtgauge") == __version__
    results, missing = _results(path, manifest, checking=not ours)
    if results is None:
        source = "trace" if manifest.get("imported") is None else "imported file"
        problems.append(f"{missing}; its figures were computed again from the {source}")
        results = _recompute(path, manifest, problems)
    return StoredRun(
        path=path,
        id=str(manifest.get("run", path.name)),
        manifest=manifest,
        results=results,
        complete=state == "complete" and not problems,
        problems=tuple(problems),
    )


_READERS: dict[int, Callable[[Path, dict[str, Any], str | None, bool], StoredRun]] = {1: _read_1}


def _sizes(path: Path, files: object, names: Sequence[str]) -> list[str]:
    """Files that are missing or cut. Whether they are the same to the byte, `rtgauge verify` tells."""
    if not isinstance(files, dict):
        return ["manifest.json lists no files"]
    problems = []
    for name in names:
        if name not in files or name == RESULTS:
            continue
        try:
            status = (path / name).lstat()
        except OSError:
            problems.append(f"{name} is missing")
            continue
        wanted = files[name].get("bytes") if isinstance(files[name], dict) else None
        if not stat.S_ISREG(status.st_mode):
            problems.append(f"{name} is not a regular file")
        elif status.st_size != wanted:
            problems.append(f"{name} has {status.st_size} bytes, {wanted} were written")
    return problems


def _results(path: Path, manifest: Mapping[str, Any], checking: bool) -> tuple[dict[str, Any] | None, str]:
    """The content of results.json, or what is wrong with it, held against its schema where `checking`. What was damaged
    is computed again; what has its hash, and yet not its shape, is refused with StoreError, and so is what a newer
    program wrote."""
    from rtgauge.results import SCHEMA_VERSION, complaint_about

    file = path / RESULTS
    try:
        raw = read_stored(file, LARGEST_RESULTS)
        if len(raw) > LARGEST_RESULTS:
            return None, f"{RESULTS} is too large to be one"
        content = load_json(raw)
    except FileNotFoundError:
        return None, f"{RESULTS} is missing"
    except (OSError, ValueError):
        return None, f"{RESULTS} is damaged"
    if not isinstance(content, dict) or not isinstance(content.get("results"), list):
        return None, f"{RESULTS} is damaged"
    schema = content.get("schema")
    if isinstance(schema, int) and schema > SCHEMA_VERSION:
        raise StoreError(f"{file} has schema {schema}, this version reads up to {SCHEMA_VERSION}: use a newer rtgauge")
    about = (manifest.get("files") or {}).get(RESULTS)
    if about is not None and hashlib.sha256(raw).hexdigest() != about.get("sha256"):
        return None, f"{RESULTS} was changed after it was written"
    complaint = complaint_about(content) if checking or about is None else None
    if complaint is None:
        return content, ""
    if about is None:
        return None, f"{RESULTS} is damaged"
    raise StoreError(f"{file} is not what its schema says: {complaint}")


def _recompute(path: Path, manifest: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    """The results as far as the trace has them; an empty set when there is no trace."""
    from rtgauge.store.compute import compute_stored

    try:
        return compute_stored(path, manifest).content
    except StoreError as error:
        problems.append(str(error))
        return {"schema": 1, "run": manifest.get("run"), "target": manifest.get("target"), "system": {}, "results": []}
