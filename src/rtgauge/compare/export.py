"""A comparison for other programs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rtgauge.compare.quantity import common, normal
from rtgauge.compare.values import Comparison, Difference, Figure, Row
from rtgauge.compare.words import is_key
from rtgauge.stats.between import CONFIDENCE

SCHEMA = 1


def to_json(made: Comparison) -> dict[str, Any]:
    """Every figure stands once, in `rows`; everything else points there. `common`: the figure in the unit in which all
    are compared (times in ns)."""
    names = [column.name for column in made.columns]
    return {
        "schema": SCHEMA,
        "systems": [
            {
                "name": column.name,
                "kind": column.kind,
                "runs": column.runs if column.kind != "reference" else None,
                "configuration": dict(column.configuration),
            }
            for column in made.columns
        ],
        "configuration_differs": [one.name for one in made.settings if one.differs],
        "rows": [_row(row, names) for row in made.rows],
        "overview": [i for i, row in enumerate(made.rows) if is_key(row)],
        "differences": [_difference(one, names) for one in made.differences],
        "confidence": CONFIDENCE,
        "notes": list(made.notes),
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
