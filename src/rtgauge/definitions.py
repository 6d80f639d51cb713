"""Which version of the catalogue of tests made a result: digests of what the tests say of themselves.

The definition of a test is its id, its question, the parameters that it takes with their legal values, and where the
stamps of each of its series are. How many samples are taken, and which parameters by default, is no part of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

DIGITS = 8  # of a digest, as it is shown

FAMILIES: Mapping[str, str] = {
    "CAL": "calibration",
    "CLK": "clock",
    "THR": "threads",
    "SEM": "semaphores",
    "MUT": "mutexes",
    "IRQ": "interrupts",
    "TMR": "timers",
    "CPU": "response of the processor",
    "SYN": "synchronisation between threads and processes",
    "MSG": "messages",
    "SIG": "signals",
    "MEM": "memory",
    "FS": "file systems",
    "SMP": "several processors",
    "SCD": "scheduling by deadlines",
    "NSE": "noise of the system",
    "API": "programming interface",
    "SYS": "whole system",
}
"""The first letters of an id."""

KINDS: Mapping[str, str] = {"B": "behaviour", "P": "performance", "S": "stress"}
"""The letter in the middle of an id."""


def family_of(id_: str) -> str:
    return id_.partition("-")[0]


def definition_of(descriptor: Mapping[str, Any]) -> str:
    """The digest of one test's definition, as long as it is shown. `descriptor`: as a manifest holds it."""
    return _digest(
        [
            descriptor.get("id"),
            descriptor.get("question"),
            sorted(_some(one, ("name", "kind", "legal")) for one in descriptor.get("params") or ()),
            [
                _some(one, ("name", "unit", "start", "stop", "thread", "source"))
                for one in descriptor.get("series") or ()
            ],
        ]
    )


def definitions(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The digest of each test that a run has a description of, by id in their order."""
    found: dict[str, str] = {}
    for one in manifest.get("descriptors") or ():
        if isinstance(one, Mapping) and isinstance(one.get("id"), str):
            found.setdefault(one["id"], definition_of(one))
    return found


def catalogue_version(found: Mapping[str, str]) -> str | None:
    """One digest over `definitions`: equal where two runs have the same tests, defined alike. None without any."""
    return _digest(sorted(found.items())) if found else None


def _some(content: Any, names: Iterable[str]) -> list[str]:
    return [str(content.get(name, "")) if isinstance(content, Mapping) else "" for name in names]


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()[:DIGITS]
