"""Small drawings within lines of a table, as SVG of numbers only. Every kind differs in lightness, not in hue alone."""

from __future__ import annotations

from collections.abc import Iterable

from rtgauge.report.blocks import Bar, Dots, Span, Timeline

INK, SOFT, PALE, LINE, BAD = "#16202a", "#3f6f9f", "#9dbbd6", "#c9d3db", "#a3211a"
SPAN_HEIGHT, DOTS_HEIGHT, TIMELINE_HEIGHT = 9.0, 16.0, 13.0

_LOOKS = {  # from dark to light: what is to blame is dark
    "interrupt": "#7d1712",
    "thread": "#b8792a",
    "late": "#6f9cc4",
    "own": "#a9d3b6",
    "idle": "#dfe5ea",
    "gap": "#ffffff",
}


def svg(width: float, height: float, *inner: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}" height="{height:.1f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}">{"".join(inner)}</svg>'
    )


def rect(x: float, y: float, width: float, height: float, fill: str, stroke: str = "") -> str:
    edge = f' stroke="{stroke}" stroke-width="0.4"' if stroke else ""
    return f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}"{edge}/>'


def span(one: Span, width: float) -> str:
    """From the smallest to the largest sample; the broad part ends at the 99th percentile, the mark is the median."""
    low, middle, high, top = (1 + _within(place) * (width - 2) for place in (one.low, one.middle, one.high, one.top))
    return svg(
        width,
        SPAN_HEIGHT,
        rect(low, 4.0, max(top - low, 0.5), 1.0, SOFT),
        rect(low, 2.4, max(high - low, 0.8), 4.2, PALE),
        rect(middle - 0.6, 0.9, 1.2, 7.2, INK),
        rect(top - 0.4, 2.4, 0.8, 4.2, BAD),
    )


def dots(one: Dots, width: float) -> str:
    """A point for each run, upon the band within which runs are expected to lie."""
    inner = []
    if one.low is not None and one.high is not None:
        low, high = _within(one.low), _within(one.high)
        inner.append(rect(0, 14 - high * 12, width, max((high - low) * 12, 0.5), LINE))
    step = (width - 6) / max(len(one.places) - 1, 1)
    radius = 1.5 if len(one.places) <= 30 else 0.8
    for place, value in enumerate(one.places):
        if value is not None:
            x, y = 3 + place * step, 14 - _within(value) * 12
            inner.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius}" fill="{SOFT}"/>')
    return svg(width, DOTS_HEIGHT, *inner)


def timeline(one: Timeline, width: float) -> str:
    """What happened, from left to right; what interrupts stands higher."""
    return svg(width, TIMELINE_HEIGHT, rect(0, 3.2, width, 6.6, "#f3f5f7"), *_bars(one.bars, width))


def swatch(look: str) -> str:
    return svg(9, 7, rect(0.3, 0.3, 8.4, 6.4, _LOOKS.get(look, "#ffffff"), "#66727d"))


def _bars(bars: Iterable[Bar], width: float) -> Iterable[str]:
    for bar in bars:
        low, high = _within(bar.low) * width, _within(bar.high) * width
        y, height = (0.6, 11.8) if bar.upper else (3.2, 6.6)
        edge = "#66727d" if bar.look == "gap" else ""
        yield rect(low, y, max(high - low, 0.3), height, _LOOKS.get(bar.look, "#ffffff"), edge)


def _within(place: float) -> float:
    """A place on an axis from 0 to 1; one that is no number lies at its beginning."""
    return min(1.0, max(0.0, place)) if place == place else 0.0
