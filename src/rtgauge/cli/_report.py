"""Reports of stored runs into files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rtgauge.repeats import Repeats
    from rtgauge.repeats.side_by_side import SideBySide
    from rtgauge.store.readers import StoredRun


def write_report(
    run: StoredRun,
    format: str,
    file: str | Path,
    repeats: Repeats | None = None,
    side: SideBySide | None = None,
    *,
    opinions: Mapping[str, Any] | None = None,
    vendor: str = "",
) -> None:
    """The report of `run` in `file`; "-" is standard output. `repeats`: the runs that it is one of; `side`: those in
    other environments that stand beside it; `opinions`: answers of a questionnaire; `vendor`: comments."""
    from rtgauge.cli._output import write_file
    from rtgauge.report import render, view_of

    view = replace(view_of(run, repeats, side), opinions=opinions or {}, vendor=vendor)
    write_file(file, render(view, format))
