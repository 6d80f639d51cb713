"""One result in full: figures, diagrams, the largest samples, what was found in them, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.findings.latency import batch
from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Column, Notice, Row, Table, Text, Tone
from rtgauge.report.sections._blame import blame_of
from rtgauge.report.sections._checks import checks_of
from rtgauge.report.sections._figures import FEW, figures_of
from rtgauge.report.sections._notes import notes_of
from rtgauge.report.view import Entry
from rtgauge.requirements.maximum import of_maximum

_PLAINLY = {
    "invalid": "Invalid: no number may come of this",
    "not-permitted": "Not permitted: nothing was measured",
    "not-supported": "Not supported by this system",
    "inconclusive": "Inconclusive: the samples do not decide",
}


def blocks_of(entry: Entry, like: Entry | None = None, large: bool = True, others: Sequence[Entry] = ()) -> list[Block]:
    """All that is known of one result, under its heading. `like`: an earlier part of the same job. `others`: the
    results of its test. Large diagrams are for the first of a test."""
    result = entry.result
    blocks: list[Block] = []
    if entry.status in _PLAINLY:
        blocks.append(plainly(entry, str(result.get("reason") or "No reason was recorded.")))
    elif result.get("reason"):
        blocks.append(Text(display.micro(str(result["reason"]))))
    checks = None if like is not None and _same_checks(entry, like) else checks_of(result)
    if checks is not None:
        blocks.append(checks)
    notes: list[Block] = list(notes_of(entry, like))
    if entry.has_figures:
        blocks += [_quantities(result), Text(display.micro(of_maximum(result)), tone="muted")]
        blocks += _remarks(entry, others)
        drawn = figures_of(entry, few=_few(result))
        if _few(result):
            notes = [*drawn, *notes]
        elif large:
            blocks += [figure for figure in drawn if figure.plot == "samples"]
            blocks.append(Row(tuple(figure for figure in drawn if figure.plot != "samples"), style="charts"))
        elif drawn:
            blocks.append(Row(tuple(drawn), style="small"))
    blocks += blame_of(entry)
    if notes:
        blocks.append(Row(tuple(notes), style="notes"))
    return blocks


def plainly(entry: Entry, reason: str) -> Notice:
    """Why a result holds no figures, or none to rely on."""
    hint = entry.status == "not-permitted" and "rtgauge doctor" not in reason
    todo = "Run rtgauge doctor: it says what is missing." if hint else ""
    tone: Tone = "bad" if entry.status in {"invalid", "not-permitted"} else "warn"
    return Notice(_PLAINLY.get(entry.status, entry.status), display.micro(reason), todo, tone=tone)


def draws(entry: Entry) -> bool:
    """Whether its diagrams can be large."""
    return entry.has_figures and not _few(entry.result) and entry.result["min"] != entry.result["max"]


def _few(result: Mapping[str, Any]) -> bool:
    return int(result.get("n") or 0) < FEW


def _same_checks(entry: Entry, like: Entry) -> bool:
    names = ("checks", "unchecked")
    return all((entry.result.get(name) or []) == (like.result.get(name) or []) for name in names)


def _remarks(entry: Entry, others: Sequence[Entry]) -> list[Block]:
    result = entry.result
    remarks: list[Block] = []
    if result["min"] == result["max"]:
        remarks.append(Text("Every sample has this value: there is nothing to draw.", tone="muted"))
    if result.get("unmeasurable"):
        step = display.quantity(result.get("resolution"), result.get("unit"))
        remarks.append(
            Text(
                "Unmeasurably small: more than half the samples lie within the overhead of the stamps plus one "
                f"step of the clock ({step}). No ratio is given.{_of_batch(entry, others)}",
                tone="warn",
            )
        )
    if entry.samples is None and result.get("imported") is not None:
        remarks.append(
            Text("The imported file holds no samples with their times: no diagram against time.", tone="muted")
        )
    elif entry.samples is None:
        remarks.append(Text("The samples could not be read again: no diagram against time.", tone="warn"))
    return remarks


def _of_batch(entry: Entry, others: Sequence[Entry]) -> str:
    """The figure of the same operation where many lie between two stamps."""
    mine = {**(entry.result.get("params") or {}), "batch": None}
    for other in others:
        params = other.result.get("params") or {}
        number = batch(params)
        if number > 1 and {**params, "batch": None} == mine and other.has_figures:
            figure = display.each(other.result.get("median"), other.result.get("unit"), number)
            return f" In batches of {number}: {figure} (median)."
    return ""


def _lost(lost: int | None) -> Cell:
    if lost is None:
        return Cell("unknown", tone="warn", numeric=True)
    return Cell(display.count(lost), tone="bad" if lost else "good", numeric=True)


def _time(seconds: float | None) -> str:
    return "unknown" if seconds is None else display.seconds(seconds)


def _quantities(result: Mapping[str, Any]) -> Table:
    """The table that every performance result has."""
    scale = display.scale_of(result)
    percentiles = result.get("percentiles") or {}
    small = bool(result.get("unmeasurable"))
    lost, negatives = result.get("lost"), result.get("negatives") or 0
    operations = batch(result.get("params"))

    def figure(value: Any, hidden: bool = small, each: int = 1) -> Cell:
        if hidden:
            return Cell("< resolution", tone="muted", numeric=True)
        unit = scale.unit if value is not None else ""
        return Cell(scale.show(value), unit=unit, numeric=True, note=display.each(value, result.get("unit"), each))

    columns: list[tuple[str, Cell]] = [
        ("Samples", Cell(display.count(result.get("n")), numeric=True)),
        ("Time", Cell(_time(result.get("exposure_s")), numeric=True)),
        ("Min", figure(result.get("min"), each=operations)),
        ("Avg", figure(result.get("avg"))),
        ("Max", figure(result.get("max"), hidden=False)),
        ("Median", figure(result.get("median"), each=operations)),
        *((f"p{name}", figure(value)) for name, value in percentiles.items() if name != "50"),
        ("First", figure(result.get("first"), hidden=False)),
        ("Lost", _lost(lost)),
    ]
    if result.get("max_after_first") is not None:
        columns.insert(-1, ("Max later", figure(result["max_after_first"], hidden=False)))
    if negatives:
        columns.append(("Below zero", Cell(display.count(negatives), tone="warn", numeric=True)))
    rows = (tuple(cell for _, cell in columns),)
    return Table(tuple(Column(name, numeric=True) for name, _ in columns), rows, style="figures")
