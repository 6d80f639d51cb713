"""TOML files that users write."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from rtgauge.errors import UsageError

_READER = "tomllib" if sys.version_info >= (3, 11) else "tomli"  # the same code under two names


def read_toml(path: Path, what: str, largest: int = 1 << 20) -> dict[str, Any]:
    """The content of a file of at most `largest` bytes. UsageError names the file and why it is not `what`, e.g. "a
    questionnaire"."""
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is no file")
        with path.open("rb") as file:
            raw = file.read(largest + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:  # a null byte in the name
        raise UsageError(f"cannot read {str(path)!r}: {error}") from error
    if len(raw) > largest:
        raise UsageError(f"{path} has more than {largest} bytes: it is not {what}")
    try:
        content: dict[str, Any] = importlib.import_module(_READER).loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise UsageError(f"{path} is no text in UTF-8") from None
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply") from None
    except ValueError as error:  # of every kind that TOML knows
        raise UsageError(f"{path} is not TOML: {error}") from error
    return content
