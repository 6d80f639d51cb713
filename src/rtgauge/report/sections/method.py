"""How the figures were made, from what, and every problem of the stored run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rtgauge.findings.latency import RULE
from rtgauge.report import display, thin
from rtgauge.report.blocks import Block, Bullets, Cell, Facts, Item, Panel, Part, Row, Section
from rtgauge.report.view import RunView
from rtgauge.verdict import DEADLINE_TEST

_READING = (
    "A value is the distance of two stamps in ticks of the clock, in its unit, less the smallest overhead of two "
    "stamps that was measured. Raw ticks are kept; values below zero are counted, not hidden.",
    "Percentiles are by nearest rank, each a sample that was really measured, and are given only where the quantity "
    "supports them.",
    "A band is a range in which samples gather; a period is one in which the largest samples come.",
    "pass and fail: every property was checked, and the negative control shows that the check can fail. invalid: a "
    "premise of the test did not hold, so its samples prove nothing. not-permitted: a privilege is missing. "
    "not-supported: the system has no such thing. inconclusive: what was seen does not decide.",
    f"Diagrams against time draw a choice of samples where there are many: the first, the {thin.ALWAYS} largest, the "
    "smallest and largest of each slice of time, and an even choice of the rest. No value is clamped, and no bin of a "
    "histogram is left out. Drag to zoom, double-click to see all again.",
    f"The worst sample of the first page is the latest wake-up of {DEADLINE_TEST}, the test that deadlines are judged "
    "by; beside it stands the latency of any other test that lies farthest above the median of its own series. " + RULE,
    "Results of one test that have the same status for the same reason are told in one line. The JSON format holds "
    "each of them with all that was recorded.",
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
