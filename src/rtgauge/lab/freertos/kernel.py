"""The tree of FreeRTOS that an image is built from: the fixed one, or the user's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.freertos.crate import ORIGIN, tree_of_crate
from rtgauge.lab.freertos.tree import digest_of, sources_in
from rtgauge.lab.storage import Storage

_NEEDED = ("tasks.c", "queue.c", "list.c", "timers.c", "event_groups.c", "include/FreeRTOS.h", "include/task.h")
_VERSION = re.compile(r'^\s*#define\s+tskKERNEL_VERSION_NUMBER\s+"([^"\n]{1,40})"', re.MULTILINE)
_UNSET = r"^\s*#\s*if(?:ndef\s+|\s*!\s*defined\s*\(?\s*)"
_OPTION = re.compile(_UNSET + r"((?:config|INCLUDE_)\w+|RTG_FREERTOS_COUNT\b)", re.MULTILINE)


@dataclass(frozen=True)
class Kernel:
    root: Path
    version: str  # as its headers say it
    origin: str  # where it came from, without a path of this machine
    sha256: str  # of names and contents of all sources


def kernel_of(storage: Storage, own: Path | None, say: Callable[[str], None]) -> Kernel:
    """TargetError where there is none, or the user's folder is no tree of FreeRTOS."""
    if own is None:
        root, digest = tree_of_crate(storage, say)
        return Kernel(root, version_of(root), ORIGIN, digest)
    root = tree_of_user(own)
    return Kernel(root, version_of(root), own.name, digest_of(root, sources_in(root)))


def tree_of_user(path: Path) -> Path:
    """The kernel's own folder: the one that was named, or the one called FreeRTOS-Kernel or Source in it."""
    if not path.is_dir():
        raise TargetError(f"--freertos-kernel takes the folder of a FreeRTOS kernel: there is no folder {path}")
    tried = [path, path / "FreeRTOS-Kernel", path / "Source", path / "FreeRTOS" / "Source"]
    for root in tried:
        if not missing_of(root):
            return root
    raise TargetError(f"{path} is no tree of FreeRTOS: {missing_of(path)[0]} is missing")


def missing_of(root: Path) -> list[str]:
    """Of a tree, what it has to have and has not."""
    return [name for name in _NEEDED if not (root / name).is_file()]


def version_of(root: Path) -> str:
    found = _VERSION.search((root / "include" / "task.h").read_text("utf-8", "replace"))
    return found[1] if found else "unknown"


def options_of(text: str) -> frozenset[str]:
    """The options that a header leaves to whoever includes it."""
    return frozenset(_OPTION.findall(text))
