"""What the analyser saw of a guest's interrupts, and how its readings compare with the guest's own.

For each interrupt that a handler of our kernel module served, it noted the count of executed instructions at four
readings of the clock: the last of the interrupted program, the first and the last of the handler, and the next of a
program. The guest's samples are the differences between such readings, by its clock.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rtgauge.model import Evidence, Result, Samples

MAGIC = 0x3153594C414E4152  # engine/plugin/analyser.h
LAST, ENTRY, EXIT, FIRST = range(4)
PLACES: Mapping[str, tuple[int, int]] = {
    "IRQ-P-LAT": (LAST, ENTRY),
    "IRQ-P-DLT": (EXIT, FIRST),
    "IRQ-P-TLT": (EXIT, FIRST),
}
"""Which two readings a test's samples lie between."""
INTERRUPTS_MOST = 200_000  # that are kept of a run
_HEADER, _RECORD = struct.Struct("<4Q"), np.dtype([("instructions", "<u8"), ("address", "<u8")])
_IN_STEP = 6  # samples whose distances must be those of the log before it is believed where they lie in it
_NEAR = 2  # instructions by which the distances may differ
_GIVEN_UP = 50  # samples in a row that are not found
_APART = 1 << 40  # instructions between the logs of two boots

Marks = npt.NDArray[np.int64]  # of each interrupt its four readings


@dataclass
class Analysis:
    marks: Marks
    lost: int  # interrupts that were not kept
    each_ns: int  # that an instruction takes
    at: int = 0  # the first that no test before has had


@dataclass(frozen=True)
class Log:
    marks: Marks = field(default_factory=lambda: np.empty((0, 4), np.int64))
    lost: int = 0


def read_log(raw: bytes) -> Log:
    """The interrupts of one boot. What is no log has none."""
    if len(raw) < _HEADER.size:
        return Log()
    magic, room, written, lost = _HEADER.unpack_from(raw)
    whole = (len(raw) - _HEADER.size) // _RECORD.itemsize
    if magic != MAGIC or written > room:
        return Log()
    records = np.frombuffer(raw, _RECORD, min(written, whole), _HEADER.size)
    programs = np.flatnonzero(records["address"] >> np.uint64(63) == 0)
    counts = records["instructions"].astype(np.int64)
    inside = np.diff(programs) > 2  # one reading of a module alone is no handler's
    before, after = programs[:-1][inside], programs[1:][inside]
    return Log(np.stack([counts[before], counts[before + 1], counts[after - 1], counts[after]], axis=1), int(lost))


def to_json(logs: Sequence[Log], each_ns: int) -> dict[str, str | int]:
    """The logs of all boots of a run, for its manifest."""
    parts, begin = [np.empty((0, 4), np.int64)], 0
    for log in logs:
        parts.append(log.marks + begin)
        begin = int(parts[-1][-1, FIRST]) + _APART if len(log.marks) else begin
    marks = np.concatenate(parts)
    kept = marks[:INTERRUPTS_MOST]
    packed = zlib.compress(np.diff(kept.ravel(), prepend=0).astype("<i8").tobytes(), 9)
    lost = sum(log.lost for log in logs) + len(marks) - len(kept)
    return {"marks": base64.b64encode(packed).decode(), "lost": lost, "ns_per_instruction": each_ns}


def from_json(content: Mapping[str, Any]) -> Analysis:
    """ValueError where it is damaged."""
    inflate = zlib.decompressobj()
    try:
        raw = inflate.decompress(base64.b64decode(str(content["marks"]), validate=True), INTERRUPTS_MOST * 32 + 1)
        if not inflate.eof:
            raise zlib.error("cut, or too long")
        marks = np.cumsum(np.frombuffer(raw, "<i8")).reshape(-1, 4).astype(np.int64)
        return Analysis(marks, int(content["lost"]), max(1, int(content["ns_per_instruction"])))
    except (KeyError, TypeError, zlib.error) as error:
        raise ValueError(f"the analyser's readings are damaged: {error!r}") from error


def readings(result: Result, samples: Samples | None, analysis: Analysis) -> tuple[Evidence, ...]:
    """What the analyser read of the interrupts of a test, beside the guest's own; nothing for tests of other things.
    Tests come in the order in which they ran."""
    places = PLACES.get(result.id)
    if places is None or samples is None or not samples.n:
        return ()
    if result.params.get("from") == "due":
        return (Evidence("analyser", "not supported: nothing is executed when an interrupt is due"),)
    start, stop = (analysis.marks[:, place] for place in places)
    ticks = analysis.each_ns / samples.scale  # of an instruction
    begun = np.rint(samples.raw.start.astype(np.int64) / ticks).astype(np.int64)
    found = _found(begun, start, analysis)
    there = found >= 0
    lost = (Evidence("analyser_lost", analysis.lost),) if analysis.lost else ()
    if not there.any():
        return (Evidence("analyser_interrupts", 0), *lost)
    own = np.rint(samples.raw.ticks[there] / ticks).astype(np.int64)
    read = (stop - start)[found[there]]
    apart = own - read
    return (
        Evidence("analyser_interrupts", int(there.sum())),
        Evidence("analyser_difference_least", int(apart.min()), "instructions"),
        Evidence("analyser_difference_most", int(apart.max()), "instructions"),
        Evidence("analyser_min", int(read.min()) * analysis.each_ns, "ns"),
        Evidence("analyser_median", round(float(np.median(read)) * analysis.each_ns), "ns"),
        Evidence("analyser_max", int(read.max()) * analysis.each_ns, "ns"),
        *lost,
    )


def _found(begun: Marks, log: Marks, analysis: Analysis) -> Marks:
    """Which interrupt of the log each sample is, -1 for none. Between two of them both count the same unless the guest
    slept: only the distances of starts are looked at, never what lies between start and stop."""
    found = np.full(len(begun), -1, np.int64)
    shift, missed = None, 0
    for place, when in enumerate(begun):
        at = None if shift is None else _at(log, when - shift, analysis.at)
        if at is None:
            at = _again(begun[place : place + _IN_STEP], log, analysis.at)
        if at is None:
            shift, missed = None, missed + 1
            if missed > _GIVEN_UP:
                break
            continue
        found[place], shift, missed = at, when - log[at], 0
        analysis.at = at + 1
    return found


def _at(log: Marks, count: int, begin: int) -> int | None:
    at = begin + int(np.searchsorted(log[begin:], count - _NEAR))
    return at if at < len(log) and log[at] <= count + _NEAR else None


def _again(begun: Marks, log: Marks, begin: int) -> int | None:
    """The first interrupt from which on the distances are those of the samples."""
    if len(begun) < _IN_STEP or begin >= len(log):
        return None
    fits = np.ones(len(log) - begin, bool)
    for later in begun[1:] - begun[0]:
        wanted = log[begin:] + later
        at = np.searchsorted(log, wanted - _NEAR)
        fits &= (at < len(log)) & (log[np.minimum(at, len(log) - 1)] <= wanted + _NEAR)
    places = np.flatnonzero(fits)
    return begin + int(places[0]) if len(places) else None
