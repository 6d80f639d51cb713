"""What a target accumulated instead of sending it: a head and parts, which make one checkpoint of one series.

A later checkpoint replaces the earlier one. One that is not whole is left out, and the one before it stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Accumulated, Extreme, Pile
from rtgauge.trace.fields import INT_MAX, UINT_MAX, FieldError, choice, flag, mapping, uint
from rtgauge.trace.payload import typed_array

COUNT_MAX = 1 << 40
BINS_MAX = 1 << 24
_PARTS_MAX = 1 << 16
_EXTREMES_MAX = 64
_PILES = ("measured", "entered")


class AccumulatedBuilder:
    """Takes the records of one series; `latest` is its last whole checkpoint."""

    def __init__(self) -> None:
        self.latest: Accumulated | None = None
        self._head: dict[str, Any] = {}
        self._checkpoint, self._next, self._parts = -1, 0, 0
        self._extremes: tuple[Extreme, ...] = ()
        self._bins: dict[str, list[tuple[NDArray[Any], NDArray[Any]]]] = {}
        self._values: dict[str, list[NDArray[np.int64]]] = {}

    def take(self, record: dict[str, Any]) -> bool:
        """Takes one part; True when it was the last one and `latest` is new. FieldError when it does not fit."""
        checkpoint, part = uint(record, "checkpoint", most=COUNT_MAX), uint(record, "part", most=_PARTS_MAX)
        if part == 0:
            self._begin(record, checkpoint)
            return False
        if checkpoint != self._checkpoint or part != self._next:
            self._checkpoint = -1
            raise FieldError("a part of the checkpoint before it is missing")
        self._next += 1
        self._part(record)
        if self._next < self._parts:
            return False
        self._checkpoint = -1
        self.latest = self._whole()
        return True

    def _begin(self, record: dict[str, Any], checkpoint: int) -> None:
        self._checkpoint = -1
        self._parts = uint(record, "parts", most=_PARTS_MAX)
        if self._parts < 2:
            raise FieldError("a checkpoint has at least two parts")
        self._head, self._extremes = record, ()
        self._bins = {name: [] for name in _PILES}
        self._values = {name: [] for name in _PILES}
        self._checkpoint, self._next = checkpoint, 1

    def _part(self, record: dict[str, Any]) -> None:
        of = choice(record, "of", ("extremes", *_PILES))
        if of == "extremes":
            self._extremes = _extremes(record)
        elif "steps" in record:
            steps, counts = _column(record, "steps"), _column(record, "counts")
            if len(steps) != len(counts) or max(steps.dtype.itemsize, counts.dtype.itemsize) > 4:
                raise FieldError("steps and counts are not typed arrays of equal length")
            bins = uint(record, "from", most=BINS_MAX) + np.cumsum(steps.astype(np.int64))
            self._bins[of].append((bins, counts.astype(np.int64)))
        else:
            self._values[of].append(_signed(record, "values"))

    def _whole(self) -> Accumulated:
        head = self._head
        width, bins = uint(head, "width", most=1 << 48), uint(head, "bins", most=BINS_MAX)
        if not width or len(self._extremes) < 2:
            raise FieldError("a checkpoint without a width or extremes")
        made = Accumulated(
            first=uint(head, "first", most=COUNT_MAX),
            first_start=uint(head, "first_start", most=UINT_MAX),
            after_pause=flag(head, "after_pause"),
            at_ns=uint(head, "at"),
            measured=self._pile("measured", width, bins),
            entered=self._pile("entered", width, bins) if "entered" in head else None,
            largest=self._extremes[:-1],
            least=self._extremes[-1],
            lowest=_integer(head, "lowest"),
            highest=_integer(head, "highest"),
            pauses=uint(head, "pauses", most=COUNT_MAX),
            paused=uint(head, "paused"),
            overruns=uint(head, "overruns", 0, most=INT_MAX),
            odd=uint(head, "odd", 0, most=COUNT_MAX),
            dropped=uint(head, "dropped", 0, most=COUNT_MAX),
            width=width,
            bins=bins,
            beyond=uint(head, "beyond", most=BINS_MAX),
        )
        if not made.measured.count or made.largest[0].ticks != made.measured.max:
            raise FieldError("a checkpoint contradicts itself")
        return made

    def _pile(self, name: str, width: int, most: int) -> Pile:
        head = mapping(self._head.get(name), name)
        parts = self._bins[name]
        bins = np.concatenate([np.empty(0, np.int64), *(one for one, _ in parts)])
        counts = np.concatenate([np.empty(0, np.int64), *(one for _, one in parts)])
        values = np.sort(np.concatenate([np.empty(0, np.int64), *self._values[name]]))
        if len(bins) and (bins[-1] >= most or (np.diff(bins) <= 0).any()):
            raise FieldError("bins are not in order")
        if bool(((values >= 0) & (values < most * width)).any()):
            raise FieldError("a value beyond the bins is not beyond them")
        pile = Pile(
            count=uint(head, "count", most=COUNT_MAX),
            min=_integer(head, "min"),
            max=_integer(head, "max"),
            total=(_integer(head, "sum_high") << 32) + uint(head, "sum_low", most=UINT_MAX),
            bins=bins,
            counts=counts,
            values=values,
            dropped_below=uint(head, "dropped_below", most=COUNT_MAX),
            dropped_beyond=uint(head, "dropped_beyond", most=COUNT_MAX),
        )
        if int(counts.sum()) + len(values) + pile.dropped_below + pile.dropped_beyond != pile.count:
            raise FieldError("the counts of the bins contradict the number of samples")
        return pile


def _extremes(record: dict[str, Any]) -> tuple[Extreme, ...]:
    ticks, since = _signed(record, "values"), _signed(record, "since")
    index, start, aux = _column(record, "index"), _column(record, "start"), _column(record, "aux")
    if not 2 <= len(ticks) <= _EXTREMES_MAX or {len(one) for one in (since, index, start, aux)} != {len(ticks)}:
        raise FieldError("extremes are not typed arrays of equal length")
    if (np.diff(ticks[:-1]) > 0).any():
        raise FieldError("extremes are not in order")
    columns = zip(ticks.tolist(), start.tolist(), since.tolist(), index.tolist(), aux.tolist(), strict=True)
    return tuple(Extreme(*row) for row in columns)


def _column(record: dict[str, Any], key: str) -> NDArray[Any]:
    column = typed_array(record.get(key))
    if column is None:
        raise FieldError(f"{key} is not a typed array")
    return column


def _signed(record: dict[str, Any], key: str) -> NDArray[np.int64]:
    column = _column(record, key)
    if column.dtype.itemsize != 8:
        raise FieldError(f"{key} is not a typed array of 64 bits")
    return column.astype(np.uint64).view(np.int64)


def _integer(record: dict[str, Any], key: str) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not -INT_MAX - 1 <= value <= INT_MAX:
        raise FieldError(f"{key} is not a whole number of 64 bits")
    return value
