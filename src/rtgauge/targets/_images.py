"""A system that is linked with the engine, as two images: one without and one with time slicing, each for the tests
that need it, whose traces make one run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.address import Address
from rtgauge.lab.freertos.build import IMAGES, Image, Recipe, check_config, image_of
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.freertos.sources import sources
from rtgauge.lab.freertos.tools import compiler_of
from rtgauge.lab.machine import digest
from rtgauge.lab.storage import Storage, cache_root
from rtgauge.model import Descriptor, RunSpec, Trace
from rtgauge.targets._emulator import TAIL_LINES
from rtgauge.targets._engine import DESCRIBE_S, Starts
from rtgauge.targets._lab import LIST_BYTES, say, within
from rtgauge.targets._parts import Part, Room, bytes_of, parts_of
from rtgauge.targets._process import Converse
from rtgauge.targets.base import Ending, Sink, Stop

FIRST = next(iter(IMAGES))
LEAST_ROOM = Room(64, 8 << 10)


@dataclass(frozen=True)
class Way:
    """How an image is started, the clock of its limits, and what it wrote for people before it failed."""

    converse: Converse
    now: Callable[[], float]
    console: Callable[[], str]


@dataclass(frozen=True)
class Images(ABC):
    address: Address
    storage: Storage | None = None  # None: the user's
    this_machine: bool = False

    @property
    def name(self) -> str:
        return self.address.name

    @abstractmethod
    def _way(self, image: Image) -> Way:
        """To start that image."""

    @abstractmethod
    def _before_a_build(self) -> None:
        """TargetError where what is built could not be run."""

    def _varied(self, spec: RunSpec) -> RunSpec:
        return spec

    def run(
        self,
        spec: RunSpec,
        limits: Sequence[float],
        sink: Sink,
        stop: Stop,
        workspace: Path | None = None,  # noqa: ARG002 - an image has no files but its own
    ) -> Ending:
        endings: list[Ending] = []
        for part in parts_of(spec, limits, self._descriptors, self._room, bytes_of):
            if endings:
                sink(b"\0", ())  # ends a frame that the part before left unfinished
            endings.append(self._run(part, sink, stop))
            if endings[-1].signal is not None:
                break
        return _joined(endings)

    def _run(self, part: Part, sink: Sink, stop: Stop) -> Ending:
        way = self._way(self._image(part.image))
        starts = Starts(
            engine=Path(part.image),
            spec=self._varied(replace(part.spec, live=False)),  # whether somebody watches must not change anything
            limits=part.limits,
            sink=sink,
            stop=stop,
            workspace=None,
            converse=way.converse,
            now=way.now,
        )
        ending = starts.until_done()
        lines = [line for line in way.console().splitlines() if line.strip()][-TAIL_LINES:]
        notes = [f"the console of image {part.image}: {line}" for line in lines] if ending.deaths or ending.why else []
        return replace(ending, notes=(*ending.notes, *notes))

    def _list(self) -> bytes:
        """What the engine says of itself, asked once."""
        from rtgauge.trace.writer import encode_list_request

        image = self._image(FIRST)
        noted = self._storage.noted("lists", image.sha256)
        known = self._storage.get(str(noted.get("sha256"))) if noted else None
        if known is not None:
            return known
        chunks: list[bytes] = []
        ended = self._way(image).converse(
            Path(), encode_list_request(), chunks.append, within(DESCRIBE_S), Stop(), LIST_BYTES, None
        )
        if ended.status or ended.ours:
            said = f" ({ended.stderr.strip().splitlines()[-1]})" if ended.stderr.strip() else ""
            where = f"the image for {self.address.board.name}"
            raise TargetError(f"{where} {ended.what}{said} and did not describe its tests")
        listed = b"".join(chunks)
        self._storage.note("lists", image.sha256, {"sha256": self._storage.put(listed)})
        return listed

    # ---- what it is made of -----------------------------------------------------------------------------------------

    @property
    def _storage(self) -> Storage:
        return self.storage or Storage(cache_root())

    @cached_property
    def _recipe(self) -> Recipe:
        board = self.address.board
        recipe = Recipe(
            sources=sources(),
            board=board.name,
            compiler=compiler_of(board.compiler, board.compiler_package),
            kernel=kernel_of(self._storage, self.address.kernel, say),
            ns=board.ns_per_instruction,
            config=self.address.config,
        )
        check_config(recipe)
        return recipe

    @cached_property
    def _images(self) -> dict[str, Image]:
        """Those that were needed so far."""
        return {}

    def _image(self, name: str) -> Image:
        if name not in self._images:
            self._before_a_build()
            self._images[name] = image_of(self._storage, self._recipe, name, say)
        return self._images[name]

    @cached_property
    def _listed(self) -> Trace:
        from rtgauge.trace.reader import read_trace

        trace = read_trace(self._list())
        if not trace.complete or not trace.descriptors:
            raise TargetError(f"the image for {self.address.board.name} did not describe its tests: {trace.why}")
        return trace

    @cached_property
    def _descriptors(self) -> dict[str, Descriptor]:
        return {one.id: one for one in self._listed.descriptors}

    @cached_property
    def _room(self) -> Room:
        """As the image says it, else what every one has."""
        facts = self._listed.facts
        jobs, request = facts.get("most_jobs", LEAST_ROOM.jobs), facts.get("most_request", LEAST_ROOM.request)
        return Room(max(1, int(jobs)), int(request))

    @cached_property
    def _engine(self) -> str:
        """SHA-256 of what the figures depend on beside FreeRTOS and its options."""
        recipe = self._recipe
        made = {"sources": recipe.engine, "compiler": recipe.compiler.version}
        return digest(made)


def _joined(endings: Sequence[Ending]) -> Ending:
    """One ending of the run, of those of its parts."""
    whys = list(dict.fromkeys(_reasons(endings)))
    return Ending(
        deaths=tuple(death for one in endings for death in one.deaths),
        signal=next((one.signal for one in endings if one.signal is not None), None),
        why="; ".join(whys) or None,
        notes=tuple(note for one in endings for note in one.notes),
    )


def _reasons(endings: Sequence[Ending]) -> Iterator[str]:
    yield from (one.why for one in endings if one.why)
