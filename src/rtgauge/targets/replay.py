"""A stored run as a target: its trace is read again, nothing is measured."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtgauge.errors import TargetError, UsageError
from rtgauge.model import Descriptor, RunSpec
from rtgauge.targets.base import Death, Description, Ending, Sink, Stop

SUMMARY = "a stored run, read again"
EXAMPLE = "replay:last"
_CHUNK = 1 << 18


def open_target(rest: str, store: Path) -> ReplayTarget:
    from rtgauge.store.places import find_run

    if not rest:
        raise UsageError("target replay needs a run: replay:RUN, e.g. replay:last")
    return ReplayTarget(find_run(rest, store))


@dataclass(frozen=True)
class ReplayTarget:
    path: Path
    this_machine: bool = False

    @property
    def name(self) -> str:
        return f"replay:{self.path.name}"

    def describe(self) -> Description:
        from rtgauge.store.manifest import spec_from_json
        from rtgauge.trace.reader import Reader

        manifest, reader = self._manifest(), Reader(keep_samples=False)
        for chunk in self._chunks():
            reader.feed(chunk)
        found: dict[str, Descriptor] = {}
        for test in reader.finish().tests:
            found.setdefault(test.descriptor.id, test.descriptor)
        engine = manifest.get("engine") or {}
        return Description(
            descriptors=tuple(found.values()),
            engine=str((manifest.get("versions") or {}).get("engine", "")),
            engine_path=str(engine.get("path", "")),
            engine_sha256=str(engine.get("sha256", "")),
            fixed=spec_from_json(manifest.get("spec")),
        )

    def reserved(self) -> AbstractContextManager[None]:
        return contextlib.nullcontext()

    def run(
        self,
        spec: RunSpec,  # noqa: ARG002
        limits: Sequence[float],  # noqa: ARG002
        sink: Sink,
        stop: Stop,
        workspace: Path | None = None,  # noqa: ARG002
    ) -> Ending:
        from rtgauge.trace.reader import Reader

        reader = Reader(keep_samples=False)
        for chunk in self._chunks():
            if stop.asked() is not None:
                break
            sink(chunk, tuple(reader.feed(chunk)))
        return Ending(deaths=_deaths(self._manifest()), signal=stop.asked())

    def _manifest(self) -> dict[str, Any]:
        from rtgauge.store.readers import read_manifest

        return read_manifest(self.path)[0]

    def _chunks(self) -> Iterator[bytes]:
        from rtgauge.store.files import open_stored, why
        from rtgauge.store.folder import TRACE

        try:
            with open_stored(self.path / TRACE) as file:
                while chunk := file.read(_CHUNK):
                    yield chunk
        except OSError as error:
            raise TargetError(f"cannot read {self.path / TRACE}: {why(error)}") from error


def _deaths(manifest: dict[str, Any]) -> tuple[Death, ...]:
    from rtgauge.store.manifest import deaths_from_json

    return tuple(Death(*death) for death in deaths_from_json(manifest.get("deaths")))
