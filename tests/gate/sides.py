"""Sides of a gate, made up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rtgauge.gate.values import Key, Line, Path, Side

VIRTUAL = {"time": "virtual", "QEMU": "ab" * 32, "engine": "cd" * 32, "clock": "tsc"}
REAL = {"time": "real", "engine": "cd" * 32, "origin": "local", "host": "bench-1"}
ENVIRONMENT = (("cache", "hot"), ("load", "none"))


def key(id_: str = "MUT-P-ARC", part: str = "release", **params: str) -> Key:
    pairs = {**params, **({"part": part} if part else {})}
    return Key(id_, tuple(sorted(pairs.items())), ENVIRONMENT)


def exact(path: float | None, at: Key | None = None, share: float = 0.99, **more: Any) -> Line:
    """A result in virtual time: `path` and, taken by the rest, a tick."""
    value = 0.0 if path is None else path
    taken = ((value, share), (value + 800, 1 - share)) if path is not None else ()
    line = Line(
        at or key(),
        "ok",
        unit="instr",
        n=1000,
        medians=(value,),
        tail="p99.9",
        tails=(value + 800,),
        maximum=value + 800,
        paths=(Path(path, share if path is not None else 0.0, taken),),
    )
    return replace(line, **more)


def timed(medians: Sequence[float], at: Key | None = None, tails: Sequence[float] | None = None, **more: Any) -> Line:
    """A result in real time: a median and a tail of each run."""
    high = tuple(2 * one for one in medians) if tails is None else tuple(tails)
    line = Line(
        at or key(), "ok", unit="ns", step=10.0, n=1000, medians=tuple(medians), tail="p99.9", tails=high, maximum=1e5
    )
    return replace(line, **more)


def word(status: str, at: Key | None = None, reason: str = "") -> Line:
    return Line(at or key("THR-B-RR", ""), status, reason)


def virtual(*lines: Line, runs: int = 1, varied: bool = True, **more: Any) -> Side:
    return side(VIRTUAL, lines, runs, varied, more)


def real(*lines: Line, runs: int = 5, **more: Any) -> Side:
    return side(REAL, lines, runs, True, more)


def side(identity: dict[str, str], lines: Sequence[Line], runs: int, varied: bool, more: dict[str, Any]) -> Side:
    made = Side(
        name="last",
        identity=dict(identity),
        subject={"release": "6.1"},
        runs=runs,
        varied=varied,
        lines={line.key: line for line in lines},
        made="20261122-101112-local-0a1b2c",
    )
    return replace(made, **more)
