"""Beyond the maximum seen: the levels that extreme values tell, the conditions tested, or why nothing is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rtgauge.report import display
from rtgauge.report.blocks import Block, Bullets, Cell, Column, Figure, Item, Part, Row, Section, Table, Text
from rtgauge.report.view import Entry, RunView

_FARTHEST = 1e-9
_POINTS = 60  # of the curve beyond the maximum
_LEAD = (
    "What a test has not seen can be told only where the tail of its samples keeps certain conditions. They are tested "
    "first, and where one of them does not hold nothing is said. Probabilities are for one activation; the interval "
    "covers the uncertainty of the samples, not a cause that never came while they were taken, nor another load."
)


def section(run: RunView) -> Section | None:
    told = [(entry, found) for entry in run.entries if isinstance(found := entry.result.get("extremes"), Mapping)]
    if not told:
        return None
    blocks: list[Block] = [Text(_LEAD)]
    known = [(entry, found) for entry, found in told if not found.get("refused") and found.get("levels")]
    if known:
        blocks.append(_levels(known))
    refused = [(entry, found) for entry, found in told if found.get("refused")]
    if refused:
        blocks.append(Bullets(tuple(_refusals(refused)), "Nothing is said beyond the maximum of"))
    blocks += [_part(entry, found) for entry, found in told if len(found.get("conditions") or ()) > 2]
    return Section(55, Part("extremes", "Beyond the maximum seen", tuple(blocks)), "Beyond")


def _levels(known: Sequence[tuple[Entry, Mapping[str, Any]]]) -> Table:
    probabilities = sorted({one["probability"] for _, found in known for one in found["levels"]}, reverse=True)
    columns = [Column("Test"), Column("Samples", numeric=True), Column("Max seen", numeric=True)]
    for probability in probabilities:
        columns += [Column(f"Exceeded at {probability:g}", numeric=True), Column("Interval", numeric=True)]
    rows = tuple(tuple(_row(entry, found, probabilities)) for entry, found in known)
    sure = {f"{one['confidence']:.0%}" for _, found in known for one in found["levels"]}
    note = f"Intervals hold at {', '.join(sorted(sure))}; how often they do is in the documentation, by simulation."
    return Table(tuple(columns), rows, note=note)


def _row(entry: Entry, found: Mapping[str, Any], probabilities: Sequence[float]) -> Iterator[Cell]:
    scale = display.scale_of(entry.result)
    yield Cell(entry.name, href=entry.anchor)
    yield Cell(display.count(found["n"]), numeric=True)
    yield Cell(scale.show(found["max"]), unit=scale.unit, numeric=True)
    at = {one["probability"]: one for one in found["levels"]}
    for probability in probabilities:
        one = at.get(probability, {})
        low, estimate, high = (scale.show(one.get(name)) for name in ("low", "estimate", "high"))
        yield Cell(estimate, unit=scale.unit if one else "", numeric=True)
        yield Cell(f"{low} to {high}" if one else low, unit=scale.unit if one else "", numeric=True)


def _refusals(refused: Sequence[tuple[Entry, Mapping[str, Any]]]) -> Iterator[Item]:
    """One line for each result that has samples enough, and one for all others."""
    few = [entry for entry, found in refused if _broken(found) == ["samples"]]
    for entry, found in refused:
        if entry not in few:
            yield Item(f"{entry.name}: {found['refused']}.", links=(Cell("result", href=entry.anchor),))
    if few:
        names = ", ".join(dict.fromkeys(entry.name for entry in few))
        yield Item(f"Too few samples, so that only a longer run could tell: {names}.", tone="muted")


def _broken(found: Mapping[str, Any]) -> list[str]:
    return [str(one["name"]) for one in found.get("conditions") or () if not one["holds"]]


def _part(entry: Entry, found: Mapping[str, Any]) -> Part:
    figure = _figure(entry, found)
    table = _conditions(found)
    blocks: tuple[Block, ...] = (table,) if figure is None else (table, Row((figure,), "charts"))
    return Part(display.anchor("extremes", entry.anchor), entry.name, blocks, level=3)


def _conditions(found: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            Cell(str(one["name"])),
            Cell("yes", "good") if one["holds"] else Cell("no", "bad"),
            Cell(display.micro(str(one["what"]))),
        )
        for one in found["conditions"]
    )
    return Table((Column("Condition"), Column("Holds"), Column("What was found")), rows)


def _figure(entry: Entry, found: Mapping[str, Any]) -> Figure | None:
    """The tail that was seen, and from the maximum on the one that was fitted."""
    if found.get("refused") or not found.get("peaks"):
        return None
    n, threshold, shape, width = found["n"], found["threshold"], found["shape"], found["scale"]
    values = np.sort(np.array([*found["peaks"], *found.get("others", ())], np.float64))
    shares = np.arange(len(values), 0, -1) / n
    deep = np.log(found["exceedances"] / n) - np.log(np.geomspace(1 / n, _FARTHEST, _POINTS))
    fitted = threshold + width * (np.expm1(shape * deep) / shape if abs(shape) > 1e-6 else deep)
    beyond = fitted > values[-1]
    scale = display.scale_of(entry.result)
    return Figure(
        "tail",
        "The tail, and what was fitted to it",
        f"{display.count(len(values))} samples above the threshold, and beyond their maximum the estimate, which has "
        "the intervals told above.",
        f"time, {scale.unit}" if scale.unit else "value",
        "share of samples",
        np.concatenate([values, fitted[beyond]]) / scale.factor,
        np.concatenate([shares, np.geomspace(1 / n, _FARTHEST, _POINTS)[beyond]]),
        log=display.wide((float(values[0]), float(fitted[-1]))),
    )
