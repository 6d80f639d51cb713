"""Stamps of a window as ticks that rise, and as ns."""

from __future__ import annotations

from rtgauge.model import ClockInfo


def ticks_since(clock: ClockInfo, origin: int, stamp: int) -> int:
    """How many ticks after `origin` a stamp lies; negative before it. Right within half a wrap of the clock."""
    turn = 1 << clock.width
    forward = (stamp - origin) * clock.direction % turn
    return forward - turn if forward >= turn >> 1 else forward


def ticks_in(clock: ClockInfo, ns: int) -> int:
    return ns * clock.rate_num // (clock.rate_den * 10**9)


def to_ns(clock: ClockInfo, ticks: int) -> int:
    """Whole ns, without a float in between: stamps may have 64 bits."""
    return (2 * ticks * clock.rate_den * 10**9 + clock.rate_num) // (2 * clock.rate_num)
