"""The sections of a report, one file each. A module that defines `section(run) -> Section | None` is one; one that
defines `closing(built) -> Section | None` is made of the sections that came before it."""

from __future__ import annotations

from rtgauge.registry import plugins
from rtgauge.report.blocks import Section
from rtgauge.report.view import RunView


def sections(run: RunView) -> tuple[Section, ...]:
    """All sections that this run gives rise to, in the order of the report."""
    built = [build(run) for build in plugins("rtgauge.report.sections", "section").values()]
    made = [section for section in built if section is not None]
    last = [close(made) for close in plugins("rtgauge.report.sections", "closing").values()]
    return tuple(sorted((*made, *(s for s in last if s is not None)), key=lambda section: section.order))
