"""FreeRTOS on an emulated board, in exact virtual time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rtgauge.lab.defaults import in_a_guest
from rtgauge.lab.freertos.build import IMAGES, Image
from rtgauge.lab.machine import attached_line, board_words, digest, machine_line
from rtgauge.lab.systems import PROTECTS
from rtgauge.model import RunSpec
from rtgauge.targets import _board, _emulator
from rtgauge.targets._emulator_files import emulator_files, file_hash, version
from rtgauge.targets._images import FIRST, Images, Way
from rtgauge.targets._lab import emulator
from rtgauge.targets._process import Exit
from rtgauge.targets.base import Description, Stop

_STRIDE = 7  # bytes that a replica's request is longer: what follows begins at another phase of the tick


@dataclass(frozen=True)
class BoardTarget(Images):
    exact: bool = True

    def describe(self) -> Description:
        trace = self._listed
        return Description(
            descriptors=tuple(in_a_guest(one, self.address.board.image_source) for one in trace.descriptors),
            engine=trace.engine,
            engine_path=self.address.name,
            engine_sha256=self._engine,
            cpus=(0,),
            loads=trace.loads,
            memory=self._image(FIRST).sizes.get("samples", self.address.board.memory_mb << 19),
            virtual=self._identity(),
        )

    def reserved(self) -> AbstractContextManager[None]:
        return contextlib.nullcontext()  # what else runs there changes nothing

    def _way(self, image: Image) -> Way:
        """Limits are in seconds of the emulator's work: in one it executes less than this machine does."""
        watch, told, parent = _emulator.Watch(), _board.Told(), _board.place()

        def converse(
            _engine: Path,
            request: bytes,
            take: Callable[[bytes], None],
            overdue: Callable[[], str | None],
            stop: Stop,
            most: int,
            _folder: Path | None,
        ) -> Exit:
            return _board.converse(self._words, image.content, request, parent, watch, told, take, overdue, stop, most)

        return Way(converse, watch.now, lambda: told.console)

    def _varied(self, spec: RunSpec) -> RunSpec:
        """What the image is asked for, which it reads before anything else."""
        number = self.address.replica
        return replace(spec, environment={**spec.environment, "replica": "x" * _STRIDE * number}) if number else spec

    def _before_a_build(self) -> None:
        self._words("")

    def _words(self, image: str) -> list[str]:
        return [self._emulator, *board_words(self.address, image)]

    @cached_property
    def _emulator(self) -> str:
        return emulator(self.address.board)

    def _identity(self) -> dict[str, Any]:
        """All that the figures depend on beside the request, which is in the manifest as it is."""
        address, recipe = self.address, self._recipe
        found: dict[str, Any] = {
            "ns_per_instruction": address.board.ns_per_instruction,
            "system": address.system.name,
            "board": address.board.name,
            "processor": address.board.cpu.partition(",")[0],
            **PROTECTS[address.system.os],
            "machine": machine_line(address),
            "attached": attached_line(address),
            "emulator": version(self._emulator),
            "qemu": file_hash(Path(self._emulator)),
            "emulator_files": emulator_files(self._emulator, address.board),
            "kernel": recipe.kernel.sha256,
            "kernel_from": f"FreeRTOS {recipe.kernel.version}, {recipe.kernel.origin}",
            "kernel_options": " ".join(f"{name}={value}" for name, value in recipe.config) or "as the board has them",
            "compiler": recipe.compiler.version,
            "engine": self._engine,
            **{f"image_{name}": self._image(name).sha256 for name in IMAGES},
            "replica": address.replica,
        }
        return {**found, "configuration": digest(found)}
