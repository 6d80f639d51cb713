"""Results of other programs, one format in each file.

A module here that defines READER is a format: how its files are recognised, and what they say. A reader is a pure
function of the file's text, so that a stored run can be computed from its file again. What a file does not tell stays
unknown; what it tells of itself twice and differently is refused or marked invalid.
"""

from __future__ import annotations

from rtgauge.errors import UsageError
from rtgauge.importers._foreign import DamagedError, Foreign, Reader
from rtgauge.registry import pick, plugins

LARGEST = 64 << 20  # bytes of a file
UNITS = ("us", "ns")


def formats() -> dict[str, Reader]:
    """All formats by name."""
    return plugins("rtgauge.importers", "READER")


def read(data: bytes, format: str | None = None, unit: str | None = None) -> tuple[str, Foreign]:
    """The format and what the file says. `unit`: of its times, where it does not tell. UsageError says in one line
    what is wrong with it."""
    known = formats()
    if format is not None:
        pick("import format", format, known)
    if unit is not None:
        pick("unit", unit, dict.fromkeys(UNITS))
    text = _text(data)
    name = format or next((name for name, one in known.items() if one.recognise(text)), None)
    if name is None:
        raise UsageError(f"this is no file of a format that can be imported: legal are {', '.join(known)}")
    try:
        return name, known[name].read(text, unit)
    except DamagedError as error:
        raise UsageError(f"this is no {name} file that can be imported: {error}") from error


def _text(data: bytes) -> str:
    if len(data) > LARGEST:
        raise UsageError(f"the file is larger than {LARGEST >> 20} MiB: that is no such result")
    if not data.strip():
        raise UsageError("the file is empty")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("the file is no text in UTF-8") from None
