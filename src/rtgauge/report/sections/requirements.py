"""What was required of the system: each requirement with its ruling, why, on which exposure, and what that proves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Block, Bullets, Cell, Column, Item, Part, Section, Table, Text, Tone
from rtgauge.report.view import RunView
from rtgauge.requirements.words import percent, waiting

_TONES: Mapping[str, Tone] = {"met": "good", "not met": "bad", "inconclusive": "warn", "invalid": "bad"}
_COLUMNS = (
    Column("Requirement"),
    Column("Ruling"),
    Column("Result"),
    Column("Measured"),
    Column("Samples", numeric=True),
    Column("Time", numeric=True),
    Column("Rate of misses", numeric=True),
    Column("Missing to decide", optional=True),
)
_NOTE = (
    "A rate of misses is per sample: how often values lie above the limit of max. Counted, its bound is exact where "
    "samples are alike and independent of each other; what was not seen is not ruled out below it."
)
_RESULTS = 20  # of a requirement in the table; the JSON format has all


def section(run: RunView) -> Section | None:
    judged = run.results.get("requirements") or ()
    if not judged:
        return None
    rows = tuple(row for one in judged for row in _rows(run, one))
    blocks: list[Block] = [Table(_COLUMNS, rows, note=_NOTE), Bullets(tuple(_reasons(judged)), title="Why")]
    rulings = [str(one["ruling"]) for one in judged]
    told = ", ".join(f"{rulings.count(ruling)} {ruling}" for ruling in _TONES if ruling in rulings)
    lead = f"{len(judged)} {'requirement' if len(judged) == 1 else 'requirements'}: {told}."
    return Section(11, Part("requirements", "Requirements", (Text(lead), *blocks)), "Requirements")


def _rows(run: RunView, judged: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """A row for each result; one without any where nothing could be judged."""
    name = Cell(display.micro(str(judged["name"])))
    cases = judged["results"] or [{}]
    for place, case in enumerate(cases[:_RESULTS]):
        ruling = str(case.get("ruling") or judged["ruling"])
        yield (
            name if place == 0 else Cell(""),
            Cell(ruling, tone=_TONES.get(ruling, "warn")),
            _result(run, case),
            Cell(_measured(case) or "–"),
            Cell(display.count(case.get("samples")), numeric=True),
            Cell(_time(case), numeric=True),
            Cell(_rate(case.get("rate")), numeric=True),
            Cell(_missing(case.get("more")) or "–"),
        )
    if len(cases) > _RESULTS:
        yield (Cell(f"and {len(cases) - _RESULTS} more results", span=len(_COLUMNS)),)


def _result(run: RunView, case: Mapping[str, Any]) -> Cell:
    if not case:
        return Cell("none", tone="warn")
    environment, params = case["environment"], case["params"]
    found = [one for one in run.find(case["id"], params) if one.result.get("environment") == environment]
    words = display.micro(" ".join([case["id"], *(f"{name}={value}" for name, value in params.items())]))
    return Cell(words, href=found[0].anchor if found else "")


def _measured(case: Mapping[str, Any]) -> str:
    figures = case.get("figures") or {}
    return ", ".join(f"{name} {display.quantity(value, case.get('unit'))}" for name, value in figures.items())


def _time(case: Mapping[str, Any]) -> str:
    unknown = case.get("samples") is not None and case.get("exposure_s") is None
    return "unknown" if unknown else display.seconds(case.get("exposure_s"))


def _rate(rate: Mapping[str, Any] | None) -> str:
    if rate is None:
        return "–"
    bounds = f"{rate['low']:.2g} to {rate['high']:.2g}" if rate["low"] else f"below {rate['high']:.2g}"
    by = ", extreme values" if rate["by"] == "extreme values" else ""
    return f"{bounds} ({percent(rate['confidence'])}{by})"


def _missing(more: Mapping[str, Any] | None) -> str:
    if more is None:
        return ""
    took = "" if more["seconds"] is None else f", {waiting(more['seconds'])}"
    return f"{display.count(more['samples'])} samples{took}"


def _reasons(judged: Any) -> Iterator[Item]:
    """In words; of a requirement that is not met also what its exposure proves."""
    for one in judged:
        tone = _TONES.get(str(one["ruling"]), "warn")
        why = f" ({one['requirement']['why']})" if one["requirement"].get("why") else ""
        yield Item(display.micro(f"{one['name']}{why}: {one['reason']}"), tone=tone)
        for case in one["results"][:_RESULTS]:
            if case["proves"] and case["ruling"] != "met" and case["proves"].partition("; ")[0] not in one["reason"]:
                yield Item(display.micro(case["proves"]), tone="muted")
