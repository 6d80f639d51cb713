"""How far measured figures lie apart, with an interval where whole runs were repeated.

The interval is Welch's for the difference of two means of runs: each run gives one value, since the samples of a run
are not independent (see stats.between). It assumes that the values of runs scatter about as a normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rtgauge.compare.parity import CLOCKED, TIME
from rtgauge.compare.values import Column, Difference, Figure, Row
from rtgauge.stats.between import CONFIDENCE, FEWEST

SIMULATED = "simulated"  # time that says nothing
COMPARED = ("avg", "median", "max")


def differences(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[Difference]:
    """Of each measured column against the first measured one."""
    measured = [i for i, column in enumerate(columns) if column.kind != "reference"]
    for index, row in enumerate(rows):
        for other in (i for i in measured[1:] if not _apart(columns[i], columns[measured[0]])):
            for statistic in COMPARED:
                mine, base = (_figure(row.cells[i], statistic) for i in (other, measured[0]))
                if mine is not None and base is not None and mine.unit == base.unit:
                    yield _difference(index, statistic, (other, measured[0]), mine, base)


def withheld(columns: Sequence[Column]) -> Iterator[str]:
    """Why measured columns are not set against the first measured one, a line for each."""
    measured = [column for column in columns if column.kind != "reference"]
    for other in measured[1:]:
        if name := _apart(other, measured[0]):
            pair = f"{other.name} and {measured[0].name}"
            if name == SIMULATED:
                yield f"{pair}: the times of a simulator say nothing, so no differences are told"
            else:
                yield f"{pair} differ in {name}, and virtual time is exact only between equals: no differences are told"


def _apart(one: Column, base: Column) -> str:
    """In what two columns differ that makes the difference of their figures meaningless; empty where in nothing. Real
    time on two platforms can be compared, with the difference of the platforms beside it."""
    if SIMULATED in (one.configuration.get(TIME), base.configuration.get(TIME)):
        return SIMULATED
    if not (one.virtual or base.virtual):
        return ""
    engine = ("engine",) if one.configuration.get("OS") == base.configuration.get("OS") else ()
    found = (n for n in (TIME, *CLOCKED, *engine) if one.configuration.get(n) != base.configuration.get(n))
    return next(found, "")


def _figure(cell: tuple[Figure, ...], statistic: str) -> Figure | None:
    found = next((one for one in cell if one.statistic == statistic and one.values), None)
    return None if found is None or found.unmeasurable else found


def _difference(index: int, statistic: str, columns: tuple[int, int], mine: Figure, base: Figure) -> Difference:
    repeated = min(len(mine.values), len(base.values)) >= FEWEST
    centres = [math.fsum(one.values) / len(one.values) if repeated else float(one.text) for one in (mine, base)]
    return Difference(
        row=index,
        statistic=statistic,
        column=columns[0],
        against=columns[1],
        unit=mine.unit,
        difference=centres[0] - centres[1],
        ratio=centres[0] / centres[1] if centres[1] > 0 else None,
        interval=welch(mine.values, base.values) if repeated else None,
        runs=(len(mine.values), len(base.values)),
    )


def welch(mine: Sequence[float], base: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of mean(mine) - mean(base) at `confidence`; both need at least two values. Without any spread it is
    the difference itself."""
    from rtgauge.stats.between import between

    one, other = between(mine), between(base)
    parts = one.sd**2 / len(mine), other.sd**2 / len(base)
    centre, variance = one.mean - other.mean, sum(parts)
    if variance == 0:
        return centre, centre
    freedom = variance**2 / (parts[0] ** 2 / (len(mine) - 1) + parts[1] ** 2 / (len(base) - 1))
    half = _student(freedom, confidence) * math.sqrt(variance)
    return centre - half, centre + half


def _student(freedom: float, confidence: float) -> float:
    from scipy.stats import t  # slow to import

    return float(t.ppf((1 + confidence) / 2, freedom))
