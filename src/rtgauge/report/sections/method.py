"""How the figures were made, and every problem of the stored run."""

from __future__ import annotations

from rtgauge.findings.latency import RULE
from rtgauge.report import thin
from rtgauge.report.blocks import Block, Bullets, Item, Panel, Part, Section
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
    "histogram is left out. On a screen: drag to zoom, double-click to see all again.",
    f"The worst sample of the first page is the latest wake-up of {DEADLINE_TEST}, the test that deadlines are judged "
    "by; beside it stands the latency of any other test that lies farthest above the median of its own series. " + RULE,
    "Results of one test that have the same status for the same reason are told in one line. The JSON format holds "
    "each of them with all that was recorded.",
)


def section(run: RunView) -> Section:
    blocks: list[Block] = [Panel("How to read this", (Bullets(tuple(Item(text) for text in _READING)),))]
    if run.all_problems:
        blocks.append(
            Bullets(tuple(Item(text, tone="warn") for text in run.all_problems), title="Problems of this run")
        )
    return Section(90, Part("method", "Method", tuple(blocks)), "Method")
