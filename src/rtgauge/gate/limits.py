"""By how much a result may move: absolute ("+3", in the unit of the line), relative ("+5%"), or not judged ("none")."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rtgauge.errors import UsageError

NONE = "none"
_LIMIT = re.compile(r"\+?([0-9]{1,15}(?:\.[0-9]{1,9})?)(%?)\Z")


@dataclass(frozen=True)
class Limits:
    """Of the main statistic (the path, in real time the median) and of the tail, as written."""

    main: str
    tail: str

    def but(self, main: str | None, tail: str | None) -> Limits:
        """With what is given in the place of what was."""
        return replace(self, main=main or self.main, tail=tail or self.tail)


VIRTUAL = Limits("+0", "+5%")  # a path is exact: any instruction more is a change
REAL = Limits("+5%", "+5%")


def check_limit(text: str, what: str) -> str:
    """A limit in its one written form. UsageError where it is none."""
    if text == NONE:
        return text
    match = _LIMIT.match(text)
    if match is None:
        raise UsageError(f"{what} {text[:40]!r} is no limit: write +5% (of the base), +3 (in its unit) or {NONE}")
    return f"+{match[1]}{match[2]}"


def allowance(limit: str, base: float, step: float = 0.0) -> float | None:
    """How far a figure may lie from `base`, in its unit, at least one `step` of the clock; None: as far as it likes."""
    if limit == NONE:
        return None
    match = _LIMIT.match(limit)
    if match is None:
        raise ValueError(f"{limit!r} is no limit")
    size = float(match[1])
    return max(size / 100 * abs(base) if match[2] else size, step)
