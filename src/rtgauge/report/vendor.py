"""The comments of a vendor, from a file that the user names. What it holds is untrusted."""

from __future__ import annotations

import re
from pathlib import Path

from rtgauge.errors import UsageError

LARGEST = 64 << 10  # bytes of a file
_BETWEEN = re.compile(r"\n[ \t]*\n")


def read_vendor(file: str | Path) -> str:
    """The text of the file. UsageError where it cannot be read, is too large, is not UTF-8, or says nothing."""
    path = Path(file)
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise UsageError(f"cannot read the comments of the vendor {path}: {_why(error)}") from error
    if len(data) > LARGEST:
        raise UsageError(f"the comments of the vendor {path} are larger than {LARGEST >> 10} KiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"the comments of the vendor {path} are not text in UTF-8 (byte {error.start})") from error
    if not paragraphs(text):
        raise UsageError(f"the comments of the vendor {path} say nothing")
    return text


def paragraphs(text: str) -> tuple[str, ...]:
    """Its paragraphs, each one line; Markdown stays as it was written."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return tuple(told for one in _BETWEEN.split(lines) if (told := " ".join(one.split())))


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
