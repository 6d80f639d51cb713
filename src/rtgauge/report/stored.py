"""From a run folder to what the report shows."""

from __future__ import annotations

from typing import Any

from rtgauge.report.view import RunView


def view_of(stored: Any) -> RunView:
    return RunView(stored.results, stored.manifest, (), stored.problems)
