"""SHA-256 of a tree of sources, wherever it lies on this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from rtgauge.errors import TargetError

_SOURCES = frozenset((".c", ".h", ".S", ".s", ".asm"))
_MOST = 20_000  # files


def digest_of(root: Path, files: Iterable[Path]) -> str:
    """Of names below `root` and contents, in an order of its own."""
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in set(files)):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def sources_in(root: Path) -> Iterator[Path]:
    """Those of a FreeRTOS kernel. TargetError where there are far too many."""
    folders = ((root / name).rglob("*") for name in ("include", "portable"))
    for number, path in enumerate(chain(root.iterdir(), *folders)):
        if number > _MOST:
            raise TargetError(f"{root} has more than {_MOST} files: is it a tree of FreeRTOS?")
        if path.suffix in _SOURCES and path.is_file():
            yield path
