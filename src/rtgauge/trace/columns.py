"""The samples of one series as they arrive, in as little memory as their number really needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Accumulated, ClockInfo, SeriesInfo, SeriesTrace
from rtgauge.trace.accumulated import AccumulatedBuilder
from rtgauge.trace.fields import FieldError, flag, uint
from rtgauge.trace.payload import typed_array

_FIRST_MAX = 1 << 40  # the index of a sample: more cannot be recorded
_INT32 = np.iinfo(np.int32)

Mark = tuple[int, int, int, int, Accumulated | None]


class Column:
    """An array that grows by a quarter. `resize` moves pages instead of copying them where the system can."""

    def __init__(self, kind: str) -> None:
        self.data: NDArray[Any] = np.empty(0, kind)
        self.n = 0

    def append(self, values: NDArray[Any]) -> None:
        end = self.n + len(values)
        if end > len(self.data):
            self.data.resize(max(end, len(self.data) * 5 // 4), refcheck=False)
        self.data[self.n : end] = values
        self.n = end

    def cut(self, n: int) -> None:
        self.n = min(self.n, n)

    def take(self) -> NDArray[Any]:
        """What was appended; the column must not be used afterwards."""
        self.data.resize(self.n, refcheck=False)
        return self.data


def tick_differences(
    start: NDArray[np.uint64], stop: NDArray[np.uint64], width: int, direction: int
) -> NDArray[np.int64]:
    """stop - start as a clock of `width` bits counts them: more than half of its range forward is a step backward."""
    forward = stop - start if direction > 0 else start - stop
    spare = np.int64(64 - width)
    signed = forward.view(np.int64)
    return (signed << spare) >> spare if spare else signed


class SeriesBuilder:
    """Collects the blocks of one series and knows which samples never arrived."""

    def __init__(self, info: SeriesInfo, clock: ClockInfo | None, keep: bool) -> None:
        self.info = info
        self._keep = keep
        self._clock = clock if info.source == "stamp" else None
        self._start, self._ticks, self._aux = Column("u8"), Column("i4"), Column("u2")
        self._next = 0  # index on the target of the next sample
        self._count = 0  # samples that arrived
        self._resumed: list[int] = []
        self._missing: list[tuple[int, int]] = []
        self._recorded = 0
        self._dropped = 0
        self._bits = 64
        self._accumulated = AccumulatedBuilder()

    def add(self, block: dict[str, Any]) -> NDArray[np.int64]:
        """Takes one block in and returns its ticks. FieldError when it does not fit; then nothing has changed."""
        start, stop = typed_array(block.get("start")), typed_array(block.get("stop"))
        aux = typed_array(block["aux"]) if "aux" in block else None
        first, resumed = uint(block, "first", most=_FIRST_MAX), flag(block, "resumed", False)
        if start is None or stop is None or len(start) != len(stop):
            raise FieldError("start and stop are not typed arrays of equal length")
        if "aux" in block and (aux is None or len(aux) != len(start) or aux.dtype.itemsize > 2):
            raise FieldError("aux is not a typed array of the same length")
        if first < self._next:
            raise FieldError(f"samples from {first} on, of which {self._next - first} came already")
        if not len(start):
            raise FieldError("no samples")
        self._bits = 8 * min(start.dtype.itemsize, stop.dtype.itemsize)
        ticks = self._ticks_of(start, stop)
        if first > self._next:
            self._missing.append((self._next, first - self._next))
        if resumed:
            self._resumed.append(self._count)
        if self._keep:
            self._store(start, ticks, aux)
        self._next = first + len(start)
        self._count += len(start)
        return ticks

    def _ticks_of(self, start: NDArray[Any], stop: NDArray[Any]) -> NDArray[np.int64]:
        if self.info.source == "value":
            return stop.astype(np.uint64).view(np.int64)
        width, direction = self._bits, 1
        if self._clock is not None:
            width, direction = min(width, self._clock.width), self._clock.direction
        return tick_differences(start.astype(np.uint64), stop.astype(np.uint64), width, direction)

    def _store(self, start: NDArray[Any], ticks: NDArray[np.int64], aux: NDArray[Any] | None) -> None:
        if self._ticks.data.dtype == np.int32 and (ticks.min() < _INT32.min or ticks.max() > _INT32.max):
            narrow, self._ticks = self._ticks, Column("i8")
            self._ticks.append(narrow.take())
        self._start.append(start)
        self._ticks.append(ticks)
        self._aux.append(np.zeros(len(start), np.uint16) if aux is None else aux)

    def accumulate(self, record: dict[str, Any]) -> Accumulated | None:
        """Takes a part of what the target accumulated; what it has accumulated so far when that is whole."""
        before = self._accumulated.latest
        if not self._accumulated.take(record):
            return None
        made = self._accumulated.latest
        if made is None or made.first < self._next:
            self._accumulated.latest = before
            raise FieldError("samples were both sent and accumulated")
        if made.first > self._next:
            self._missing.append((self._next, made.first - self._next))
            self._next = made.first
        self._dropped = made.dropped
        return made

    def ended(self, recorded: int, dropped: int) -> str | None:
        """Takes the target's own counts at the end of the test; a phrase when they contradict what arrived."""
        self._recorded, self._dropped = recorded, dropped
        made = self._accumulated.latest
        arrived = self._next if made is None else made.first + made.measured.count
        if recorded > arrived:
            self._missing.append((arrived, recorded - arrived))
            if made is None:
                self._next = recorded
        return None if recorded >= arrived else f"{arrived} samples arrived, {recorded} were recorded"

    def mark(self) -> Mark:
        """The state to which `back_to` can return."""
        return self._next, self._count, len(self._resumed), len(self._missing), self._accumulated.latest

    def back_to(self, mark: Mark) -> None:
        """Forgets what came after `mark`."""
        self._next, self._count, resumed, missing, self._accumulated.latest = mark
        for column in (self._start, self._ticks, self._aux):
            column.cut(self._count)
        del self._resumed[resumed:], self._missing[missing:]
        self._recorded = self._dropped = 0

    def build(self) -> SeriesTrace:
        """The whole series; the builder must not be used afterwards."""
        return SeriesTrace(
            info=self.info,
            start=self._start.take(),
            ticks=self._ticks.take(),
            aux=self._aux.take(),
            resumed=tuple(self._resumed),
            missing=tuple(self._missing),
            recorded=self._recorded,
            dropped=self._dropped,
            bits=self._bits,
            accumulated=self._accumulated.latest,
        )
