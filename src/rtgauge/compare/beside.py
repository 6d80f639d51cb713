"""What has to be known beside the figures of systems in virtual time, a line for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.compare.parity import VIRTUAL
from rtgauge.compare.values import Column

PROTECTION = ("memory protection", "user mode")
_UNIT = VIRTUAL + "ns per instruction"


def beside(columns: Sequence[Column]) -> Iterator[str]:
    """What virtual time is, and what systems do not protect against: their figures are without the price of it."""
    virtual = [column for column in columns if column.virtual]
    units = {column.configuration[_UNIT] for column in virtual if _UNIT in column.configuration}
    if len(units) == 1:
        yield f"virtual time counts instructions, each of which takes {min(units)} ns: caches and buses take none"
    for column in virtual:
        if len(units) > 1 and _UNIT in column.configuration:
            yield f"{_name(column)}: an instruction takes {column.configuration[_UNIT]} ns"
    for name in PROTECTION:
        told = [column for column in columns if name in column.configuration]
        if len({column.configuration[name] for column in told}) > 1:
            yield from (f"{name} of {_name(column)}: {column.configuration[name]}" for column in told)


def _name(column: Column) -> str:
    return column.label or column.name
