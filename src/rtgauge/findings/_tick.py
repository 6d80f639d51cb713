"""Whether what was found in a series matches the clock tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from rtgauge.findings import Result
from rtgauge.findings._results import evidence, ratio
from rtgauge.units import format_ns

PERIOD_MATCH = 0.01  # a period is found to a few parts per thousand; the tick is measured as well
RATE_MATCH = 0.1  # a short series sees a few ticks more or fewer than its length says
MULTIPLES = 4  # a sample is not under way at every tick: peaks may come at every second, third, fourth


def tick_ns(results: Sequence[Result], system: Mapping[str, Any] | None = None) -> float | None:
    """The measured tick period in ns, as the evidence of any result states it; else as the system's facts do."""
    for result in results:
        for name, value, unit in evidence(result):
            if name == "tick_ns" and unit == "ns" and positive(value):
                return float(value)
    facts = (system or {}).get("facts") or {}
    stated = facts.get("tick_ns")
    return float(stated) if positive(stated) else None


def tick_of_period(result: Result, tick: float) -> float | None:
    """The period of the peaks in ns where it is the tick or a small multiple of it."""
    seconds = (result.get("period") or {}).get("period_s")
    if not positive(seconds):
        return None
    length = float(seconds) * 1e9
    times = round(length / tick)
    return length if 1 <= times <= MULTIPLES and abs(length - times * tick) <= PERIOD_MATCH * length else None


def tick_band(result: Result, tick: float) -> Mapping[str, Any] | None:
    """The band above the main one that holds about one sample for each tick of the time under observation."""
    clusters = list(result.get("clusters") or ())
    exposure = result.get("exposure_s")
    if len(clusters) < 2 or not positive(exposure):
        return None
    ticks = float(exposure) * 1e9 / tick
    main = max(clusters, key=lambda cluster: cluster["count"])
    above = [c for c in clusters if c["from"] > main["to"] and abs(c["count"] - ticks) <= RATE_MATCH * ticks]
    return above[0] if above else None


def of_the_tick(result: Result, tick: float, value: float) -> str | None:
    """Why `value` is put down to the tick, in one sentence; None where nothing says so."""
    band = tick_band(result, tick)
    if band is not None and band["from"] <= value <= band["to"]:
        ticks = float(result["exposure_s"]) * 1e9 / tick
        return (
            f"It lies in a band that comes at the rate of the clock tick ({format_ns(tick)}): {band['count']} samples, "
            f"{ratio(ticks)} ticks in the time under observation."
        )
    period = tick_of_period(result, tick)
    if period is not None:
        return f"The peaks of this series come every {format_ns(period)}, in step with the tick of {format_ns(tick)}."
    return None


def main_band(result: Result) -> Mapping[str, Any] | None:
    clusters = list(result.get("clusters") or ())
    return max(clusters, key=lambda cluster: cluster["count"]) if clusters else None


def positive(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
