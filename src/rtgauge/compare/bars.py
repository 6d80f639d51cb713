"""Bar charts: of one figure of a test, for all systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rtgauge.compare.quantity import TIME, common, in_unit, normal, shown_unit
from rtgauge.compare.values import Comparison, Figure, Row
from rtgauge.compare.words import cell_text, unit_of, variant

_LETTER, _SPACE = 0.033, 0.02  # widths in that of the narrowest axis a page has


@dataclass(frozen=True)
class Bars:
    """Of one figure of a test, for all systems on one axis that begins at zero. `bars`: row, system, text, length from
    0 to 1 of the axis, and whether it is the best. `ticks`: places on the axis with their labels, which are empty where
    there is no room."""

    unit: str
    bars: tuple[tuple[str, str, str, float, bool], ...]
    ticks: tuple[tuple[float, str], ...]


def bars(made: Comparison, id_: str, statistic: str) -> Bars | None:
    """The bar chart of one figure of a test; None where there is nothing to draw. Only times share an axis."""
    found = [
        (row, place, one)
        for row in made.shared
        if row.key.id == id_
        for place, cell in enumerate(row.cells)
        for one in _once(cell, statistic)
        if common(one.unit) == TIME and not one.unmeasurable
    ]
    values = [normal(Decimal(one.text), one.unit) for _, _, one in found]
    if not values or min(values) < 0 or max(values) == 0:
        return None
    unit = shown_unit(tuple(one.unit for _, _, one in found), max(values))
    end, ticks = _axis(float(in_unit(max(values), TIME, unit)))
    lengths = (float(in_unit(value, TIME, unit)) / end for value in values)
    drawn = tuple(
        (
            variant(row.key),
            made.columns[place].short,
            _bar_text(row, statistic, one),
            length,
            place in _best(row, statistic),
        )
        for (row, place, one), length in zip(found, lengths, strict=True)
    )
    return Bars(unit, drawn, _labelled([(tick / end, f"{tick:g} {unit}" if tick else "0") for tick in ticks]))


def _labelled(ticks: Sequence[tuple[float, str]]) -> tuple[tuple[float, str], ...]:
    """Without the labels for which the narrowest axis has no room; the first and the last, which ends there, stay."""
    kept, used = [], 0.0
    end = 1 - _wide(ticks[-1][1])
    for place, text in ticks[1:-1]:
        low, high = place - _wide(text) / 2, place + _wide(text) / 2
        there = low > used + _SPACE and high < end - _SPACE
        used = high if there else used
        kept.append((place, text if there else ""))
    return (ticks[0], *kept, ticks[-1])


def _wide(text: str) -> float:
    return len(text) * _LETTER


def _once(cell: Sequence[Figure], statistic: str) -> Iterable[Figure]:
    """A figure that was printed twice counts once."""
    return {(one.text, one.unit, one.qualifier): one for one in cell if one.statistic == statistic}.values()


def _bar_text(row: Row, statistic: str, one: Figure) -> str:
    unit = unit_of(row, statistic)
    return f"{cell_text((one,), statistic, unit)} {unit}".rstrip()


def _best(row: Row, statistic: str) -> tuple[int, ...]:
    return tuple(row.best.get(statistic, ()))


def _axis(largest: float) -> tuple[float, tuple[float, ...]]:
    """The end of an axis, not below `largest`, and where its ticks are: at 1, 2 or 5 times a power of ten."""
    rough = largest / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((factor * power for factor in (1, 2, 5) if factor * power >= rough), 10 * power)
    count = max(1, math.ceil(largest / step - 1e-9))
    return count * step, tuple(round(i * step, 12) if step < 1 else i * step for i in range(count + 1))
