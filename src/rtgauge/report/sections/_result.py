"""One result in full: figures, diagrams, the ten worst, what was found in the samples, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Column, Facts, Notice, Panel, Row, Table, Text, Tone
from rtgauge.report.sections._figures import figures_of
from rtgauge.report.view import Entry

_PLAINLY = {
    "invalid": "Invalid: no number may come of this",
    "not-permitted": "Not permitted: nothing was measured",
    "not-supported": "Not supported by this system",
    "inconclusive": "Inconclusive: the samples do not decide",
}
_ROLES = {"property": "must hold", "control": "negative control: must not hold", "report": "reported only"}


def blocks_of(entry: Entry) -> list[Block]:
    """All that is known of one result, under its heading."""
    result = entry.result
    blocks: list[Block] = []
    if entry.status in _PLAINLY:
        reason = str(result.get("reason") or "No reason was recorded.")
        todo = "Run rtgauge doctor: it says what is missing." if entry.status == "not-permitted" else ""
        tone: Tone = "bad" if entry.status in {"invalid", "not-permitted"} else "warn"
        blocks.append(Notice(_PLAINLY[entry.status], reason, todo, tone=tone))
    elif result.get("reason"):
        blocks.append(Text(str(result["reason"])))
    if result.get("checks") or result.get("unchecked"):
        blocks.append(_checks(result))
    if entry.has_figures:
        blocks.append(_quantities(result))
        if result.get("unmeasurable"):
            step = display.quantity(result.get("resolution"), result.get("unit"))
            blocks.append(
                Text(
                    "Unmeasurably small: more than half the samples lie within the overhead of the stamps plus one "
                    f"step of the clock ({step}). No ratio is given.",
                    tone="warn",
                )
            )
        drawn = figures_of(entry)
        blocks += [figure for figure in drawn if figure.plot == "samples"]
        rest = tuple(figure for figure in drawn if figure.plot != "samples")
        if rest:
            blocks.append(Row(rest, style="charts"))
        if entry.samples is None:
            blocks.append(Text("The samples could not be read again: no diagram against time.", tone="warn"))
    notes = tuple(panel for panel in _notes(entry) if panel is not None)
    if notes:
        blocks.append(Row(notes, style="notes"))
    return blocks


def _quantities(result: Mapping[str, Any]) -> Table:
    """The table that every performance result has."""
    scale = display.scale_for(result.get("median"), result.get("unit"))
    percentiles = result.get("percentiles") or {}
    small = bool(result.get("unmeasurable"))
    lost, negatives = result.get("lost") or 0, result.get("negatives") or 0

    def figure(value: Any, hidden: bool = small) -> Cell:
        if hidden:
            return Cell("< resolution", tone="muted", numeric=True)
        return Cell(scale.show(value), unit=scale.unit if value is not None else "", numeric=True)

    columns: list[tuple[str, Cell]] = [
        ("Samples", Cell(display.count(result.get("n")), numeric=True)),
        ("Min", figure(result.get("min"))),
        ("Avg", figure(result.get("avg"))),
        ("Max", figure(result.get("max"), hidden=False)),
        ("Median", figure(result.get("median"))),
        *((f"p{name}", figure(value)) for name, value in percentiles.items() if name != "50"),
        ("First", figure(result.get("first"), hidden=False)),
        ("Lost", Cell(display.count(lost), tone="bad" if lost else "good", numeric=True)),
    ]
    if result.get("max_after_first") is not None:
        columns.insert(-1, ("Max later", figure(result["max_after_first"], hidden=False)))
    if negatives:
        columns.append(("Below zero", Cell(display.count(negatives), tone="warn", numeric=True)))
    rows = (tuple(cell for _, cell in columns),)
    return Table(tuple(Column(name, numeric=True) for name, _ in columns), rows, style="figures")


def _checks(result: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for check in result.get("checks") or ():
        role, holds = str(check.get("role")), bool(check.get("holds"))
        good = {"property": holds, "control": not holds}.get(role)
        word = "holds" if holds else "does not hold"
        judged = {True: "as it must", False: f"but must{' not' if holds else ''}", None: ""}[good]
        tone = {True: "good", False: "bad", None: "plain"}[good]
        rows.append(
            (
                Cell(str(check.get("what") or check.get("name") or "–")),
                Cell(_ROLES.get(role, role), tone="muted"),
                Cell(f"{word}, {judged}" if judged else word, tone=tone),  # type: ignore[arg-type]
            )
        )
    for name, why in map(_pair, result.get("unchecked") or ()):
        rows.append((Cell(str(name)), Cell("could not be made", tone="warn"), Cell(str(why), tone="warn")))
    return Table((Column("Check"), Column("Role"), Column("Found")), tuple(rows))


def _pair(unchecked: Any) -> tuple[Any, Any]:
    if isinstance(unchecked, Mapping):
        return unchecked.get("name", "–"), unchecked.get("why", "–")
    name, why = unchecked
    return name, why


def _notes(entry: Entry) -> Iterable[Panel | None]:
    result = entry.result
    yield _worst(result)
    yield _found(result)
    yield _validity(result)
    yield _counters(result)


def _worst(result: Mapping[str, Any]) -> Panel | None:
    worst = result.get("worst") or ()
    if not worst:
        return None
    scale = display.scale_for(result.get("median"), result.get("unit"))
    rows = tuple(
        (
            Cell(scale.show(one["value"]), unit=scale.unit, numeric=True),
            Cell(display.moment(one.get("at")), unit="s", numeric=True),
            Cell("–" if one.get("cpu") is None else str(one["cpu"]), numeric=True),
            Cell(display.count(one.get("index")), numeric=True),
        )
        for one in worst
    )
    columns = (Column("Value", True), Column("At", True), Column("CPU", True), Column("Sample", True))
    return Panel("Ten worst" if len(rows) == 10 else "Worst", (Table(columns, rows),))


def _found(result: Mapping[str, Any]) -> Panel | None:
    """Clusters, period, analyses and synthetic samples."""
    if not result.get("n"):
        return None
    unit = str(result.get("unit") or "")
    blocks: list[Block] = []
    clusters = result.get("clusters") or ()
    if len(clusters) > 1:
        scale = display.scale_for(result.get("median"), unit)
        rows = tuple(
            (
                *(Cell(scale.show(band.get(name)), unit=scale.unit, numeric=True) for name in ("from", "median", "to")),
                Cell(display.count(band.get("count")), numeric=True),
            )
            for band in clusters
        )
        columns = tuple(Column(name, True) for name in ("From", "Median", "To", "Samples"))
        blocks.append(Table(columns, rows, title=f"{len(clusters)} bands of values"))
    facts = [] if len(clusters) > 1 else [("bands of values", Cell("one"))]
    period = result.get("period")
    if period:
        blocks.append(Facts((*facts, *_pairs(period, unit)), title="Period in the peaks"))
    else:
        blocks.append(Facts((*facts, ("period in the peaks", Cell("none found")))))
    for name, content in (result.get("analysis") or {}).items():
        blocks.append(Facts(_pairs(content, unit), title=f"Analysis: {_words(name)}"))
    if result.get("synthetic"):
        blocks.append(Facts(_pairs(result["synthetic"], unit), title="With skipped activations entered"))
    return Panel("Found in the samples", tuple(blocks))


def _validity(result: Mapping[str, Any]) -> Panel | None:
    rows: list[tuple[str, Cell]] = []
    if result.get("mode"):
        rows.append(("recording", Cell(str(result["mode"]))))
    if result.get("exposure_s") is not None and result.get("n"):
        rows.append(("exposure", Cell(display.seconds(result["exposure_s"]))))
    if result.get("overhead") is not None and result.get("source") == "stamp":
        rows.append(("subtracted overhead", Cell(display.quantity(result["overhead"], result.get("unit")))))
    if result.get("resolution") is not None:
        rows.append(("resolution", Cell(display.quantity(result["resolution"], result.get("unit")))))
    for line in result.get("evidence") or ():
        value, unit = line.get("value"), str(line.get("unit") or "")
        text = display.quantity(value, unit) if isinstance(value, int) and not isinstance(value, bool) else str(value)
        rows.append((_words(str(line.get("name", "–"))), Cell(text)))
    return Panel("Evidence of validity", (Facts(tuple(rows)),)) if rows else None


def _counters(result: Mapping[str, Any]) -> Panel | None:
    counters = result.get("counters") or {}
    if not counters:
        return None
    rows = tuple((_words(name), Cell(display.count(value))) for name, value in counters.items())
    return Panel("Counted during the test", (Facts(rows),))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _pairs(content: Any, unit: str) -> tuple[tuple[str, Cell], ...]:
    """The figures of an analysis; one level of figures within figures is shown as names in front."""
    if not isinstance(content, Mapping):
        return (("value", Cell(str(content))),)
    rows: list[tuple[str, Cell]] = []
    for name, value in content.items():
        if isinstance(value, Mapping):
            rows += [
                (_nested(name, inner), Cell(_figure(str(inner), one, unit, within=str(name))))
                for inner, one in value.items()
            ]
        else:
            rows.append((_words(str(name)), Cell(_figure(str(name), value, unit))))
    return tuple(rows)


def _nested(name: object, inner: object) -> str:
    return f"p{inner}" if name == "percentiles" else f"{_words(str(name))} {_words(str(inner))}"


# Figures of the analyses that are in the unit of the samples; all others are plain numbers or words.
_OF_ANALYSES = ("clean", "clean_spread", "typical", "worst", "longest", "per_sample", "total")
_IN_UNIT = frozenset(("slope", "low", "high", "at_from", "at_to", "min", "avg", "max", "median", *_OF_ANALYSES))


def _figure(name: str, value: Any, unit: str, within: str = "") -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(str(k))} {_figure(str(k), v, unit)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return " to ".join(_figure(name, one, unit) for one in value)
    if not isinstance(value, (int, float)):
        return str(value)
    if name in _IN_UNIT or within == "percentiles":
        return display.quantity(value, unit)
    if name.endswith("_s"):
        return display.quantity(value * 1e9, "ns")
    return display.count(value) if isinstance(value, int) else f"{value:.3g}"
