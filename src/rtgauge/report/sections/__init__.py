"""The sections of a report, one file each. A module that defines `section(run) -> Section | None` is one."""

from __future__ import annotations

from rtgauge.registry import plugins
from rtgauge.report.blocks import Section
from rtgauge.report.view import RunView


def sections(run: RunView) -> tuple[Section, ...]:
    """All sections that this run gives rise to, in the order of the report."""
    built = (build(run) for build in plugins("rtgauge.report.sections", "section").values())
    return tuple(sorted((s for s in built if s is not None), key=lambda s: s.order))
