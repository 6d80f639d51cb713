"""What was found in the samples of one result: bands, a period, analyses, skipped activations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Column, Facts, Panel, Table
from rtgauge.report.sections._figures import FEW

Rows = tuple[tuple[str, Cell], ...]


def found_in(result: Mapping[str, Any]) -> Panel | None:
    if not result.get("n") or result.get("imported"):  # nothing was looked for in what is no samples
        return None
    unit = str(result.get("unit") or "")
    silent = result.get("min") == result.get("max") or int(result["n"]) < FEW
    clusters = result.get("clusters") or ()
    period = result.get("period")
    blocks: list[Block] = [_bands(result, clusters)] if len(clusters) > 1 else []
    plain: Rows = () if silent or len(clusters) > 1 else (("bands of values", Cell("one")),)
    if period:
        blocks.append(Facts((*plain, *_pairs(period, unit)), title="Period in the peaks"))
    elif not silent:
        blocks.append(Facts((*plain, ("period in the peaks", Cell("none found")))))
    for name, content in (result.get("analysis") or {}).items():
        blocks.append(Facts(_pairs(content, unit), title=f"Analysis: {words(name)}"))
    if result.get("synthetic"):
        blocks.append(_skipped(result["synthetic"], unit))
    return Panel("Found in the samples", tuple(blocks)) if blocks else None


def _bands(result: Mapping[str, Any], clusters: Any) -> Table:
    scale = display.scale_for(result.get("median"), result.get("unit"))
    rows = tuple(
        (
            *(Cell(scale.show(band.get(name)), numeric=True) for name in ("from", "median", "to")),
            Cell(display.count(band.get("count")), numeric=True),
        )
        for band in clusters
    )
    columns = tuple(Column(name, True) for name in ("From", "Median", "To", "Samples"))
    unit = f", {scale.unit}" if scale.unit else ""
    return Table(columns, rows, title=f"{len(clusters)} bands of values{unit}")


def _skipped(synthetic: Mapping[str, Any], unit: str) -> Facts:
    if not synthetic.get("overruns") and not synthetic.get("entered"):
        return Facts((("skipped activations", Cell("none", tone="good")),))
    return Facts(_pairs(synthetic, unit), title="With skipped activations entered")


def _pairs(content: Any, unit: str) -> Rows:
    """The figures of an analysis; one level of figures within figures is shown as names in front."""
    if not isinstance(content, Mapping):
        return (("value", Cell(str(content))),)
    rows: list[tuple[str, Cell]] = []
    for name, value in content.items():
        if isinstance(value, Mapping):
            rows += [
                (_nested(name, inner), Cell(_figure(str(inner), one, unit, within=str(name))))
                for inner, one in value.items()
                if (name, inner) != ("percentiles", "50")  # the median, which stands by its name
            ]
        else:
            rows.append((words(str(name)).removesuffix(" hz"), Cell(_figure(str(name), value, unit))))
    return tuple(rows)


def _nested(name: object, inner: object) -> str:
    return f"p{inner}" if name == "percentiles" else f"{words(str(name))} {words(str(inner))}"


def words(name: str) -> str:
    return name.replace("_", " ")


# Figures of the analyses that are in the unit of the samples; all others are plain numbers or words.
_OF_ANALYSES = ("clean", "clean_spread", "typical", "worst", "longest", "per_sample", "total")
_IN_UNIT = frozenset(("slope", "low", "high", "at_from", "at_to", "min", "avg", "max", "median", *_OF_ANALYSES))


def _figure(name: str, value: Any, unit: str, within: str = "") -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{words(str(k))} {_figure(str(k), v, unit)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return " to ".join(_figure(name, one, unit) for one in value)
    if not isinstance(value, (int, float)):
        return str(value)
    if name in _IN_UNIT or within == "percentiles":
        return display.quantity(value, unit)
    if name.endswith("_s"):
        return display.quantity(value * 1e9, "ns")
    if name.endswith("_hz"):
        return display.quantity(value, "Hz")
    return display.count(value) if isinstance(value, int) else f"{value:.3g}"
