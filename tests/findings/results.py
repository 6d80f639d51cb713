"""Entries of results.json for rules to look at."""

from __future__ import annotations

from typing import Any


def timed(id_: str, params: dict[str, Any] | None = None, **values: Any) -> dict[str, Any]:
    """A result with figures of 1 000 samples around 1 us."""
    base: dict[str, Any] = {
        "id": id_,
        "params": params or {},
        "status": "ok",
        "unit": "ns",
        "source": "stamp",
        "n": 1000,
        "min": 900.0,
        "median": 1000.0,
        "max": 2000.0,
        "percentiles": {"50": 1000.0, "99": 1500.0, "99.9": 1900.0},
        "first": 1200.0,
        "max_after_first": 2000.0,
        "exposure_s": 1.0,
        "worst": [{"value": 2000.0, "at": 0.5, "cpu": 1, "index": 500}],
        "clusters": [],
        "period": None,
        "unmeasurable": False,
        "evidence": [],
        "counters": {},
    }
    return {**base, **values}


def behaviour(id_: str, status: str, *checks: tuple[str, str, bool], **values: Any) -> dict[str, Any]:
    made = [{"name": n, "role": r, "holds": h, "what": f"{n} is as it should be"} for n, r, h in checks]
    return {"id": id_, "params": {}, "status": status, "checks": made, "evidence": [], **values}


def line(name: str, value: int | str, unit: str = "") -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit}
