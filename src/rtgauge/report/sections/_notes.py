"""What stands beside the figures of one result: the largest samples, and the evidence that they are valid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rtgauge.loads.words import told
from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Column, Facts, Panel, Table, Text
from rtgauge.report.sections._found import found_in, words
from rtgauge.report.view import Entry

_LONG = 18  # lines of evidence that stand in one column
_UNIT_WORDS = {"ns": "ns", "%": "percent"}  # as names carry them, where the value carries its unit as well

Result = Mapping[str, Any]
Rows = tuple[tuple[str, Cell], ...]


def notes_of(entry: Entry, like: Entry | None) -> Iterator[Panel]:
    """`like`: an earlier part of the same job, whose evidence is not printed again where it is the same."""
    result = entry.result
    panels = (_worst(result), found_in(result), _loads(result), _validity(result, like), _counters(result, like))
    return (panel for panel in panels if panel is not None)


def _worst(result: Result) -> Panel | None:
    worst = result.get("worst") or ()
    if not worst or (result.get("min") == result.get("max") and len(worst) > 1):
        return None
    scale = display.scale_for(result.get("median"), result.get("unit"))
    cpus = {one.get("cpu") for one in worst}
    rows = tuple(
        (
            Cell(scale.show(one["value"]), unit=scale.unit, numeric=True),
            Cell(display.moment(one.get("at")), unit="s", numeric=True),
            *([Cell("–" if one.get("cpu") is None else str(one["cpu"]), numeric=True)] if len(cpus) > 1 else []),
            Cell(display.count(one.get("index")), numeric=True),
        )
        for one in worst
    )
    cpu = [Column("CPU", True)] if len(cpus) > 1 else []
    columns = (Column("Value", True), Column("At", True), *cpu, Column("Sample", True))
    title = "All samples" if len(rows) == result.get("n") else "Ten worst" if len(rows) == 10 else "Worst"
    where = f", CPU {next(iter(cpus))}" if cpus != {None} and len(cpus) == 1 else ""
    return Panel(title + where, (Table(columns, rows),))


def _loads(result: Result) -> Panel | None:
    """What ran beside the test, and whether it was what was wanted."""
    loads = result.get("loads") or ()
    if not loads:
        return None
    rows = tuple((str(load["name"]), Cell(told(load), tone="plain" if load["reached"] else "warn")) for load in loads)
    return Panel("Loads beside the test", (Facts(rows),))


def _validity(result: Result, like: Entry | None) -> Panel | None:
    rows: list[tuple[str, Cell]] = []
    if result.get("mode"):
        rows.append(("recording", Cell(str(result["mode"]))))
    rows += _imported(result.get("imported") or {}, result.get("unit"))
    rows += _accumulated(result.get("accumulated") or {}, result.get("unit"))
    if result.get("exposure_s") is not None and result.get("n"):
        rows.append(("exposure", Cell(display.seconds(result["exposure_s"]))))
    if result.get("overhead") is not None and result.get("source") == "stamp":
        rows.append(("subtracted overhead", Cell(display.quantity(result["overhead"], result.get("unit")))))
    if result.get("resolution") is not None and result.get("source") != "value":
        rows.append(("resolution", Cell(display.quantity(result["resolution"], result.get("unit")))))
    if like is not None and _same(result, like.result, "evidence") and _same(result, like.result, "counters"):
        seen = Text(f"Evidence and counters are those of the same run as {like.variant or like.id}.", tone="muted")
        return Panel("Evidence of validity", (Facts(tuple(rows)), seen))
    lines = [_evidence(line) for line in result.get("evidence") or ()]
    return _counted("Evidence of validity", (*rows, *lines))


def _accumulated(kept: Mapping[str, Any], unit: Any) -> Iterator[tuple[str, Cell]]:
    """How the samples beyond the raw ones were kept."""
    if not kept:
        return
    yield "raw samples", Cell(f"the first {display.count(kept['raw'])}")
    yield "in bins", Cell(f"{display.count(kept['folded'])}, each {display.quantity(kept['bin'], unit)} wide")
    yield "bins reach to", Cell(display.quantity(kept["bins_to"], unit))
    dropped = kept["dropped"]
    yield "values beyond", Cell(f"{display.count(kept['beyond'])} kept, {display.count(dropped)} only counted")
    if kept["of_raw"]:
        yield "of the raw ones only", Cell(", ".join(str(one) for one in kept["of_raw"]))


def _imported(told: Mapping[str, Any], unit: Any) -> Iterator[tuple[str, Cell]]:
    """The bins of another program's file, and what lies beyond them."""
    if not told or told["bin"] is None:
        return
    outside = told["outside"]
    how = "as the file tells" if told["outside_told"] else "which the file counts in no bin"
    yield "in bins", Cell(f"{display.count(told['in_bins'])}, each {display.quantity(told['bin'], unit)} wide")
    yield "beyond the bins", Cell(f"{display.count(outside)}, {how}", tone="warn" if outside else "plain")


def _same(one: Result, other: Result, name: str) -> bool:
    return (one.get(name) or None) == (other.get(name) or None)


def _evidence(line: Mapping[str, Any]) -> tuple[str, Cell]:
    value, unit = line.get("value"), str(line.get("unit") or "")
    text = display.quantity(value, unit) if isinstance(value, int) and not isinstance(value, bool) else str(value)
    name = words(str(line.get("name", "–")))
    spare = _UNIT_WORDS.get(unit)
    return " ".join(word for word in name.split() if word != spare) or name, Cell(display.micro(text))


def _counters(result: Result, like: Entry | None) -> Panel | None:
    if like is not None and _same(result, like.result, "evidence") and _same(result, like.result, "counters"):
        return None
    counters = result.get("counters") or {}
    rows = tuple((words(str(name)), Cell(display.count(value))) for name, value in counters.items())
    return _counted("Counted during the test", rows)


def _counted(title: str, rows: Rows) -> Panel | None:
    """Names with their values; those that are zero in one line."""
    if not rows:
        return None
    zero = [name for name, cell in rows if cell.text == "0"]
    rest = tuple(row for row in rows if row[1].text != "0")
    blocks: list[Block] = [Facts(rest)] if rest else []
    if zero:
        blocks.append(Text(f"0: {', '.join(zero)}", tone="muted"))
    return Panel(title, tuple(blocks), wide=len(rest) > _LONG)
