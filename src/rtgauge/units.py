"""Durations and sizes as users write and read them. Inside rtgauge a duration is a whole number of nanoseconds."""

from __future__ import annotations

import re
from fractions import Fraction

from rtgauge.errors import UsageError

_NS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_ALIASES = {"\u00b5s": "us", "\u03bcs": "us", "min": "m"}
_BYTES = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([^\s0-9.]*)\s*\Z")
_LARGEST = (1 << 63) - 1


def parse_duration(text: str, what: str = "a duration") -> int:
    """ns of "100us", "1.5s", "10m" (minutes), "2h". UsageError for a bare number, an unknown unit or less than 1 ns."""
    number, unit = _split(text, what, ", ".join(_NS))
    unit = _ALIASES.get(unit, unit)
    if unit not in _NS:
        raise UsageError(f"{what} {text!r}: unknown unit {unit!r}, legal are {', '.join(_NS)}")
    ns = number * _NS[unit]
    if ns.denominator != 1 or not 0 <= ns <= _LARGEST:
        raise UsageError(f"{what} {text!r} is not a whole number of nanoseconds below 292 years")
    return int(ns)


def canonical_duration(ns: int) -> str:
    """The one way to write a duration in parameters: the largest unit that keeps it whole; parses back to `ns`.

    >>> canonical_duration(1_000_000), canonical_duration(1_500_000), canonical_duration(90 * 10**9)
    ('1ms', '1500us', '90s')
    """
    if ns == 0:
        return "0ns"
    unit = next(unit for unit in ("h", "m", "s", "ms", "us", "ns") if ns % _NS[unit] == 0)
    return f"{ns // _NS[unit]}{unit}"


def format_ns(ns: float) -> str:
    """A time for people, three significant digits or more, and the sign.

    >>> format_ns(3751.2), format_ns(-20), format_ns(0.5), format_ns(12_345_678)
    ('3.75 us', '-20 ns', '0.5 ns', '12.3 ms')
    """
    for unit in ("ns", "us", "ms"):
        shown = _significant(ns / _NS[unit])
        if abs(float(shown)) < 1000:
            return f"{shown} {unit}"
    return f"{_significant(ns / _NS['s'])} s"


def format_value(value: float, unit: str) -> str:
    """A figure in its unit: times as `format_ns`, sizes with their power of 1024, anything else as it is."""
    if unit == "ns":
        return format_ns(value)
    if unit == "B":
        return format_size(value)
    return f"{_significant(value)} {unit}".rstrip()


def format_size(size: float) -> str:
    """Bytes for people: "4 KB", "1.5 MB"."""
    for unit in ("B", "KB", "MB"):
        shown = _significant(size / _BYTES[unit])
        if abs(float(shown)) < 1024:
            return f"{shown} {unit}"
    return f"{_significant(size / _BYTES['GB'])} GB"


def format_seconds(seconds: float) -> str:
    """A span for people: below two minutes as `format_ns`, else "12 min 5 s" or "3 h 20 min"."""
    if abs(seconds) < 120:
        return format_ns(seconds * 1e9)
    whole = round(seconds)
    if whole < 7200:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _significant(value: float) -> str:
    """Three significant digits, all digits before the point, no trailing zeros after it."""
    size = abs(value)
    places = 0 if size >= 100 else 1 if size >= 10 else 2
    shown = f"{value:.{places}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _split(text: str, what: str, units: str) -> tuple[Fraction, str]:
    match = _QUANTITY.match(text) if len(text) <= 40 else None
    if not match:
        raise UsageError(f"{what} {text!r} is not a number with a unit ({units})")
    if not match[2]:
        raise UsageError(f"{what} {text!r} has no unit: say which ({units})")
    return Fraction(match[1]), match[2]
