"""One line of the benchmark's result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, TypeVar

Ours = TypeVar("Ours")
Theirs = TypeVar("Theirs")


@dataclass(frozen=True)
class Figure:
    """`ratio` is ours to the peer's, taken side by side; `goal` is the largest ratio (or value) that meets it."""

    name: str
    value: float | None
    unit: str
    ratio: float | None = None
    goal: float | None = None
    met: bool | None = None
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def against(name: str, ours: Sequence[float], peers: Sequence[float], unit: str, goal: float, note: str = "") -> Figure:
    """Median of the ratios, pair by pair, so that a drift of the machine's speed cancels out."""
    ratio = median(a / b for a, b in zip(ours, peers, strict=True))
    text = f"ours {median(ours):.6g}, peer {median(peers):.6g} {unit}, {len(ours)} pairs"
    return Figure(name, median(ours), unit, ratio, goal, ratio <= goal, f"{text}; {note}" if note else text)


def alternate(ours: Callable[[], Ours], theirs: Callable[[], Theirs], pairs: int) -> list[tuple[Ours, Theirs]]:
    """Both measured `pairs` times; each goes first in every second pair, so that a drift favours neither."""
    results = []
    for pair in range(pairs):
        if pair % 2 == 0:
            us = ours()
            results.append((us, theirs()))
        else:
            them = theirs()
            results.append((ours(), them))
    return results


def unmeasured(name: str, why: str) -> Figure:
    return Figure(name, None, "", note=f"not measured: {why}")
