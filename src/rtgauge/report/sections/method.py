"""How the figures were made, from what, and every problem of the stored run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Block, Bullets, Cell, Facts, Item, Panel, Part, Row, Section
from rtgauge.report.view import RunView

_READING = (
    "A value is the distance of two stamps in ticks of the clock, in its unit, less the smallest overhead of two "
    "stamps that was measured. Raw ticks are kept; values below zero are counted, not hidden.",
    "Percentiles are by nearest rank, each a sample that was really measured, and are given only where the quantity "
    "supports them. No value is clamped, and no bin of a histogram is left out.",
    "A band is a range in which samples gather; a period is one in which the largest samples come.",
    "pass and fail: every property was checked, and the negative control shows that the check can fail. invalid: a "
    "premise of the test did not hold, so its samples prove nothing. not-permitted: a privilege is missing. "
    "not-supported: the system has no such thing. inconclusive: what was seen does not decide.",
    "Diagrams against time draw a choice of samples, as each says; no extreme is ever left out. Drag to zoom, "
    "double-click to see all again.",
)


def section(run: RunView) -> Section:
    panels: list[Block] = [
        Panel("How to read this", (Bullets(tuple(Item(text) for text in _READING)),)),
        Panel("Made from", (Facts(_sources(run)),)),
    ]
    blocks: list[Block] = [Row(tuple(panels))]
    if run.all_problems:
        blocks.append(
            Bullets(tuple(Item(text, tone="warn") for text in run.all_problems), title="Problems of this run")
        )
    return Section(90, Part("method", "Method and sources", tuple(blocks)), "Method")


def _sources(run: RunView) -> tuple[tuple[str, Cell], ...]:
    rows = [
        (name, Cell(_text(run.results.get(name) or run.manifest.get(name))))
        for name in ("run", "target", "created", "finished", "profile", "tag", "command")
        if run.results.get(name) or run.manifest.get(name)
    ]
    engine = run.results.get("engine") or run.manifest.get("engine")
    if engine:
        rows.append(("engine", Cell(_text(engine))))
    files = run.manifest.get("files")
    for name, about in (files if isinstance(files, Mapping) else {}).items():
        if isinstance(about, Mapping):
            rows.append(
                (str(name), Cell(f"SHA-256 {about.get('sha256', '–')}, {display.count(about.get('bytes'))} bytes"))
            )
    return tuple(rows)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(str(one) for one in value)
    return str(value)
