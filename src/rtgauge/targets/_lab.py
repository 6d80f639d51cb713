"""What the kinds of systems of the lab have in common where they are run."""

from __future__ import annotations

import hashlib
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.systems import Board

SLOWNESS = 3.0  # an emulated second may take so many of the host's before a job counts as hung, and then SLACK_S
SLACK_S = 30.0
LIST_BYTES = 16 << 20  # of what an engine says of itself


def say(text: str) -> None:
    print(f"rtgauge: {text}", file=sys.stderr)


def emulator(board: Board) -> str:
    """The path of QEMU for the board. TargetError where it is missing."""
    path = shutil.which(board.program)
    if path is None:
        raise TargetError(
            f"{board.program} is missing, which emulates {board.name}: install the package {board.package}"
        )
    return str(Path(path).resolve())


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def within(seconds: float) -> Callable[[], str | None]:
    until = time.monotonic() + seconds
    return lambda: f"gave no answer within {seconds:.0f} s" if time.monotonic() > until else None
