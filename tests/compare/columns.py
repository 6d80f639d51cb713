"""Columns of a comparison without stored runs."""

from __future__ import annotations

from typing import Any

from rtgauge.compare import measured, published
from rtgauge.compare.values import Column
from rtgauge.reference.systems import find

ENVIRONMENT = {"load": "none", "cache": "hot", "cpus": "one"}


def references(*names: str) -> list[Column]:
    return [published.column(system) for name in names for system in find(name)]


def content(*results: dict[str, Any], **facts: Any) -> dict[str, Any]:
    """Of results.json."""
    return {
        "target": "local",
        "created": "2026-03-01T10:15:00Z",
        "system": {"facts": {"os": "Linux", "release": "6.12", **facts}, "clock": {"name": "x86-tsc"}},
        "spec": {"environment": ENVIRONMENT},
        "results": [{"environment": ENVIRONMENT, **result} for result in results],
    }


def measured_column(name: str, *runs: list[dict[str, Any]], **facts: Any) -> Column:
    """Each of `runs` holds its results."""
    made = [(content(*results, **facts), {"run": name, "host": "here"}, "complete") for results in runs]
    return measured.column(name, made)
