"""Diagrams: marks as one path of a vector drawing, axes as lines and labels. Computed are only places on paper."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rtgauge.report.blocks import Figure
from rtgauge.report.typeset import drawings
from rtgauge.report.typeset.axes import Axis, Floats, axis, marks
from rtgauge.report.typeset.metrics import Metrics
from rtgauge.report.typeset.paper import Room
from rtgauge.report.typeset.words import clean, cut_short, set_in

_GRID, _AXIS = "#dde3e8", "#7a8793"
_TALL = {"samples": 118.0, "histogram": 104.0, "tail": 104.0, "against": 104.0}
_TALL_SMALL = 62.0
_FEW = 150  # samples that are drawn larger: each is seen by itself


def figure(one: Figure, room: Room, metrics: Metrics) -> dict[str, Any]:
    """A diagram as wide as its room. Where its values cannot be drawn, its caption says so."""
    size = 6.5 if room.small else 7.5
    caption = {"title": set_in(one.title, room.width, size + 1, metrics, "bold")}
    node: dict[str, Any] = {"k": "figure", "width": room.width, "size": size, **caption}
    tall = _TALL_SMALL if room.small else _TALL[one.plot]
    drawn = _drawn(one, room.width, tall, size, metrics)
    told = one.caption if drawn else f"{one.caption} These values cannot be drawn."
    node["caption"] = set_in(told, room.width, size, metrics)
    beside = metrics.width(told, size) + metrics.width(one.x_label, size) + 10 < room.width
    return {**node, **drawn, "beside": beside, "alt": clean(f"{one.title}: {one.y_label} against {one.x_label}")}


def _drawn(one: Figure, width: float, tall: float, size: float, metrics: Metrics) -> dict[str, Any]:
    def wide(text: str) -> float:
        return metrics.width(text, size)

    x, y, z = _drawable(one)
    if x.size == 0:
        return {}
    upright = _upright(one, y, tall)
    if upright is None:
        return {}
    y_marks = marks(upright, wide, upright=True)
    left = max((wide(text) for _, text in y_marks), default=0.0) + 4
    across = _across(one, x, z, width - left - 4)
    if across is None or across.length < 20:
        return {}
    x_marks = marks(across, wide, upright=False)
    picture = _picture(one, across, upright, (x, y, z), (x_marks, y_marks))
    return {
        "svg": picture,
        "left": left,
        "wide": across.length,
        "tall": tall,
        "x": [[min(max(left + place - wide(text) / 2, 0.0), width - wide(text)), text] for place, text in x_marks],
        "y": [[place, text] for place, text in y_marks],
        "x_label": cut_short(one.x_label, width, size, metrics),
        "y_label": cut_short(one.y_label, width, size, metrics),
    }


def _drawable(one: Figure) -> tuple[Floats, Floats, Floats]:
    """x, y and upper ends without what is not finite, or has no place on a logarithmic axis."""
    with_ends = one.plot == "histogram"
    z = one.z if with_ends and one.z.size == one.x.size else one.x
    good = np.isfinite(one.x) & np.isfinite(one.y) & np.isfinite(z)
    if one.plot in {"histogram", "tail"}:
        good &= one.y > 0  # counts and shares are drawn logarithmically
    return one.x[good], one.y[good], z[good]


def _upright(one: Figure, y: Floats, tall: float) -> Axis | None:
    if one.plot == "histogram":
        low, high = min(float(y.min()), 1.0) * 0.7, max(float(y.max()), one.most or 1.0, 1.0) * 1.5
        return Axis(low, high, tall, True) if math.isfinite(high) else None
    return axis(float(y.min()), float(y.max()), tall, one.log or one.plot == "tail", floor=0.0)


def _across(one: Figure, x: Floats, z: Floats, length: float) -> Axis | None:
    log = one.log and one.plot in {"histogram", "tail"}
    low, high = one.span or (float(min(x.min(), z.min())), float(max(x.max(), z.max())))
    return axis(low, high, length, log)


def _picture(
    one: Figure,
    across: Axis,
    upright: Axis,
    values: tuple[Floats, Floats, Floats],
    at: tuple[list[tuple[float, str]], list[tuple[float, str]]],
) -> str:
    wide, tall = across.length, upright.length
    x, y, z = across.places(values[0]), tall - upright.places(values[1]), across.places(values[2])
    grid = "".join(f"M{place:.1f} 0v{tall:.1f}" for place, _ in at[0])
    grid += "".join(f"M0 {tall - place:.1f}h{wide:.1f}" for place, _ in at[1])
    marked = _bars(x, y, z, tall) if one.plot == "histogram" else _steps(x, y) if one.plot == "tail" else _dots(x, y)
    return drawings.svg(wide, tall, _path(grid, _GRID, 0.4), marked, _path(f"M0 0v{tall:.1f}h{wide:.1f}", _AXIS, 0.6))


def _path(way: str, stroke: str, width: float) -> str:
    return f'<path d="{way}" fill="none" stroke="{stroke}" stroke-width="{width}"/>' if way else ""


def _dots(x: Floats, y: Floats) -> str:
    """A small square for each sample; those that would cover each other exactly are one."""
    size = 2.0 if x.size <= _FEW else 1.0
    at = np.unique(np.column_stack((np.rint(x * 10), np.rint(y * 10))), axis=0) / 10
    return _path("".join(f"M{a - size / 2:.2f} {b:.1f}h{size}" for a, b in at.tolist()), drawings.SOFT, size)


def _bars(x: Floats, y: Floats, z: Floats, tall: float) -> str:
    width = np.maximum(z - x - np.where(z - x > 3, 0.6, 0.0), 0.7)
    ways = zip(x.tolist(), y.tolist(), width.tolist(), strict=True)
    way = "".join(f"M{a:.1f} {tall:.1f}V{b:.1f}h{c:.1f}V{tall:.1f}z" for a, b, c in ways)
    return f'<path d="{way}" fill="#6f9cc4"/>'


def _steps(x: Floats, y: Floats) -> str:
    """The share falls where a sample lies; the ten largest are marked."""
    points = list(zip(x.tolist(), y.tolist(), strict=True))
    way = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f"H{a:.1f}V{b:.1f}" for a, b in points[1:])
    return _path(way, drawings.SOFT, 0.9) + _path(
        "".join(f"M{a - 1:.1f} {b:.1f}h2" for a, b in points[-10:]), drawings.INK, 2
    )
