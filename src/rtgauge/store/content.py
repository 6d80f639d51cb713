"""JSON of a run folder as values that are safe to use: a run may come from anywhere."""

from __future__ import annotations

import json
import re
from typing import Any

from rtgauge.trace.fields import clean

DEPTH_MAX = 64
"""Of nesting: what is stored has less than ten levels."""
MAGNITUDE_MAX = 1e30
"""Of a number. A trace holds none above 2^64; larger ones would overflow where they are scaled to be shown."""


_ODD = re.compile(rb"[^\n -\x5b\x5d-\x7e]")
"""Of JSON without it every text is as it stands there: no control, nothing beyond ASCII, nothing escaped."""
_LONG = re.compile(rb"[0-9]{30}")
_EXPONENT = re.compile(rb"[0-9.][eE][+0-9]")
_POWER = re.compile(rb"[\s\[:,]-?[0-9.]+[eE][+0-9]")  # what `_EXPONENT` finds may be of a digest
"""Of JSON without these every number is far below the largest."""


def load_json(raw: bytes) -> Any:
    """The value in `raw`. ValueError when it is no JSON or holds what nobody writes, see `checked`."""
    try:
        content = json.loads(raw, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(content, dict) or _ODD.search(raw) or _may_be_large(raw):
        return checked(content)
    _check_depth(content)  # there is nothing else to find, and to look at each value takes long
    return content


def _may_be_large(raw: bytes) -> bool:
    return bool(_LONG.search(raw) or (_EXPONENT.search(raw) and _POWER.search(raw)))


def _refuse(name: str) -> None:
    raise ValueError(f"{name} in it is no number")


def _check_depth(content: Any) -> None:
    level, depth = [content], 0
    while level:
        depth += 1
        if depth > DEPTH_MAX:
            raise ValueError("it is nested too deeply")
        inside = (one.values() if isinstance(one, dict) else one for one in level)
        level = [value for values in inside for value in values if isinstance(value, (dict, list))]


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
