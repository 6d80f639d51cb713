"""What a requirement reads of a result. With skipped activations the figures are those that count them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.requirements.match import canonical
from rtgauge.requirements.model import DEADLINE_TEST, Limit, Result
from rtgauge.requirements.rates import MOST
from rtgauge.stats.basic import PERCENTILES
from rtgauge.units import format_ns, format_value


def name_of(result: Result) -> str:
    """`THR-P-SLS threads=2`: as every reason names a result."""
    return " ".join([str(result["id"]), *(f"{name}={value}" for name, value in (result.get("params") or {}).items())])


def samples_of(result: Result) -> int:
    """Samples, skipped activations with a value among them; 0 without figures."""
    return min(MOST, int((result.get("synthetic") or {}).get("n") or result.get("n") or 0))


def unknown_of(result: Result) -> int | None:
    """Samples of which nothing is known: lost, and skipped activations without a value. None where nobody told."""
    lost, skipped = result.get("lost"), skipped_of(result)
    return None if lost is None else min(MOST, int(lost) + skipped)


def skipped_of(result: Result) -> int:
    every = result.get("synthetic")
    return max(0, every["overruns"] - every["entered"]) if every else 0


def figure_of(result: Result, figure: str) -> float | None:
    """In the unit; None where the samples do not tell it."""
    every: Mapping[str, Any] = result.get("synthetic") or {}
    if figure in ("max", "min"):
        pick = max if figure == "max" else min
        return pick(float(one[figure]) for one in (result, every) if one.get(figure) is not None)
    source = every or result
    value = source.get(figure) if figure in ("avg", "median") else (source.get("percentiles") or {}).get(figure[1:])
    return None if value is None else float(value)


def least_n(figure: str) -> int:
    """Samples that the figure needs."""
    return PERCENTILES[figure[1:]][1] if figure[1:] in PERCENTILES and figure not in ("p50",) else 1


def misses_of(result: Result, limit: float) -> tuple[int, int]:
    """At least and at most so many samples lie above the limit: exact where the largest are known one by one."""
    every: Mapping[str, Any] = result.get("synthetic") or {}
    n, entered = int(result["n"]), int(every.get("entered") or 0)
    low, high = _of_measured(result, limit, n)
    if entered and every["max"] > limit:
        low, high = max(low, 1), high + entered
    return min(low, MOST), min(high, n + entered, MOST)


def _of_measured(result: Result, limit: float, n: int) -> tuple[int, int]:
    if result["max"] <= limit:
        return 0, 0
    worst: Sequence[Mapping[str, Any]] = result.get("worst") or ()
    above = sum(one["value"] > limit for one in worst)
    if above and (above < len(worst) or len(worst) == n):
        return above, above
    bins: Sequence[Sequence[Any]] = result.get("histogram") or ()
    surely = sum(count for low, _, count in bins if low > limit)
    perhaps = sum(count for _, high, count in bins if high > limit)
    low = max(1, above, surely)
    return low, max(low, perhaps) if bins else n


def periodic(result: Result) -> bool:
    """Whether a sample is an activation, and the value its lateness."""
    return str(result["id"]) == DEADLINE_TEST


def shown(value: float, result: Result) -> str:
    """A figure of the result for people."""
    unit = str(result.get("unit") or "")
    return format_ns(value) if unit == "ns" else format_value(value, "" if unit == "1" else unit)


def limit_shown(value: float, limit: Limit, result: Result) -> str:
    """A limit as it was written."""
    return canonical(f"{int(value)}ns") if limit.time else shown(value, result)
