"""FreeRTOS's simulator as a program of this machine: whether a test works at all, in seconds and without an emulator.

Its tasks are threads of which one may run, switched by signals: their times say nothing of FreeRTOS anywhere. So there
are the behaviour tests only, and what they find counts for no comparison of times.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from rtgauge.lab.address import parse_here
from rtgauge.lab.freertos.build import Image
from rtgauge.targets._images import Images, Way
from rtgauge.targets._process import Exit, converse
from rtgauge.targets.base import Description, Stop

SUMMARY = "FreeRTOS's simulator on this machine: behaviour tests only, no times"
EXAMPLE = "posix:freertos"
BEHAVIOUR = "-B-"  # in the ids of tests of behaviour


def open_target(rest: str, _store: Path) -> SimulatorTarget:
    return SimulatorTarget(parse_here(rest))


@dataclass(frozen=True)
class SimulatorTarget(Images):
    exact: bool = False

    def describe(self) -> Description:
        trace = self._listed
        return Description(
            descriptors=tuple(one for one in trace.descriptors if BEHAVIOUR in one.id),
            engine=trace.engine,
            engine_path=self.address.name,
            engine_sha256=self._engine,
            memory=self.address.board.memory_mb << 20,
        )

    def reserved(self) -> AbstractContextManager[None]:
        return contextlib.nullcontext()  # nothing is timed

    def _way(self, image: Image) -> Way:
        program, said = self._program(image), [""]

        def converse_here(
            _engine: Path,
            request: bytes,
            take: Callable[[bytes], None],
            overdue: Callable[[], str | None],
            stop: Stop,
            most: int,
            folder: Path | None,
        ) -> Exit:
            ended = converse(program, request, take, overdue, stop, most, folder)
            said[0] = ended.stderr if ended.status or ended.ours else said[0]
            return ended

        return Way(converse_here, time.monotonic, lambda: said[0])

    def _before_a_build(self) -> None:
        """It runs where it is built."""

    def _program(self, image: Image) -> Path:
        """The image as a file that can be run."""
        path = self._storage.root / "programs" / image.sha256
        if not path.is_file() or path.read_bytes() != image.content:
            with self._storage.scratch() as folder, self._storage.writing():
                made = folder / path.name
                made.write_bytes(image.content)
                made.chmod(0o755)
                self._storage.folder("programs")
                made.replace(path)
        return path
