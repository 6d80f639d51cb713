"""What has to be known beside the figures of systems in virtual time, a line for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.compare.instructions import NS
from rtgauge.compare.values import Column

PROTECTION = ("memory protection", "user mode")


def beside(columns: Sequence[Column]) -> Iterator[str]:
    """What virtual time is, and what systems do not protect against: their figures are without the price of it."""
    virtual = [column for column in columns if column.virtual]
    units = {column.configuration[NS] for column in virtual if NS in column.configuration}
    if len(units) == 1:
        yield f"virtual time counts instructions, each of which takes {min(units)} ns: caches and buses take none"
    for column in virtual:
        if len(units) > 1 and NS in column.configuration:
            yield f"{_name(column)}: an instruction takes {column.configuration[NS]} ns"
    for name in PROTECTION:
        told = [column for column in columns if name in column.configuration]
        if len({column.configuration[name] for column in told}) > 1:
            yield from (f"{name} of {_name(column)}: {column.configuration[name]}" for column in told)


def _name(column: Column) -> str:
    return column.label or column.name
