"""Whether what was found in a series matches the clock tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.findings import Result
from rtgauge.findings._results import evidence, ratio

MATCH = 0.1  # rates within a tenth are called the same: a short series sees a few ticks more or fewer


def tick_ns(results: Sequence[Result], system: Mapping[str, Any] | None = None) -> float | None:
    """The measured tick period in ns, as evidence of any result states it; else as the system's facts do."""
    for result in results:
        for name, value, unit in evidence(result):
            if name in {"tick", "tick_ns", "tick period", "tick_period"} and unit in {"ns", ""} and _positive(value):
                return float(value)
    facts = (system or {}).get("facts") or {}
    return float(facts["tick_ns"]) if _positive(facts.get("tick_ns")) else None


def tick_of_period(result: Result, tick: float) -> float | None:
    """The period of the peaks in ns where it equals the tick or a small multiple of it."""
    period = result.get("period") or {}
    length = period.get("period_ns", period.get("ns"))
    if length is None and _positive(period.get("period_s")):
        length = float(period["period_s"]) * 1e9
    if not _positive(length):
        return None
    return float(length) if _is_multiple(float(length), tick) else None


def tick_of_clusters(result: Result, tick: float, value: float) -> str | None:
    """Words for the band around `value` when it holds about one sample for each tick of the time under observation."""
    exposure = result.get("exposure_s")
    if not _positive(exposure):
        return None
    ticks = float(exposure) * 1e9 / tick
    for cluster in (result.get("clusters") or ())[1:]:
        low, high = cluster.get("from", cluster.get("min")), cluster.get("to", cluster.get("max"))
        number = cluster.get("count", cluster.get("n"))
        if low is None or high is None or not number or not low <= value <= high:
            continue
        if abs(number - ticks) <= MATCH * ticks:
            return f"{number} samples in the band, {ratio(ticks)} ticks in the time under observation"
    return None


def _is_multiple(length: float, tick: float) -> bool:
    times = round(length / tick)
    return 1 <= times <= 4 and abs(length - times * tick) <= MATCH * tick


def _positive(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
