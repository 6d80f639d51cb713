"""Computes a stored run again from its trace and names whatever is not the same."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rtgauge.errors import StoreError
from rtgauge.store.compute import compute_stored
from rtgauge.store.files import open_stored, read_stored, sha256_of, why
from rtgauge.store.folder import KERNEL_CONFIG, MANIFEST, RESULTS, SAMPLES, hashed
from rtgauge.store.readers import LARGEST_RESULTS, read_manifest, run_state

MISMATCHES_MOST = 1000  # more are not listed
_FITTED = ("extremes", "rate")  # entries with figures of a fit
_FIT = 1e-4  # of such a figure


@dataclass(frozen=True)
class Verified:
    mismatches: tuple[str, ...]
    results: int  # computed again
    samples: int
    files: int  # hashed

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def verify(path: Path) -> Verified:
    """What differs, one line each. Raises StoreError when the manifest or the trace cannot be read at all."""
    manifest, changed = read_manifest(path)
    mismatches = [changed] if changed else []
    state = run_state(path, manifest)
    if state in ("running", "incomplete"):
        raise StoreError(f"{path.name} is {state}: there is nothing yet to compare with")
    if manifest.get("run") != path.name:
        mismatches.append(f"{MANIFEST}: it is that of run {manifest.get('run')}")
    mismatches += _hashes(path, manifest)
    computed = compute_stored(path, manifest)
    mismatches += _results(path, json.loads(json.dumps(computed.content)))
    mismatches += _samples(path, computed.series)
    samples = sum(one.n for one in computed.series if one is not None)
    files = len(manifest.get("files") or ())
    return Verified(tuple(mismatches[:MISMATCHES_MOST]), len(computed.content["results"]), samples, files)


def _hashes(path: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    files = manifest.get("files")
    names = hashed(manifest)
    if not isinstance(files, dict) or names[0] not in files:
        yield f"{MANIFEST}: it lists no files"
        return
    beside = KERNEL_CONFIG in files or (path / KERNEL_CONFIG).exists()
    for name in (*names, *([KERNEL_CONFIG] if beside else [])):
        wanted = files.get(name)
        try:
            if wanted is None:
                if (path / name).exists() or manifest.get("state") == "complete":
                    yield f"{name}: the manifest has no hash of it"
            elif _sha256(path / name) != wanted["sha256"]:
                yield f"{name}: its SHA-256 is not that of the manifest"
        except FileNotFoundError:
            yield f"{name}: it is missing"
        except (OSError, TypeError, KeyError) as error:
            yield f"{name}: its hash cannot be checked: {why(error) if isinstance(error, OSError) else error}"


def _sha256(path: Path) -> str:
    with open_stored(path) as file:
        return sha256_of(file)


def _results(path: Path, wanted: Mapping[str, Any]) -> Iterator[str]:
    try:
        raw = read_stored(path / RESULTS, LARGEST_RESULTS)
        if len(raw) > LARGEST_RESULTS:
            raise ValueError("it is too large to be one")
        stored = json.loads(raw)
    except FileNotFoundError:
        return  # said already
    except (OSError, ValueError, RecursionError) as error:
        yield f"{RESULTS}: it cannot be read: {why(error) if isinstance(error, OSError) else error}"
        return
    yield from (f"{RESULTS}: {where}" for where in _differences(stored, wanted, ""))


def _differences(stored: Any, wanted: Any, where: str, fitted: bool = False) -> Iterator[str]:
    """The places at which two JSON values differ. Numbers are equal only when they are the same to the last bit, but
    for those that a fit gave: its last digits differ between processors and libraries."""
    if isinstance(stored, dict) and isinstance(wanted, dict):
        for name in sorted({*stored, *wanted}):
            inner = f"{where}.{name}" if where else name
            if name not in stored:
                yield f"{inner} is missing"
            elif name not in wanted:
                yield f"{inner} is there, but does not follow from the trace"
            else:
                yield from _differences(stored[name], wanted[name], inner, fitted or name in _FITTED)
    elif isinstance(stored, list) and isinstance(wanted, list):
        if len(stored) != len(wanted):
            yield f"{where} has {len(stored)} entries, computed are {len(wanted)}"
        for index, (one, other) in enumerate(zip(stored, wanted, strict=False)):
            yield from _differences(one, other, f"{where}[{_label(index, other)}]", fitted)
    elif fitted and type(stored) is type(wanted) is float and math.isclose(stored, wanted, rel_tol=_FIT):
        return
    elif type(stored) is not type(wanted) or stored != wanted:
        yield f"{where} is {_short(stored)}, computed is {_short(wanted)}"


def _label(index: int, entry: Any) -> str:
    """A result is named by what it is, other entries by their number."""
    if isinstance(entry, dict) and isinstance(entry.get("id"), str) and isinstance(entry.get("params"), dict):
        return " ".join([entry["id"], *(f"{name}={value}" for name, value in entry["params"].items())])
    return str(index)


def _short(value: Any) -> str:
    try:
        text = json.dumps(value)
    except RecursionError:
        return "nested too deeply"
    return text if len(text) <= 80 else f"{text[:77]}..."


def _samples(path: Path, series: Any) -> Iterator[str]:
    from rtgauge.store.samples import differences

    if not (path / SAMPLES).exists():
        return  # said already
    try:
        with open_stored(path / SAMPLES) as file:
            yield from differences(file, series)
    except OSError as error:
        yield f"{SAMPLES}: it cannot be read: {why(error)}"
    except Exception as error:  # a damaged Parquet file raises errors of many kinds
        yield f"{SAMPLES}: it cannot be read: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
