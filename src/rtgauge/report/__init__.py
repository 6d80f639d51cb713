"""Reports of a run: the same sections in every format."""

from __future__ import annotations

from typing import Any

from rtgauge.registry import pick, plugins
from rtgauge.report.stored import view_of
from rtgauge.report.view import RunView

__all__ = ["RunView", "format_names", "render", "view_of"]


def format_names() -> list[str]:
    """The names of the formats that there are."""
    return list(plugins("rtgauge.report.formats", "render"))


def render(run: RunView, format: str, **options: Any) -> str | bytes:
    """The report of `run`. UsageError names the legal formats; options are those of the format."""
    found: str | bytes = pick("report format", format, plugins("rtgauge.report.formats", "render"))(run, **options)
    return found
