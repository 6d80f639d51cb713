"""Results as results.json has them, small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.requirements import Requirement
from rtgauge.requirements.parse import requirement_of

US = 1000.0
USUAL = {"load": "none", "cpus": "one", "cache": "hot"}


def required(**keys: Any) -> Requirement:
    return requirement_of({"test": "TMR-P-CYC", **keys}, "limits.toml, entry 1")


def result(
    values: Sequence[float] = (5 * US,) * 1000,
    id: str = "TMR-P-CYC",
    params: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Figures of `values` in ns, a bin of the histogram for each."""
    ordered = sorted(values)
    n = len(ordered)
    shares = {"50": 0.5, "99": 0.99, "99.9": 0.999, "99.99": 0.9999}
    places = {name: -int(-n * share // 1) - 1 for name, share in shares.items()}
    made = {
        "id": id,
        "params": {"interval": "1ms"} if params is None else dict(params),
        "environment": dict(USUAL),
        "status": "ok",
        "reason": None,
        "unit": "ns",
        "n": n,
        "lost": 0,
        "min": ordered[0],
        "avg": sum(ordered) / n,
        "max": ordered[-1],
        "median": ordered[places["50"]],
        "percentiles": {
            name: ordered[at] for name, at in places.items() if name == "50" or n >= 1 / (1 - shares[name]) - 0.5
        },
        "worst": [{"value": value, "at": 0.0, "cpu": 1, "index": 0} for value in ordered[:-11:-1]],
        "histogram": [[value, value + 1, count] for value, count in Counter(ordered).items()],
        "unmeasurable": False,
        "resolution": 1.0,
        "synthetic": None,
        "exposure_s": n / 1000 if seconds is None else seconds,
    }
    return {**made, **more}


def behaviour(status: str = "pass", id: str = "SEM-B-REL", reason: str | None = None) -> dict[str, Any]:
    return {
        "id": id, "params": {}, "environment": dict(USUAL), "status": status, "reason": reason, "unit": None,
        "exposure_s": 1.0,
    }  # fmt: skip
