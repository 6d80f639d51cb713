"""A run in parts that a board has room for: which image runs which job, and how many of them one start takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rtgauge.errors import UsageError
from rtgauge.model import Descriptor, Job, RunSpec

NEED, POLICY = "slicing", ("policy", "rr")  # of a test, or a parameter, that only an image with time slicing has

_SPARE = 2  # bytes by which a job can make a request longer than it is itself: the encoding of lengths


@dataclass(frozen=True)
class Room:
    """What a board can be asked for at once."""

    jobs: int
    request: int  # bytes


@dataclass(frozen=True)
class Part:
    """What one image is asked for."""

    image: str
    spec: RunSpec
    limits: tuple[float, ...]


def image_for(job: Job, descriptor: Descriptor | None) -> str:
    slicing = job.params.get(POLICY[0]) == POLICY[1] or (descriptor is not None and NEED in descriptor.needs)
    return "rr" if slicing else "fifo"


def parts_of(
    spec: RunSpec,
    limits: Sequence[float],
    descriptors: Mapping[str, Descriptor],
    room: Room,
    size: Callable[[RunSpec], int],
) -> tuple[Part, ...]:
    """The run in parts of one image each, as few as have room; of each the jobs in their order. `size`: bytes of the
    request. UsageError where one job alone has no room."""
    found: dict[str, list[int]] = {}
    for index, job in enumerate(spec.jobs):
        found.setdefault(image_for(job, descriptors.get(job.id)), []).append(index)
    return tuple(
        Part(image, replace(spec, jobs=tuple(spec.jobs[i] for i in some)), tuple(limits[i] for i in some))
        for image, every in sorted(found.items())
        for some in pieces_of(spec, every, room, size)
    )


def pieces_of(
    spec: RunSpec, indices: Sequence[int], room: Room, size: Callable[[RunSpec], int]
) -> Iterator[Sequence[int]]:
    """The jobs of these indices in their order, each piece as long as there is room. `size` and UsageError as above."""
    least = size(replace(spec, jobs=()))
    piece: list[int] = []
    taken = least
    for index in indices:
        more = size(replace(spec, jobs=(spec.jobs[index],))) - least + _SPARE
        if least + more > room.request:
            what = f"the request for {spec.jobs[index].id}"
            raise UsageError(f"{what} takes more than the {room.request} bytes of the board")
        if piece and (len(piece) == room.jobs or taken + more > room.request):
            yield piece
            piece, taken = [], least
        piece.append(index)
        taken += more
    if piece:
        yield piece


def bytes_of(spec: RunSpec) -> int:
    """Length of the request, the `size` of an engine of this version."""
    from rtgauge.trace.writer import encode_request

    return len(encode_request(spec))
