"""A comparison for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from rtgauge.compare.distributions import Shared, distributions
from rtgauge.compare.parity import Parity
from rtgauge.compare.quantity import common, normal
from rtgauge.compare.values import Comparison, Difference, Figure, Row, Setting
from rtgauge.compare.words import is_key
from rtgauge.stats.between import CONFIDENCE

SCHEMA = 2


def to_json(made: Comparison) -> dict[str, Any]:
    """Every figure stands once, in `rows`; everything else points there. `common`: the figure in the unit in which all
    are compared (times in ns, whatever tables show). `parity.groups`: the systems that are ranked against each other;
    `ratings` of a system that stands alone are null."""
    from rtgauge.ratings import to_json as ratings_to_json

    names = [column.name for column in made.columns]
    ranked = {place for group in made.parity.groups if len(group) > 1 for place in group}
    return {
        "schema": SCHEMA,
        "systems": [
            {
                "name": column.name,
                "kind": column.kind,
                "runs": column.runs if column.kind != "reference" else None,
                "configuration": dict(column.configuration),
                "requirements": [asdict(one) for one in column.judged],
                "ratings": ratings_to_json(column.ratings) if column.ratings and place in ranked else None,
                "points": [{**asdict(one), "because": [dict(a) for a in one.because]} for one in column.points],
            }
            for place, column in enumerate(made.columns)
        ],
        "parity": _parity(made.parity, names),
        "conclusion": [{"rule": one.rule, "text": one.text, "rows": list(one.rows)} for one in made.conclusion],
        "configuration_differs": [one.name for one in made.settings if one.differs],
        "kernels": [{"name": one.name, "values": dict(zip(names, one.values, strict=True))} for one in made.kernels],
        "distributions": [_distribution(one, names) for one in distributions(made)],
        "rows": [_row(row, names) for row in made.rows],
        "ns_per_instruction": None if made.ns_per_instruction is None else _plain(made.ns_per_instruction),
        "overview": [i for i, row in enumerate(made.rows) if is_key(row)],
        "differences": [_difference(one, names) for one in made.differences],
        "confidence": CONFIDENCE,
        "notes": list(made.notes),
    }


def _distribution(one: Shared, names: list[str]) -> dict[str, Any]:
    """`row`: its place in `rows`. Bins: from, to, samples."""
    return {
        "row": one.row,
        "unit": one.unit,
        "from": one.low,
        "to": one.high,
        "systems": {names[place]: [list(each) for each in found.bins] for place, found in one.of},
    }


def _parity(parity: Parity, names: list[str]) -> dict[str, Any]:
    def told(settings: Sequence[Setting]) -> list[dict[str, Any]]:
        return [{"name": one.name, "values": dict(zip(names, one.values, strict=True))} for one in settings]

    return {
        "rules": parity.rules.source,
        "equal": list(parity.rules.names),
        "unknown_differs": parity.rules.strict,
        "drift": told(parity.drifts),
        "unknown": told(parity.unknown),
        "across": parity.across,
        "groups": [[names[place] for place in group] for group in parity.groups],
    }


def _row(row: Row, names: list[str]) -> dict[str, Any]:
    key, owners = row.key, row.owners
    return {
        "kind": key.kind,
        "test": key.id,
        "params": dict(key.params),
        "part": key.part or None,
        "check": key.check or None,
        "environment": dict(key.environment),
        "figures": [{"system": names[i], **_figure(one)} for i, cell in enumerate(row.cells) for one in cell],
        "best": {statistic: [names[i] for i in found] for statistic, found in row.best.items()},
        "only": names[owners[0]] if len(owners) == 1 and len(names) > 1 else None,
        "notes": list(row.notes),
    }


def _figure(one: Figure) -> dict[str, Any]:
    number = one.number
    made: dict[str, Any] = {"statistic": one.statistic}
    if number is None:
        made["value"] = one.printed.get("value", one.text)
        made["verdict"] = one.text
    else:
        made |= {"value": _plain(number), "common": _plain(normal(number, one.unit)), "common_unit": common(one.unit)}
    made |= {"unit": one.unit, "qualifier": one.qualifier, "note": one.note, "environment": dict(one.environment)}
    if one.printed:
        made["printed"] = {**one.printed, "value": one.printed["value"]}
    if one.values:
        made |= {"runs": list(one.values), "unmeasurable": one.unmeasurable}
    return made


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def _difference(one: Difference, names: list[str]) -> dict[str, Any]:
    return {
        "row": one.row,
        "statistic": one.statistic,
        "system": names[one.column],
        "against": names[one.against],
        "unit": one.unit,
        "difference": one.difference,
        "ratio": one.ratio,
        "interval": None if one.interval is None else list(one.interval),
        "basis": one.basis,
    }
