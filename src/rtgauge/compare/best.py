"""Which of several figures is the best, where that is certain."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal

from rtgauge.compare.differences import welch
from rtgauge.compare.quantity import MORE_IS_BETTER, TIME, common, normal
from rtgauge.compare.values import Figure, Row
from rtgauge.stats.between import FEWEST

_JUDGED = ("avg", "max")
# Parts that are a setting or a count, not a time that a program waits for.
_NOT_JUDGED = ("set-up", "exposure", "ratio", "hit-rate", "tick-outliers", "peak-period", "resolution", "bound")
_NEITHER = ("CAL-", "CLK-B", "SYS-", "MEM-")
_ENDLESS = Decimal("Infinity")


def best(row: Row, grounds: Sequence[Hashable]) -> Mapping[str, tuple[int, ...]]:
    """The columns with the best average and maximum among those on one ground, by statistic. Nothing is marked where a
    figure is alone, is only a bound that leaves it open, is too small for its clock, or where repeated runs differ by
    no more than they scatter."""
    key = row.key
    if key.kind != "test" or key.check or key.part in _NOT_JUDGED or key.id.startswith(_NEITHER):
        return {}
    made = {}
    for statistic in _JUDGED:
        found: list[int] = []
        for ground in dict.fromkeys(grounds):
            group = [i for i, cell in enumerate(row.cells) if cell and grounds[i] == ground]
            found += _best({i: _only(row.cells[i], statistic) for i in group})
        if found:
            made[statistic] = tuple(sorted(found))
    return made


def _only(cell: tuple[Figure, ...], statistic: str) -> Figure | None:
    """The cell's figure of this kind; None where it has none, or several that are not equal."""
    found = {(normal(Decimal(one.text), one.unit), one.qualifier): one for one in cell if one.statistic == statistic}
    return next(iter(found.values())) if len(found) == 1 else None


def _best(figures: Mapping[int, Figure | None]) -> list[int]:
    there = {i: one for i, one in figures.items() if one is not None}
    units = {common(one.unit) for one in there.values()}
    if len(there) < 2 or len(units) != 1 or any(one.unmeasurable for one in there.values()):
        return []
    (unit,) = units
    if unit == TIME or unit == "cycles":
        spans = {i: _span(one) for i, one in there.items()}
    elif unit in MORE_IS_BETTER:
        spans = {i: (-high, -low) for i, (low, high) in ((i, _span(one)) for i, one in there.items())}
    else:
        return []
    first = [
        i
        for i, (_, high) in spans.items()
        if all(high <= low and _apart(there[i], there[j]) for j, (low, _) in spans.items() if j != i)
    ]
    return first if len(first) < len(there) else []  # where all are equal none is best


def _apart(one: Figure, other: Figure) -> bool:
    """Whether two figures differ by more than whole runs do. Of single runs and printed figures nobody knows."""
    if min(len(one.values), len(other.values)) < FEWEST:
        return True
    low, high = welch(one.values, other.values)
    return low > 0 or high < 0


def _span(one: Figure) -> tuple[Decimal, Decimal]:
    """The least and the largest that it can be."""
    value = normal(Decimal(one.text), one.unit)
    if one.qualifier.startswith("<"):
        return Decimal(0), value
    return (value, _ENDLESS) if one.qualifier.startswith(">") else (value, value)
