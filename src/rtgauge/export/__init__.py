"""Stored runs for other programs, one format in each file.

A module here that defines `render(run) -> bytes` is a format; `run` is a rtgauge.store.readers.StoredRun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rtgauge.registry import pick, plugins

if TYPE_CHECKING:
    from rtgauge.store.readers import StoredRun


def formats() -> dict[str, Any]:
    """All formats by name."""
    return plugins("rtgauge.export", "render")


def export(run: StoredRun, format: str) -> bytes:
    """The run in that format. UsageError names the legal ones, or what the run lacks for it."""
    made: bytes = pick("export format", format, formats())(run)
    return made
