"""What there is to be known of the lab's boards without starting one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rtgauge.errors import TargetError
from rtgauge.lab.freertos.build import IMAGES, Recipe, known
from rtgauge.lab.freertos.crate import is_there
from rtgauge.lab.freertos.elf import sizes
from rtgauge.lab.freertos.kernel import kernel_of
from rtgauge.lab.freertos.sources import catalogue, sources
from rtgauge.lab.freertos.tools import compiler_of
from rtgauge.lab.storage import Storage
from rtgauge.lab.systems import FREERTOS, Board, lab
from rtgauge.model import Descriptor, Trace

_EACH_A_THREAD = ("threads", "waiters")  # parameters that say how many threads a test has


@dataclass(frozen=True)
class Fit:
    """Of an image that was built: its sizes in bytes, and what of the catalogue has no room, with the reason."""

    sizes: Mapping[str, int]
    lacking: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class About:
    board: Board
    systems: tuple[str, ...]
    fit: Fit | None = None  # None: no image was built for it yet
    why: str = field(default="")  # there is none


def about_boards(storage: Storage) -> Iterator[About]:
    """In the order of the data. Builds and fetches nothing."""
    for board in lab().boards.values():
        own = [one for one in lab().systems.values() if board.name in one.boards]
        names = tuple(one.name for one in own)
        if not any(one.os == FREERTOS for one in own):
            yield About(board, names)
            continue
        try:
            fit = _fit(storage, board)
            why = "" if fit else f"not built yet: the first run of lab:{FREERTOS}@{board.name} does it"
            yield About(board, names, fit, why)
        except TargetError as error:
            yield About(board, names, None, str(error))


def recipe_of(storage: Storage, board: Board, say: Callable[[str], None]) -> Recipe:
    """Of the images as they are without any wish of the user's."""
    return Recipe(
        sources=sources(),
        board=board.name,
        compiler=compiler_of(board.compiler, board.compiler_package),
        kernel=kernel_of(storage, None, say),
        ns=board.ns_per_instruction,
    )


def _fit(storage: Storage, board: Board) -> Fit | None:
    if not is_there(storage):
        return None
    recipe = recipe_of(storage, board, lambda _text: None)
    found = [known(storage, recipe.key(name)) for name in IMAGES]
    image = next((one for one in found if one is not None), None)
    if image is None:
        return None
    told = sizes(image)
    listed = listed_by(storage, image)
    return Fit(told, tuple(_lacking(recipe, told, listed)) if listed else ())


def listed_by(storage: Storage, image: bytes) -> Trace | None:
    """What an image has said of its tests, when it was asked."""
    import hashlib

    from rtgauge.trace.reader import read_trace

    noted = storage.noted("lists", hashlib.sha256(image).hexdigest())
    content = storage.get(str(noted.get("sha256"))) if noted else None
    return None if content is None else read_trace(content)


def _lacking(recipe: Recipe, told: Mapping[str, int], listed: Trace) -> Iterator[tuple[str, str]]:
    there = {one.id: one for one in listed.descriptors}
    for test in catalogue(recipe.sources):
        if test not in there:
            yield test, "it is not part of the image: the board's processor lacks what it needs"
    thread = listed.facts.get("thread_bytes")
    heap = told.get("heap", 0)
    if isinstance(thread, int) and thread > 0 and heap:
        yield from _too_many(there.values(), heap // thread, heap, thread)


def _too_many(tests: Any, most: int, heap: int, thread: int) -> Iterator[tuple[str, str]]:
    """Of numbers of threads that are run by default, those for which there is no room."""
    test: Descriptor
    for test in sorted(tests, key=lambda one: one.id):
        for info in test.params:
            if info.name in _EACH_A_THREAD and info.kind == "number":
                for value in info.sweep.split():
                    if int(value) > most:
                        room = f"{value} threads of {thread} bytes do not fit into the heap of {heap}"
                        yield f"{test.id} {info.name}={value}", room
