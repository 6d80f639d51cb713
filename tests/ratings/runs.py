"""Contents of results.json to rate, made from few words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MS = 1_000_000
KEY = ("THR-B-NEW", "SEM-B-LCK", "SEM-B-REL", "MUT-B-ARC")
HEAVY = {
    "name": "heavy", "implementation": "engine", "version": "1", "args": "", "unit": "ns", "wanted": 100,
    "achieved": 100, "exposure_ns": 10**9, "reached": True, "note": None,
}  # fmt: skip


def cyclic(
    n: int = 400_000,
    worst: Iterable[float] = (200_000.0,),
    *,
    lost: int | None = 0,
    status: str = "ok",
    interval: str = "1ms",
    loads: Iterable[Mapping[str, Any]] = (HEAVY,),
) -> dict[str, Any]:
    """A result of the periodic test whose largest samples are `worst`, all others 10 us."""
    values = sorted(worst, reverse=True)
    rest = n - len(values)
    histogram = [[10_000.0, 11_000.0, rest]] + [[value, value + 1, 1] for value in sorted(values)]
    shown = [*values, *([10_000.0] * min(10, rest))][:10]
    made: dict[str, Any] = {
        "id": "TMR-P-CYC",
        "params": {"threads": 1, "interval": interval},
        "environment": {"load": "heavy", "cache": "hot", "cpus": "one"},
        "status": status,
        "reason": None if status == "ok" else "said so",
        "unit": "ns",
        "loads": [dict(one) for one in loads],
        "checks": [],
    }
    if status != "ok":
        return made
    return made | {
        "n": n,
        "lost": lost,
        "min": 10_000.0,
        "avg": 10_000.0,
        "median": 10_000.0,
        "max": shown[0],
        "worst": [{"value": value, "at": 0.0, "cpu": 0, "index": 0} for value in shown],
        "histogram": histogram,
        "resolution": 1.0,
        "synthetic": None,
        "exposure_s": n / 1000,
    }


def behaviour(id_: str, status: str = "pass") -> dict[str, Any]:
    return {"id": id_, "params": {}, "environment": {}, "status": status, "reason": None, "unit": None, "checks": []}


def finding(check: str, status: str) -> dict[str, Any]:
    return {"check": check, "status": status, "summary": "", "why": "", "fix": "", "evidence": [], "guideline": ""}


def content(
    results: Iterable[Mapping[str, Any]] | None = None, load: str | None = "heavy", audit: Iterable[str] = ("ok",)
) -> dict[str, Any]:
    """By default the best that there is: five stars."""
    if results is None:
        results = [cyclic(), *(behaviour(id_) for id_ in KEY)]
    environment = {"cache": "hot", "cpus": "one"} | ({"load": load} if load else {})
    return {
        "run": "r",
        "target": "local",
        "profile": "quick",
        "spec": {"environment": environment},
        "system": {"facts": {"machine": "x86_64"}, "clock": {"name": "x86-tsc"}},
        "results": [dict(one) for one in results],
        "audit": [finding(f"check {at}", status) for at, status in enumerate(audit)],
    }


def manifest(deadline_ns: int | None = MS) -> dict[str, Any]:
    return {"run": "r", "state": "complete", "deadline_ns": deadline_ns}
