"""Figures of a test while it samples: only to be shown, so nothing in them is kept or computed with."""

from __future__ import annotations

from typing import Any

from rtgauge.trace.events import LiveLine, LiveRead
from rtgauge.trace.fields import FieldError
from rtgauge.trace.payload import typed_array

LINES_MAX = 256
BINS_MAX = 257
_COLUMNS = ("n", "min", "max", "sum", "last")


def read_live(record: dict[str, Any], series: int, unit: str, scale: float) -> LiveRead:
    """`scale`: `unit` for one tick. FieldError when the record is not what the format allows."""
    n, least, most, total, last = (_signed(record, key) for key in _COLUMNS)
    aux, bins, counts = (_unsigned(record, key) for key in ("aux", "bins", "counts"))
    if len({len(one) for one in (n, least, most, total, last, aux)}) != 1 or len(n) > LINES_MAX:
        raise FieldError("the lines are not typed arrays of equal length")
    if len(bins) != len(counts) or len(bins) > BINS_MAX or any(one >= BINS_MAX for one in bins):
        raise FieldError("bins and counts are not typed arrays of equal length")
    lines = tuple(
        LiveLine(n[i], least[i] * scale, total[i] / n[i] * scale, most[i] * scale, last[i] * scale, aux[i])
        for i in range(len(n))
        if n[i] > 0
    )
    edges = (bounds_of(one) for one in bins)
    return LiveRead(
        series, unit, lines, tuple((a * scale, b * scale, c) for (a, b), c in zip(edges, counts, strict=True))
    )


def bounds_of(place: int) -> tuple[float, float]:
    """From and to, in ticks, of a bin: the first holds zero and what is below, then four for each doubling."""
    if not place:
        return 0.0, 1.0
    doubling, quarter = divmod(place - 1, 4)
    return 2.0**doubling * (4 + quarter) / 4, 2.0**doubling * (5 + quarter) / 4


def _signed(record: dict[str, Any], key: str) -> list[int]:
    return [one - (1 << 64) if one >> 63 else one for one in _unsigned(record, key)]


def _unsigned(record: dict[str, Any], key: str) -> list[int]:
    column = typed_array(record.get(key))
    if column is None:
        raise FieldError(f"{key} is not a typed array")
    numbers: list[int] = column.tolist()
    return numbers
