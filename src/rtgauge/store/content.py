"""JSON of a run folder as values that are safe to use: a run may come from anywhere."""

from __future__ import annotations

import json
from typing import Any

from rtgauge.trace.fields import clean

DEPTH_MAX = 64
"""Of nesting: what is stored has less than ten levels."""
MAGNITUDE_MAX = 1e30
"""Of a number. A trace holds none above 2^64; larger ones would overflow where they are scaled to be shown."""


def load_json(raw: bytes) -> Any:
    """The value in `raw`. ValueError when it is no JSON or holds what nobody writes, see `checked`."""
    try:
        content = json.loads(raw)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return checked(content)


def checked(value: Any, depth: int = 0) -> Any:
    """`value` with control and direction characters replaced in every text and name, so that no way out needs to mind
    them. ValueError for a number that is not finite or out of all proportion, and for too deep a nesting."""
    if depth > DEPTH_MAX:
        raise ValueError("it is nested too deeply")
    if isinstance(value, str):
        return clean(value, most=None)
    if isinstance(value, (int, float)):
        if not -MAGNITUDE_MAX <= value <= MAGNITUDE_MAX:  # NaN is not within either
            raise ValueError("a number in it is out of range")
        return value
    if isinstance(value, list):
        return [checked(one, depth + 1) for one in value]
    if isinstance(value, dict):
        return {clean(name, most=None): checked(one, depth + 1) for name, one in value.items()}
    return value
