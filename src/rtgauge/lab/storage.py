"""What was fetched for the lab, by its SHA-256, so that it is fetched once and checked each time it is used."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtgauge.errors import TargetError


def cache_root(environ: Mapping[str, str] = os.environ) -> Path:
    """rtgauge/lab in the user's folder for what can be fetched again."""
    named = environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if named.startswith("/") else Path(os.path.expanduser("~/.cache"))  # noqa: PTH111 - never fails
    return base / "rtgauge" / "lab"


@dataclass(frozen=True)
class Storage:
    root: Path

    def put(self, content: bytes) -> str:
        """Keeps `content`; its SHA-256."""
        name = hashlib.sha256(content).hexdigest()
        if not self._blob(name).exists():
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
        with self._writing():
            path.mkdir(parents=True, exist_ok=True)
        return path

    def _blob(self, name: str) -> Path:
        return self.root / "blobs" / name

    def _note(self, kind: str, name: str) -> Path:
        return self.root / kind / f"{name}.json"

    def _write(self, path: Path, content: bytes) -> None:
        """Whole or not at all, whoever does the same at the same time."""
        with self._writing():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as out:
                    out.write(content)
                Path(made).replace(path)
            except BaseException:
                with contextlib.suppress(OSError):
                    Path(made).unlink()
                raise

    @contextlib.contextmanager
    def _writing(self):  # type: ignore[no-untyped-def]
        try:
            yield
        except OSError as error:
            what = f"the lab's cache {self.root} cannot be written: {error.strerror}"
            raise TargetError(f"{what}; XDG_CACHE_HOME=DIR names another place") from error
