"""Reports of a run: the same sections in every format."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Any

from rtgauge.errors import UsageError
from rtgauge.registry import pick, plugins
from rtgauge.report.stored import view_of
from rtgauge.report.vendor import read_vendor
from rtgauge.report.view import RunView

__all__ = ["RunView", "format_names", "format_of", "is_binary", "read_vendor", "render", "suffix_of", "view_of"]

_FORMATS = "rtgauge.report.formats"


def format_names() -> list[str]:
    """The names of the formats that there are."""
    return list(plugins(_FORMATS, "render"))


def render(run: RunView, format: str, **options: Any) -> str | bytes:
    """The report of `run`. UsageError names the legal formats; options are those of the format."""
    found: str | bytes = pick("report format", format, plugins(_FORMATS, "render"))(run, **options)
    return found


def suffix_of(format: str) -> str:
    """How the files of a format end: its name, or what its module calls SUFFIX."""
    pick("report format", format, plugins(_FORMATS, "render"))
    return str(plugins(_FORMATS, "SUFFIX").get(format, format))


def is_binary(format: str) -> bool:
    """Whether a format is no text: its module says so as BINARY, or by what its `render` returns."""
    found = pick("report format", format, plugins(_FORMATS, "render"))
    said = getattr(sys.modules.get(found.__module__), "BINARY", None)
    return bool(said) if said is not None else found.__annotations__.get("return") in ("bytes", bytes)


def format_of(file: str) -> str | None:
    """The format that the end of a file's name says; None where it has none. UsageError names the legal ones."""
    end = PurePath(file).suffix.lower().removeprefix(".")
    if not end:
        return None
    by_suffix = {suffix_of(name): name for name in format_names()}
    if end not in by_suffix:
        legal = ", ".join(f".{suffix}" for suffix in by_suffix)
        raise UsageError(f"-o {file}: no format of a report ends in .{end} ({legal}): name one, or give --format")
    return by_suffix[end]
