"""Which samples are latencies of the system, so that the largest of them means something across tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

RULE = (
    "Latencies are the samples of performance tests in units of time. Not among them: calibration (it measures the "
    "instrument), loops of fixed work (they hold that work), batches (they hold many operations), and figures of "
    "behaviour tests (slices, usage)."
)
_WORK = "ticks"  # the analysis of series whose samples are loops of fixed work
_BLOCK = "work"  # the parameter that names such work


def is_latency(
    id_: str, params: Mapping[str, Any], unit: str | None, source: str | None, analyses: Collection[str]
) -> bool:
    """`analyses`: the names of those that the series asks for."""
    return (
        "-P-" in id_
        and not id_.startswith("CAL-")
        and unit == "ns"
        and source not in ("value", "host")
        and batch(params) == 1
        and _WORK not in analyses
        and _BLOCK not in params
    )


def batch(params: Mapping[str, Any] | None) -> int:
    """How many operations lie between the two stamps of a sample."""
    number = (params or {}).get("batch", 1)
    return number if isinstance(number, int) and number > 1 else 1
