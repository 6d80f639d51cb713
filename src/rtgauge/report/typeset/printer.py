"""The typesetter, run in this process on nothing but what it is given: no file, no network, no font of the machine."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import cache
from importlib import resources
from typing import Any

from rtgauge.errors import RtgaugeError

TEMPLATES = ("words", "tables", "plots", "blocks", "page")  # in the order in which they build on each other


def printed(content: Mapping[str, Any], created: str) -> bytes:
    """The PDF of `content`, a tree of plain values. `created` is the moment of the run as ISO 8601; where it is none,
    the file carries no date: equal content gives equal bytes."""
    moment = moment_of(created)
    date = (
        None if moment is None else [moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second]
    )
    found = _closed("compile", _template(), {**content, "date": date}, timestamp=moment or _NEVER, pdf_tags=False)
    return bytes(found)


def queried(source: str, data: Any) -> Any:
    """The value of the one `metadata` in what `source` makes of `data`."""
    return json.loads(_closed("query", source, data, selector="metadata", field="value", one=True))


def moment_of(text: str) -> datetime | None:
    """The moment that ISO 8601 `text` names, in UTC to the second; none where it is no such text."""
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        moment = moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
        return moment.astimezone(timezone.utc).replace(microsecond=0)
    except (ValueError, OverflowError):
        return None


_NEVER = datetime(1970, 1, 1, tzinfo=timezone.utc)  # the clock that the typesetter sees where there is no date


def library() -> Any:
    """The typesetter. RtgaugeError says how to get it."""
    try:
        import typst
    except ImportError as error:
        raise RtgaugeError(
            "the format pdf needs the package typst, which is not installed: pip install 'rtgauge[pdf]'"
        ) from error
    return typst


def _closed(what: str, source: str, data: Any, **options: Any) -> Any:
    """Runs the typesetter in an empty folder: `source` can read nothing but `data`."""
    typst = library()
    with tempfile.TemporaryDirectory(prefix="rtgauge-pdf-") as empty:
        return getattr(typst, what)(
            source.encode(),
            root=empty,
            package_path=empty,
            package_cache_path=empty,
            ignore_system_fonts=True,
            sys_inputs={"data": json.dumps(data, ensure_ascii=False, allow_nan=False)},
            **options,
        )


@cache
def _template() -> str:
    folder = resources.files("rtgauge.report") / "templates"
    return "\n".join((folder / f"{name}.typ").read_text(encoding="utf-8") for name in TEMPLATES)
