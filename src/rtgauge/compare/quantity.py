"""Figures in units that are equal for all systems, exact to the printed digit."""

from __future__ import annotations

from decimal import Decimal

# Unit as printed -> common unit, and how many of these it is.
_UNITS = {
    "ns": ("ns", Decimal(1)),
    "us": ("ns", Decimal(10) ** 3),
    "ms": ("ns", Decimal(10) ** 6),
    "s": ("ns", Decimal(10) ** 9),
    "min": ("ns", Decimal(60) * 10**9),
    "h": ("ns", Decimal(3600) * 10**9),
    "Hz": ("Hz", Decimal(1)),
    "MHz": ("Hz", Decimal(10) ** 6),
    "B": ("B", Decimal(1)),
    "bytes": ("B", Decimal(1)),
    "KB": ("B", Decimal(1024)),
    "count": ("count", Decimal(1)),
    "1": ("count", Decimal(1)),
}
TIME = "ns"
MORE_IS_BETTER = ("MB/s", "1/s")
_SHOWN = {"ns": ("ns", "us", "ms", "s")}  # a table shows times in one of these


def common(unit: str) -> str:
    """The unit in which figures in `unit` are compared."""
    return _UNITS.get(unit, (unit, Decimal(1)))[0]


def normal(number: Decimal, unit: str) -> Decimal:
    """`number` in the common unit."""
    return number * _UNITS.get(unit, (unit, Decimal(1)))[1]


_WIDEST = Decimal(10) ** 5  # a figure of a line has no more digits before its point than fit below this


def shown_unit(units: tuple[str, ...], largest: Decimal, least: Decimal | None = None) -> str:
    """The unit for one line of a table as reads best for `largest` (in the common unit), a finer one where `least`
    would begin with zeros and the largest stays short; empty where the figures have no common unit."""
    every = tuple(dict.fromkeys(units))
    if len({common(unit) for unit in every}) != 1:
        return ""
    base = common(every[0])
    if len(every) == 1 and base != TIME:
        return every[0]
    steps = _SHOWN.get(base, (base,))
    sizes = {step: _UNITS.get(step, ("", Decimal(1)))[1] for step in steps}
    for step in reversed(steps):
        if abs(largest) >= sizes[step] and (least is None or 10 * least >= sizes[step]):
            return step
        finer = steps[max(0, steps.index(step) - 1)]
        if abs(largest) >= sizes[step] and abs(largest) >= _WIDEST * sizes[finer]:
            return step
    return steps[0]


def digits(number: Decimal, measured: bool) -> str:
    """Every digit of a printed figure, four of a measured one, without zeros at the end."""
    places = min(max(0, 3 - number.adjusted()), 6) if measured and number else None
    text = f"{number:f}" if places is None else f"{number:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def in_unit(number: Decimal, unit: str, wanted: str) -> Decimal:
    """`number` of `unit` in `wanted`, which has the same common unit."""
    return normal(number, unit) / _UNITS.get(wanted, (wanted, Decimal(1)))[1]
