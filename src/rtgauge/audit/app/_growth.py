"""Does a number grow steadily?"""

from __future__ import annotations

from collections.abc import Sequence

STEPS = 3  # rises, with no fall in between, that make a trend and not an event


def steady(values: Sequence[int]) -> bool:
    """Whether it rose at STEPS readings or more and never fell."""
    changes = [after - before for before, after in zip(values, values[1:])]  # noqa: B905, RUF007 - Python 3.10, clear
    return min(changes, default=0) >= 0 and sum(change > 0 for change in changes) >= STEPS
