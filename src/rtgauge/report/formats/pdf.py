"""PDF: pages of A4 for print and for hand-over, from the same blocks as every other format."""

from __future__ import annotations

from collections.abc import Sequence

from rtgauge.report.blocks import Section
from rtgauge.report.sections import sections
from rtgauge.report.typeset.document import document
from rtgauge.report.typeset.printer import library, printed
from rtgauge.report.view import RunView


def render(run: RunView) -> bytes:
    """The whole report of a run. RtgaugeError where the typesetter is not installed."""
    library()  # before any work
    created = str(run.results.get("created") or run.manifest.get("created") or "")
    return page(sections(run), title="Evaluation report", created=created, run=str(run.results.get("run") or ""))


def page(built: Sequence[Section], *, title: str, created: str = "", run: str = "") -> bytes:
    """A whole document of these sections, the same bytes for the same content. `title` names the kind of document,
    `created` is its date as ISO 8601, `run` stands at the head of each page."""
    return printed(document(built, title, run), created)
