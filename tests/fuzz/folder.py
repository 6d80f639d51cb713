"""A small whole run folder, of which the fuzzer replaces one file or what is in its trace."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from rtgauge.store.compute import compute
from rtgauge.store.manifest import seal
from rtgauge.store.samples import write_samples
from rtgauge.trace import read_trace
from tests.fuzz import seeds
from tests.support.traces import frames


@cache
def whole_files() -> dict[str, bytes]:
    """The content of each file of a whole run."""
    trace = frames(seeds.traces()[0])
    manifest = seeds.manifest()
    computed = compute(read_trace(trace), seeds.spec(), manifest)
    parquet = io.BytesIO()
    write_samples(parquet, computed.series)
    files = {
        "trace.cbor": trace,
        "results.json": (json.dumps(computed.content, indent=1) + "\n").encode(),
        "samples.parquet": parquet.getvalue(),
        "log.txt": b"2026-03-01T10:15:00.000000Z begun\n",
    }
    return {**files, "manifest.json": seal({**manifest, "files": fingerprints(files)})}


def fingerprints(files: Mapping[str, bytes]) -> dict[str, Any]:
    return {name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()}


@contextmanager
def stored(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A store that holds one run of these files; the path of the run."""
    memory = "/dev/shm"
    store = Path(tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None))
    try:
        path = store / "runs" / seeds.manifest()["run"]
        path.mkdir(parents=True)
        for name, data in files.items():
            (path / name).write_bytes(data)
        yield path
    finally:
        shutil.rmtree(store)
