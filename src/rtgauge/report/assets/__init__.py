"""Styles, scripts and the plot library, as text that goes into the report."""

from __future__ import annotations

import importlib.metadata
from functools import cache
from importlib import resources
from pathlib import Path

from rtgauge.errors import RtgaugeError

UPLOT = ("uPlot.iife.js", "uPlot.min.css")


@cache
def own(name: str) -> str:
    """One of this package's own files."""
    return (resources.files(__name__) / name).read_text(encoding="utf-8")


@cache
def uplot() -> tuple[str, str]:
    """The plot library's script and style.

    An installed rtgauge carries both in assets/uplot/, where the build puts them. A source checkout has no such folder:
    there they are found in the distribution that the build takes them from.
    """
    folder = resources.files(__name__) / "uplot"
    if all((folder / name).is_file() for name in UPLOT):
        script, style = ((folder / name).read_text(encoding="utf-8") for name in UPLOT)
        return script, style
    found = _of_distribution()
    if found is None:
        raise RtgaugeError(
            "the plot library uPlot is not in this installation: install rtgauge again with `pip install .`, "
            "or in a source checkout `pip install --no-deps uplot-python`"
        )
    return found


def _of_distribution() -> tuple[str, str] | None:
    try:
        files = importlib.metadata.files("uplot-python") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    places = {file.name: Path(str(file.locate())) for file in files if file.name in UPLOT}
    if any(name not in places or not places[name].is_file() for name in UPLOT):
        return None
    script, style = (places[name].read_text(encoding="utf-8") for name in UPLOT)
    return script, style
