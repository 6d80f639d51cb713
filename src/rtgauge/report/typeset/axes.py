"""Axes of diagrams: where their marks lie and what stands at them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rtgauge.report.display import NARROW

Floats = NDArray[np.float64]
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Axis:
    """From `low` to `high` over `length` points; logarithmic where both are above zero and that was asked for."""

    low: float
    high: float
    length: float
    log: bool = False

    def places(self, values: Floats) -> Floats:
        """Where these values lie, in points from `low`; those beyond an end lie at it."""
        if self.log:
            low, high = math.log(self.low), math.log(self.high)
            shares = (np.log(np.clip(values, self.low, self.high)) - low) / (high - low)
        else:
            shares = (np.clip(values, self.low, self.high) - self.low) / (self.high - self.low)
        places: Floats = shares * self.length
        return places


def axis(low: float, high: float, length: float, log: bool, floor: float | None = None) -> Axis | None:
    """An axis with a little room at its ends, but not below `floor`. None where the ends leave none to draw."""
    if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(high - low)):
        return None
    if log and low > 0:
        pad = max(math.exp((math.log(high) - math.log(low)) * 0.03), 1.03)
        return Axis(low / pad, high * pad, length, True) if math.isfinite(high * pad) and low / pad > 0 else None
    pad = (high - low) * 0.03 or abs(high) * 0.05 or 1.0
    begin = floor if floor is not None and low >= floor > low - pad else low - pad
    return Axis(begin, high + pad, length) if math.isfinite(high + pad - begin) else None


def marks(of: Axis, wide: Callable[[str], float], upright: bool) -> list[tuple[float, str]]:
    """(place, label) of marks whose labels do not touch. `wide` tells the width of a label; the labels of an upright
    axis stand above each other, and each is one line high."""
    line = wide("0") * 3.2
    found = _log_marks(of) if of.log else _linear_marks(of, max(2, int(of.length / (line if upright else line * 2.4))))
    digits = 6 if of.log else _apart(found)
    placed = [(float(of.places(np.array([value]))[0]), label(value, digits), _rank(value)) for value in found]
    kept: list[tuple[float, str]] = []
    for place, text, _ in sorted(placed, key=lambda one: (one[2] if of.log else 0, one[0])):
        if any(text == words for _, words in kept):
            continue  # nearer to its neighbour than sixteen digits tell
        half = line / 2 if upright else wide(text) / 2 + line / 6
        if all(abs(place - other) >= half + (line / 2 if upright else wide(words) / 2) for other, words in kept):
            kept.append((place, text))
    return sorted(kept)


def label(value: float, digits: int = 6) -> str:
    """A number as it stands at an axis, with so many digits where they are not zero."""
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e7:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        power = "10" + str(int(exponent)).translate(_RAISED)
        shown = f"{float(mantissa):.{digits}g}"
        return (power if shown == "1" else f"{shown}·{power}").replace("-", "−")
    shown = f"{value:.{digits}g}"
    if "e" in shown:
        shown = f"{value:.0f}"
    whole, point, part = shown.partition(".")
    return (
        (f"{int(whole):,}".replace(",", NARROW) if abs(float(shown)) >= 1000 else whole).replace("-", "−")
        + point
        + part
    )


def _linear_marks(of: Axis, most: int) -> list[float]:
    rough = (of.high - of.low) / most
    if rough <= 0 or not math.isfinite(rough):
        return []
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 1e-300 else 0.0
    step = next((power * one for one in _STEPS if power * one >= rough), 0.0)
    if step <= 0 or of.low + step == of.low:
        return []
    first, last = math.ceil(of.low / step - 1e-9), math.floor(of.high / step + 1e-9)
    return [round(place * step, 12) if step < 1e6 else place * step for place in range(first, last + 1)]


def _log_marks(of: Axis) -> list[float]:
    decades = math.log10(of.high) - math.log10(of.low)
    steps: Sequence[float] = (1,) if decades > 5 else (1, 2, 5) if decades > 1.6 else (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)
    powers = range(math.floor(math.log10(of.low)), math.ceil(math.log10(of.high)) + 1)
    values = (float(f"{step}e{power}") for power in powers for step in steps)
    return [value for value in values if of.low <= value <= of.high]


def _rank(value: float) -> int:
    """0 for a power of ten, 1 for two or five of it, 2 for any other."""
    first = f"{value:.2e}"[:4]
    return 0 if first == "1.00" else 1 if first in {"2.00", "5.00"} else 2


def _apart(values: Sequence[float]) -> int:
    """Digits that tell neighbours from each other."""
    if len(values) < 2 or values[1] == values[0]:
        return 6
    size = max(abs(value) for value in values)
    digits = 2 + math.floor(math.log10(size)) - math.floor(math.log10(abs(values[1] - values[0]))) if size else 6
    return min(15, max(6, digits))
