"""What each kind of target needs on this machine, what is missing, and how to get it.

Each public module of this package is named after a target kind (or after another thing that rtgauge does) and defines
`needs(system, store) -> list[Need]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtgauge.audit import System
from rtgauge.doctor._advice import Step, advise
from rtgauge.doctor._need import Need
from rtgauge.registry import plugins

__all__ = ["Diagnosis", "Need", "Step", "diagnose"]


@dataclass(frozen=True)
class Diagnosis:
    """What was found, and what to do about real-time permission, in this order."""

    needs: dict[str, tuple[Need, ...]]  # by target kind
    steps: tuple[Step, ...]

    def usable(self, kind: str) -> bool:
        return not any(need.status == "missing" for need in self.needs[kind])

    def as_dict(self) -> dict[str, Any]:
        targets = {
            kind: {"usable": self.usable(kind), "needs": [need.as_dict() for need in needs]}
            for kind, needs in self.needs.items()
        }
        return {"targets": targets, "steps": [step.as_dict() for step in self.steps]}


def diagnose(store: Path, system: System | None = None) -> Diagnosis:
    """Looks at everything. `store` is where runs are to be kept; it need not exist."""
    system = system or System()
    found = {kind: tuple(needs(system, store)) for kind, needs in plugins(__name__, "needs").items()}
    found = {kind: found[kind] for kind in sorted(found, key=lambda kind: (kind != "local", kind))}
    return Diagnosis(found, advise(system, found["local"]))
