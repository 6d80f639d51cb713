"""Programs of the machine that the lab calls."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from rtgauge.errors import TargetError


def finished(
    words: Sequence[str],
    within_s: float,
    late: str,
    folder: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """A program that has ended, whatever its status, with what it said. TargetError, which says `late`, where it has
    not within so many seconds."""
    try:
        return subprocess.run(
            words,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=within_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TargetError(late) from None
