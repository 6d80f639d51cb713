"""Which of several figures is the best, where it is told apart from the others.

Figures of repeated runs are where the interval of their difference is without zero, at a confidence that many marks may
share, and they differ by a hundredth: what has nothing to do with them (where the kernel has put something) moves them
by less, but each time in the same way.

One run each says nothing of how whole runs scatter. In exact virtual time its figures are told apart all the same where
all its samples lie beyond all of the other's, there are enough on both sides, and the averages differ by more than such
a move (the average of few samples is moved by a tenth by where the tick falls). A maximum is too where so many of the
other's samples lie beyond it that they would hardly be the largest of all by chance.

What was printed counts as it stands. A maximum grows with the number of its samples, so that of few is never the best
beside that of many.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from decimal import Decimal
from math import prod

from rtgauge.compare.differences import welch
from rtgauge.compare.quantity import MORE_IS_BETTER, TIME, common, normal
from rtgauge.compare.values import Figure, Histogram, Row
from rtgauge.stats.between import FEWEST

_JUDGED = ("avg", "max")
# Parts that are a setting or a count, not a time that a program waits for.
_NOT_JUDGED = ("set-up", "exposure", "ratio", "hit-rate", "tick-outliers", "peak-period", "resolution", "bound")
_NEITHER = ("CAL-", "CLK-B", "SYS-", "MEM-")
_ENDLESS = Decimal("Infinity")
SAMPLES = 100  # of each of two single runs, from which their figures can be told apart
MOVED = Decimal("1.05")  # times the other's average: boot parameters moved those of so many samples by 1.0 % at most
SURE = 0.999  # of each interval: at CONFIDENCE one of twenty marks would be chance
_LEAST = Decimal("1.01")  # times the other, of repeated runs
_SHARE = Decimal("0.5")  # of the samples of the other that a maximum needs to stand beside it


def best(
    row: Row, grounds: Sequence[Hashable], exact: Sequence[bool] = (), samples: Sequence[Histogram | None] = ()
) -> Mapping[str, tuple[int, ...]]:
    """The columns with the best average and maximum among those on one ground, by statistic. `exact`: of each column,
    whether its time is exact virtual time; `samples`: those of the row, where they are known. Nothing is marked where a
    figure is alone, is only a bound that leaves it open, is too small for its clock, or is not told apart."""
    key = row.key
    if key.kind != "test" or key.check or key.part in _NOT_JUDGED or key.id.startswith(_NEITHER):
        return {}
    made = {}
    for statistic in _JUDGED:
        found: list[int] = []
        for ground in dict.fromkeys(grounds):
            group = [i for i, cell in enumerate(row.cells) if cell and grounds[i] == ground]
            figures = {i: _only(row.cells[i], statistic) for i in group}
            found += [i for i in _best(figures) if _stands_out(row, i, figures, statistic, exact, samples)]
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
    first = [i for i, (_, high) in spans.items() if all(high <= low for j, (low, _) in spans.items() if j != i)]
    return first if len(first) < len(there) else []  # where all are equal none is best


def _stands_out(
    row: Row,
    place: int,
    figures: Mapping[int, Figure | None],
    statistic: str,
    exact: Sequence[bool],
    samples: Sequence[Histogram | None],
) -> bool:
    """Whether one of the best is told apart from all others that are no better; equal ones share the place."""
    mine = figures[place]
    for other, its in figures.items():
        if other == place or mine is None or its is None or _same(mine, its):
            continue
        if statistic == "max" and _few(row, place, other, mine.unit):
            return False
        if not mine.values or not its.values:  # printed
            continue
        if min(len(mine.values), len(its.values)) >= FEWEST:
            apart = _differ(mine, its)
        else:
            apart = all(exact[i : i + 1] == [True] for i in (place, other)) and (
                _beyond(row.cells[place], row.cells[other])
                or (statistic == "max" and _exceeded(mine, _value(row.cells[place], "n"), samples[other : other + 1]))
            )
        if not apart:
            return False
    return True


def _differ(one: Figure, other: Figure) -> bool:
    """Whether figures of repeated runs lie further apart than whole runs scatter."""
    low, high = welch(one.values, other.values, SURE)
    values = [normal(abs(Decimal(figure.text)), figure.unit) for figure in (one, other)]
    return (low > 0 or high < 0) and max(values) >= _LEAST * min(values)


def _same(one: Figure, other: Figure) -> bool:
    return _span(one) == _span(other)


def _few(row: Row, place: int, other: int, unit: str) -> bool:
    """Whether the better extreme is of too few samples beside the other: of times the largest, which more samples can
    only raise; of rates the largest too, where that is the better one."""
    mine, its = (_value(row.cells[i], "n") for i in (place, other))
    if mine is None or its is None:
        return False
    return its < _SHARE * mine if unit in MORE_IS_BETTER else mine < _SHARE * its


def _beyond(mine: Sequence[Figure], its: Sequence[Figure]) -> bool:
    """Whether all samples of one lie beyond all of the other, and are enough."""
    told = [[_value(cell, name) for name in ("min", "max", "avg", "n")] for cell in (mine, its)]
    known = [[one for one in cell if one is not None] for cell in told]
    if any(len(cell) < 4 or cell[3] < SAMPLES for cell in known):
        return False
    (low, high, average, _), (least, most, other, _) = known
    return (high < least or most < low) and max(average, other) > MOVED * min(average, other)


def _exceeded(largest: Figure, n: Decimal | None, its: Sequence[Histogram | None]) -> bool:
    """Whether so many of the other's samples lie beyond the largest of n that they would be the largest of all by
    chance less often than SURE leaves, were all samples alike."""
    if n is None or n < SAMPLES or largest.unit in MORE_IS_BETTER or not its or its[0] is None or its[0].n < SAMPLES:
        return False
    bound, many = MOVED * normal(Decimal(largest.text), largest.unit), its[0].n
    beyond = sum(count for low, _, count in its[0].bins if normal(Decimal(repr(low)), its[0].unit) >= bound)
    return beyond > 0 and prod((many - i) / (many + int(n) - i) for i in range(beyond)) <= 1 - SURE


def _value(cell: Sequence[Figure], statistic: str) -> Decimal | None:
    one = _only(tuple(cell), statistic)
    return None if one is None else normal(Decimal(one.text), one.unit)


def _span(one: Figure) -> tuple[Decimal, Decimal]:
    """The least and the largest that it can be."""
    value = normal(Decimal(one.text), one.unit)
    if one.qualifier.startswith("<"):
        return Decimal(0), value
    return (value, _ENDLESS) if one.qualifier.startswith(">") else (value, value)
