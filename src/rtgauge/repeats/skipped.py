"""Activations that a late periodic thread skipped: what did not run was late, so figures without it look better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Entry = Mapping[str, Any]  # one of the results of results.json


def with_skipped(entry: Entry, figures: Mapping[str, float]) -> dict[str, float]:
    """The figures, those of all activations where the result knows what the skipped ones waited."""
    every = entry.get("synthetic") or {}
    names = {name: every.get(name) for name in ("min", "avg", "median", "max")}
    names |= {f"p{name}": value for name, value in (every.get("percentiles") or {}).items()}
    return {**figures, **{name: float(value) for name, value in names.items() if value is not None and name in figures}}


def skipped(entry: Entry) -> int | None:
    """How many were skipped; None of a result that is no periodic thread's."""
    every = entry.get("synthetic")
    return None if every is None else int(every.get("overruns") or 0)
