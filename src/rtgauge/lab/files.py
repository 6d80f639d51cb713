"""Files that the user names, read whole."""

from __future__ import annotations

import stat
from pathlib import Path

from rtgauge.errors import TargetError


def read_file(path: Path, most: int, what: str) -> bytes:
    """The content; `what` says what it should be. TargetError where it cannot be read, is larger than `most`, or is no
    regular file: nobody may ever write to a pipe, and some devices have no end."""
    try:
        if not path.is_dir() and not stat.S_ISREG(path.stat().st_mode):
            raise TargetError(f"{what} {path} is no regular file")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise TargetError(f"{what} {path} cannot be read: {error.strerror}") from error
    if len(content) > most:
        raise TargetError(f"{what} {path} is larger than {most >> 20} MiB")
    return content
