"""Exposure, rates and what is missing, in words."""

from __future__ import annotations

from rtgauge.requirements.model import More
from rtgauge.units import format_seconds

_DAY = 86_400.0
_YEAR = 365.25 * _DAY


def percent(share: float) -> str:
    """0.95 is 95%, 0.999 is 99.9%."""
    return f"{100 * share:.8g}%"


def lasted(seconds: float | None) -> str:
    return "a time that is not known" if seconds is None else format_seconds(seconds)


def waiting(seconds: float) -> str:
    """A time that somebody has to wait."""
    if seconds < 2 * _DAY:
        return format_seconds(seconds)
    return f"{seconds / _DAY:.0f} days" if seconds < 2 * _YEAR else f"{seconds / _YEAR:.3g} years"


def span(more: More) -> str:
    """`, 5 min 3 s at this run's pace`; nothing where the pace is not known."""
    return "" if more.seconds is None else f", {waiting(more.seconds)} at this run's pace"
