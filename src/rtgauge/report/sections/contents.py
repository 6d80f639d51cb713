"""All results on one page: status, quantity and extremes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rtgauge.findings.latency import batch
from rtgauge.report import display
from rtgauge.report.blocks import Badge, Cell, Column, Part, Section, Span, Table
from rtgauge.report.sections._checks import in_words
from rtgauge.report.view import Entry, RunView, lines

_COLUMNS = (
    Column("Test"),
    Column("Variant"),
    Column("Status"),
    Column("Samples", numeric=True),
    Column("Lost", numeric=True, optional=True),
    Column("Min", numeric=True),
    Column("Median", numeric=True, optional=True),
    Column("Avg", numeric=True),
    Column("Max", numeric=True),
    Column("Spread (time, logarithmic)", optional=True),
)


def section(run: RunView) -> Section:
    low, high = limits(run.entries)
    rows = tuple(
        row
        for id_, entries in run.groups
        for row in (_row(id_ if i == 0 else "", line, low, high) for i, line in enumerate(lines(entries)))
    )
    note = (
        f"Spread: from the smallest to the largest sample, the mark is the median, the broad part ends at the 99th "
        f"percentile; one axis for all rows, {display.quantity(low, 'ns')} to {display.quantity(high, 'ns')}."
        if high > low
        else ""
    )
    table = Table(_COLUMNS, rows, note=note, style="contents")
    return Section(50, Part("contents", "All results", (table,)), "Results")


def _row(id_: str, line: Sequence[Entry], low: float, high: float) -> tuple[Cell | Badge | Span, ...]:
    """One result, or several that are told together."""
    entry, result = line[0], line[0].result
    head = (
        Cell(id_, href=entry.anchor),
        Cell(entry.variant or display.sentence(str(result.get("title") or "")), href=entry.anchor, tone="plain"),
        Badge(entry.status),
    )
    if not entry.has_figures:
        rest = len(_COLUMNS) - len(head)
        number = f"{len(line)} results: " if len(line) > 1 else ""
        return (*head, Cell(number + remark(entry), tone="muted", span=rest))
    quantity = (
        Cell(display.count(result.get("n")), numeric=True),
        Cell(display.count(result.get("lost")), tone="bad" if result.get("lost") else "muted", numeric=True),
    )
    return (*head, *quantity, *figures(entry, ("min", "median", "avg", "max")), span(entry, low, high))


def remark(entry: Entry) -> str:
    """What is said where a result has no figures."""
    return entry.line or display.micro(str(entry.result.get("reason") or "")) or in_words(entry.result)


def figures(entry: Entry, names: Sequence[str]) -> tuple[Cell, ...]:
    """These figures of a result in one unit; `< resolution` where the samples are unmeasurably small. The median of a
    batch carries that of one operation."""
    result = entry.result
    scale = display.scale_of(result)
    small = bool(result.get("unmeasurable"))
    every = {**(result.get("percentiles") or {}), **result}
    operations = batch(result.get("params"))

    def cell(name: str) -> Cell:
        if small and name != "max":
            return Cell("< resolution", tone="muted", numeric=True)
        value = every.get(name.removeprefix("p"))
        note = display.each(value, result.get("unit"), operations) if name == "median" else ""
        return Cell(scale.show(value), unit=scale.unit if value is not None else "", numeric=True, note=note)

    return tuple(cell(name) for name in names)


def limits(entries: Sequence[Entry]) -> tuple[float, float]:
    """Smallest and largest time above zero of all results: the axis that their spreads share."""
    values = [
        value
        for entry in entries
        if entry.has_figures and entry.result.get("unit") == "ns"
        for value in (entry.result["min"], entry.result["max"])
        if value is not None and math.isfinite(value) and value > 0
    ]
    return (min(values), max(values)) if values else (1.0, 1.0)


def span(entry: Entry, low: float, high: float) -> Cell | Span:
    result = entry.result
    if result.get("unit") != "ns" or result.get("unmeasurable") or not 0 < low < high or not result["max"] > 0:
        return Cell("")
    p99 = (result.get("percentiles") or {}).get("99")
    if result["median"] is None:
        return Cell("")
    values: tuple[float, ...] = (result["min"], result["median"], result["max"] if p99 is None else p99, result["max"])
    places = [math.log(max(v, low) / low) / math.log(high / low) for v in values]
    scale = display.scale_of(result)
    what = f"min {scale.show(values[0])}, median {scale.show(values[1])}, max {scale.show(values[3])} {scale.unit}"
    return Span(places[0], places[1], places[2], places[3], what)
