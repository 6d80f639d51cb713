"""Which way a figure gets worse."""

from __future__ import annotations

from rtgauge.compare.quantity import MORE_IS_BETTER
from rtgauge.gate.values import Direction, Key, Verdict

_NEITHER = ("set-up", "exposure", "ratio", "hit-rate", "peak-period", "bound")
"""Parts that are a setting or a property: any change of them is one."""


def of(key: Key, unit: str) -> Direction:
    """less: a larger figure is worse. neither: the system has another property, e.g. another time slice."""
    if unit in MORE_IS_BETTER:
        return "more"
    return "neither" if "-B-" in key.id or dict(key.params).get("part") in _NEITHER else "less"


def verdict_of(up: bool, way: Direction) -> Verdict:
    """Of a figure that is `up` or down by more than it may be."""
    if way == "neither":
        return "changed"
    return "slower" if up == (way == "less") else "faster"
