"""How rows and figures of a comparison read, the same in every format."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from rtgauge.compare.instructions import INSTRUCTIONS
from rtgauge.compare.quantity import TIME, common, digits, in_unit, normal, shown_unit
from rtgauge.compare.values import VERDICT, Difference, Figure, Key, Row
from rtgauge.units import format_value

NONE = "–"
_QUALIFIERS = {"approx": "~", "<": "< ", ">": "> ", "<=": "≤ ", ">=": "≥ "}
# What a reader looks at first: test, parameters, part. One published figure of each of a system's main services.
_KEY_TESTS: tuple[tuple[str, dict[str, str], str], ...] = (
    ("CLK-P-DUR", {"clock-variant": "plain"}, "tick"),
    ("THR-P-SLS", {"threads": "2"}, ""),
    ("THR-P-SLS", {"threads": "128"}, ""),
    ("SEM-P-ARC", {"kind": "counting"}, "release"),
    ("MUT-P-ARC", {"protocol": "inherit"}, "release"),
    ("IRQ-P-LAT", {"from": "thread"}, ""),
    ("IRQ-P-TLT", {"waiters": "1"}, ""),
    ("IRQ-S-SUS", {"interrupts": "1000000000"}, ""),
    ("TMR-P-CYC", {}, ""),
    ("TMR-P-JIT", {}, ""),
    ("SYN-P-RTT", {"peers": "thread"}, "context-switch"),
    ("MSG-P-LAT", {"peers": "process"}, ""),
)


def is_key(row: Row) -> bool:
    """Whether a row belongs into the overview."""
    key, params = row.key, dict(row.key.params)
    if key.kind != "test" or key.check or not any(one.number is not None for cell in row.cells for one in cell):
        return False
    return any(
        (key.id, key.part) == (id_, part) and all(params.get(name) == value for name, value in wanted.items())
        for id_, wanted, part in _KEY_TESTS
    )


def variant(key: Key) -> str:
    """What tells a row from the others of its test; empty where there is nothing."""
    told = [f"{name} {value}" for name, value in key.params]
    told += [f"{name} {value}" for name, value in key.environment if (name, value) not in _USUAL]
    told += [key.check] if key.check else []
    return ", ".join([key.part, *told] if key.part else told)


def name_of(key: Key) -> str:
    """The test, and what tells the row from others of its test."""
    return " ".join(text for text in (key.id, variant(key)) if text)


_USUAL = (("load", "none"), ("cache", "hot"))


def unit_of(row: Row, statistic: str) -> str:
    """The unit in which a line shows its figures; empty where they have none in common."""
    found = [one for cell in row.cells for one in cell if one.statistic == statistic and one.number is not None]
    if not found:
        return ""
    sizes = [abs(normal(one.number, one.unit)) for one in found if one.number is not None]
    units = dict.fromkeys(one.unit for one in found)
    printed = {one.unit for one in found if one.printed}
    if len(printed) == 1 and len({common(unit) for unit in units}) == 1:
        return printed.pop()
    return shown_unit(tuple(units), max(sizes), min((size for size in sizes if size), default=None))


def cell_text(cell: Sequence[Figure], statistic: str, unit: str) -> str:
    """All figures of one kind in one cell, each with its qualifier and once; `*` marks one with a note."""
    marks: dict[str, str] = {}
    for one in cell:
        if one.statistic == statistic:
            text = figure_text(one, unit)
            marks[text] = "*" if one.note and not one.unmeasurable else marks.get(text, "")
    return " / ".join(text + mark for text, mark in marks.items()) or NONE


def figure_text(one: Figure, unit: str) -> str:
    """`unit`: to be shown in; empty for the figure's own, which is then told."""
    number = one.number
    if number is None:
        return one.text
    if one.unmeasurable:
        return "< resolution"
    if one.printed and unit in ("", one.unit):
        shown = one.text
    else:
        rounds = not one.printed and one.unit != INSTRUCTIONS
        shown = digits(in_unit(number, one.unit, unit or one.unit), rounds)
    return f"{_QUALIFIERS.get(one.qualifier, '')}{shown} {'' if unit else unit_text(one.unit)}".rstrip()


def measured_text(value: float, unit: str) -> str:
    """A measured figure in the unit that reads best, with the digits that tables have."""
    number = Decimal(repr(value))
    shown = shown_unit((unit,), normal(number, unit)) or unit
    return f"{digits(in_unit(number, unit, shown), True)} {unit_text(shown)}".rstrip()


def unit_text(unit: str) -> str:
    return "" if unit in ("count", "1") else unit


def statistic_text(statistic: str) -> str:
    return {"n": "samples", VERDICT: "behaviour", "unspecified": "not said which"}.get(statistic, statistic)


def difference_text(one: Difference) -> str:
    """`+1.2 us (x1.03, 95 % interval +0.1 us to +2.3 us)`."""
    shown = _signed(one.difference, one.unit)
    ratio = f"x{_ratio(one.ratio)}" if one.ratio is not None else ""
    if one.interval is None:
        basis = one.basis
    else:
        low, high = (_signed(end, one.unit) for end in one.interval)
        sure = "" if one.told_apart else ": may be none"
        basis = f"95 % interval {low} to {high}{sure}; {one.basis}"
    return f"{shown} ({', '.join(text for text in (ratio, basis) if text)})"


def _ratio(value: float) -> str:
    """Three digits, and more where these would be 1 though there is a difference."""
    texts = (f"{value:.{digits}g}" for digits in range(3, 16))
    return next((text for text in texts if float(text) != 1), "1")


def _signed(value: float, unit: str) -> str:
    text = format_value(value, TIME if unit == "ns" else unit)
    if text.lstrip("-").startswith("0 "):
        return text.lstrip("-")
    return text if text.startswith("-") else f"+{text}"
