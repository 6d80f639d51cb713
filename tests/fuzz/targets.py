"""What is fuzzed: each target takes any bytes, and fails only when an invariant of the reader is broken.

| target | input | path |
|---|---|---|
| stream | bytes of a trace | frames, reader |
| payload | one CBOR item | payload |
| records | payloads, framed with right checksums | reader, against a plain decoder |
| run | the same, in a run folder | reader, statistics, verdict, reports, verify |
| manifest, results | a JSON text, its hash made to fit | readers, reports, verify, catalogue |
| folder | one file of a run folder, hashes left as they were | the same |
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import cbor2

from rtgauge.errors import RtgaugeError
from rtgauge.report import render, view_of
from rtgauge.store.manifest import seal
from rtgauge.store.readers import open_run
from rtgauge.trace import Reader, read_trace
from rtgauge.trace.payload import PayloadError, decode_payload, typed_array
from tests.fuzz import seeds
from tests.fuzz.folder import fingerprints, stored, whole_files
from tests.fuzz.invariants import assert_from_blocks, assert_same, assert_shown_safely, assert_sound
from tests.fuzz.terminal import shown
from tests.support.traces import frame


def stream(data: bytes) -> None:
    trace = read_trace(data)
    assert_sound(trace, len(data))
    pieces = Reader()
    for at in range(0, len(data), 97):
        pieces.feed(data[at : at + 97])
    assert_same(trace, pieces.finish())


def payload(data: bytes) -> None:
    try:
        record = decode_payload(data)
    except PayloadError:
        return
    assert record == cbor2.loads(data, str_errors="replace")
    for value in record.values():
        typed_array(value)


def framed(data: bytes) -> tuple[bytes, list[bytes]]:
    number, made, payloads = -1, [], []
    for step, one in seeds.unpack(data):
        number = 0 if step == 255 else number + step
        made.append(frame(one, number % (1 << 32)))
        payloads.append(one)
    return b"".join(made), payloads


def records(data: bytes) -> None:
    raw, payloads = framed(data)
    trace = read_trace(raw)
    assert_sound(trace, len(raw))
    assert_from_blocks(trace, payloads)


def run(data: bytes) -> None:
    raw, _ = framed(data)
    manifest = {**seeds.manifest(), "files": fingerprints({"trace.cbor": raw})}
    use_folder({"trace.cbor": raw, "manifest.json": seal(manifest)})


def manifest(data: bytes) -> None:
    """Sealed again where it is a map, so that it is not refused for its digest alone."""
    try:
        content = json.loads(data)
        sealed = seal(content) if isinstance(content, dict) else data
    except (ValueError, RecursionError):
        sealed = data
    use_folder({**whole_files(), "manifest.json": sealed})


def results(data: bytes) -> None:
    files = {name: one for name, one in whole_files().items() if name != "manifest.json"} | {"results.json": data}
    use_folder({**files, "manifest.json": seal({**seeds.manifest(), "files": fingerprints(files)})})


def folder(data: bytes) -> None:
    name = seeds.FOLDER_FILES[data[0] % len(seeds.FOLDER_FILES)] if data else "manifest.json"
    use_folder({**whole_files(), name: data[1:]})


def use_folder(files: Mapping[str, bytes]) -> None:
    """Everything that a user can do with a run folder from elsewhere."""
    with stored(files) as path:
        before = sorted(path.iterdir())
        with contextlib.suppress(RtgaugeError):
            view = view_of(open_run(path))
            for format in ("html", "md", "json"):
                assert_shown_safely(format, render(view, format))
        store = path.parents[1]
        for command in (["show", str(path), "*"], ["verify", str(path)], ["list", "runs", "--store", str(store)]):
            assert_shown_safely("terminal", shown(*command))
        assert sorted(path.iterdir()) == before
        assert {one.name for one in store.iterdir()} <= {"runs", "catalogue.sqlite"}


TARGETS: dict[str, Callable[[bytes], Any]] = {
    one.__name__: one for one in (stream, payload, records, run, manifest, results, folder)
}
