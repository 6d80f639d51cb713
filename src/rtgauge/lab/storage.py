"""What was fetched for the lab, by its SHA-256, so that it is fetched once and checked each time it is used."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtgauge._held import held
from rtgauge.errors import TargetError

FULL_BYTES = 128 << 10  # with less than that no disk holds what is fetched
_SCRATCH = "tmp"  # the folder, and how the names in it begin


def cache_root(environ: Mapping[str, str] = os.environ) -> Path:
    """rtgauge/lab in the user's folder for what can be fetched again."""
    named = environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if named.startswith("/") else Path(os.path.expanduser("~/.cache"))  # noqa: PTH111 - never fails
    return base / "rtgauge" / "lab"


@dataclass(frozen=True)
class Storage:
    root: Path

    def put(self, content: bytes) -> str:
        """Keeps `content`; its SHA-256. What is there under that name and is damaged is written anew."""
        name = hashlib.sha256(content).hexdigest()
        if self.get(name) is None:
            self._write(self._blob(name), content)
        return name

    def get(self, name: str) -> bytes | None:
        """The content with that SHA-256; None where it is not there, or is not what it should be."""
        try:
            content = self._blob(name).read_bytes()
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == name else None

    def note(self, kind: str, name: str, content: Mapping[str, Any]) -> None:
        self._write(self._note(kind, name), (json.dumps(content, indent=1) + "\n").encode())

    def noted(self, kind: str, name: str) -> dict[str, Any] | None:
        try:
            content = json.loads(self._note(kind, name).read_bytes())
        except (OSError, ValueError):
            return None
        return content if isinstance(content, dict) else None

    def folder(self, *names: str) -> Path:
        path = self.root.joinpath(*names)
        with self.writing():
            path.mkdir(parents=True, exist_ok=True)
        return path

    @contextlib.contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Keeps others of us away from that folder for the block. Needs to write: look for what is there already before
        it, so that a cache which can only be read will do; and within it again, for another may just have made it."""
        with contextlib.ExitStack() as stack:
            with self.writing():
                lock = stack.enter_context((self.folder(name) / ".lock").open("w"))
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        """An empty folder for the block, from which what was made can be renamed to its place. Those of processes that
        were killed are removed."""
        with contextlib.ExitStack() as stack:
            with self.writing():
                folder = stack.enter_context(held(self.folder(_SCRATCH), _SCRATCH))
            yield folder

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Says what to do where the block cannot write to the cache."""
        try:
            yield
        except OSError as error:
            raise TargetError(self._refused(error.strerror or str(error))) from error

    def full(self) -> str | None:
        """Why a program that writes there will not come to its end, if so: apt waits where it should fail."""
        try:
            disk = os.statvfs(self.root)
        except OSError:
            return None
        blocks = disk.f_bavail if os.geteuid() else disk.f_bfree  # some are kept for root
        full = disk.f_blocks and blocks * disk.f_frsize < FULL_BYTES  # of a disk that says nothing nothing is known
        return self._refused("the disk is full") if full else None

    def _refused(self, why: str) -> str:
        return f"the lab's cache {self.root} cannot be written: {why}; XDG_CACHE_HOME=DIR names another place"

    def _blob(self, name: str) -> Path:
        return self.root / "blobs" / name

    def _note(self, kind: str, name: str) -> Path:
        return self.root / kind / f"{name}.json"

    def _write(self, path: Path, content: bytes) -> None:
        """Whole or not at all, whoever does the same at the same time, and also when the power fails."""
        with self.scratch() as folder, self.writing():
            path.parent.mkdir(parents=True, exist_ok=True)
            made = folder / "content"
            with made.open("wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            made.replace(path)
