"""What a reservation changes, written down before it is changed, so that anyone can put it back.

A line of JSON for each change; the first tells of the reservation. The file lies in a folder that is empty after a
restart of the system, as are the changes themselves. It is locked for as long as the one who reserved, or the guardian,
lives.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path("/run/rtgauge")
NAME = "reservation.json"


class BusyError(Exception):
    """Somebody holds the journal."""


class Journal:
    """Raises OSError where the file cannot be written, BusyError where another reservation is in force."""

    def __init__(self, folder: Path, head: dict[str, Any]) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        self.path = folder / NAME
        self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_APPEND, 0o600)
        try:
            hold(self.handle)
            if not self.path.exists() or not os.path.samestat(os.fstat(self.handle), self.path.stat()):
                raise BusyError  # whoever had it is just taking it away
            if os.fstat(self.handle).st_size:
                raise BusyError  # of somebody who was killed since we looked: the next one puts back what it says
            self.add([head])
        except BaseException:
            os.close(self.handle)
            raise

    def add(self, changes: Iterable[dict[str, Any]]) -> None:
        """Before the changes are made."""
        rest = "".join(json.dumps(one) + "\n" for one in changes).encode()
        while rest:
            rest = rest[os.write(self.handle, rest) :]

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.handle)


def hold(handle: int, patience_s: float = 0.0) -> None:
    """Raises BusyError where somebody else holds it for longer than that: a guardian at work is done before."""
    until = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise BusyError from None
        time.sleep(0.02)


def entries(path: Path) -> list[dict[str, Any]]:
    """All whole lines. A line that was cut off belongs to a change that was not made."""
    found = []
    for line in path.read_text("utf-8", "replace").splitlines():
        try:
            one = json.loads(line)
        except ValueError:
            continue
        if isinstance(one, dict):
            found.append(one)
    return found
