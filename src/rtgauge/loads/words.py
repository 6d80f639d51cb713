"""What a load did, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_STEPS = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


def told(load: Mapping[str, Any]) -> str:
    """One entry of `loads` of a result, e.g. "99.8 ms of work per second of 100 ms wanted, 1 process on CPU 1"."""
    unit, wanted = str(load["unit"]), int(load["wanted"])
    work = " of work" if unit == "ns" else ""
    words = f"{_amount(int(load['achieved']), unit)}{work} per second"
    if wanted:
        words += f" of {_amount(wanted, unit)} wanted"
    words += f", {load['args']}" if load["implementation"] == "engine" else f", {load['implementation']} {load['args']}"
    note = f" ({load['note']})" if load.get("note") else ""
    return words + ("" if load["reached"] else ": not reached") + note


def _amount(value: int, unit: str) -> str:
    if unit == "ns":
        return f"{value / 1e6:.4g} ms"
    for least, prefix in _STEPS:
        if unit == "bytes" and value >= least:
            return f"{value / least:.3g} {prefix}B"
    return f"{value} {unit}"
