"""Reports of stored runs into files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rtgauge.repeats import Repeats
    from rtgauge.repeats.side_by_side import SideBySide
    from rtgauge.store.readers import StoredRun


def write_report(
    run: StoredRun, format: str, file: str | Path, repeats: Repeats | None = None, side: SideBySide | None = None
) -> None:
    """The report of `run` in `file`; "-" is standard output. `repeats`: the runs that it is one of; `side`: those in
    other environments that stand beside it."""
    from rtgauge.cli._output import write_file
    from rtgauge.report import render, view_of

    write_file(file, render(view_of(run, repeats, side), format))
