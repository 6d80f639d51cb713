"""The options that the kernel of a run was built with, as a file of its folder."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

from rtgauge.store.files import read_stored
from rtgauge.store.folder import KERNEL_CONFIG, RunFolder

MOST = 4 << 20  # bytes, unpacked
NOT_SET = "n"
_SET = re.compile(r"(CONFIG_[A-Za-z0-9_]{1,200})=([ -~]{0,4096})")
_UNSET = re.compile(r"# (CONFIG_[A-Za-z0-9_]{1,200}) is not set")


def write_config(folder: RunFolder, text: str) -> None:
    """Keeps it as /proc/config.gz has it. Raises StoreError when the disk refuses."""
    packed = gzip.compress(text.encode("utf-8", "replace")[:MOST], mtime=0)
    folder.write(KERNEL_CONFIG, lambda file: file.write(packed))


def read_config(path: Path) -> dict[str, str] | None:
    """The options of the run in that folder; None where it has none, or they cannot be read."""
    try:
        packed = read_stored(path / KERNEL_CONFIG, MOST)
        text = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed, MOST)
    except (OSError, zlib.error):
        return None
    return options(text.decode("utf-8", "replace"))


def options(text: str) -> dict[str, str]:
    """Each option by its name: y, m, a number or a text as it is written there; NOT_SET where that is said."""
    found = {}
    for line in text.splitlines():
        if match := _SET.fullmatch(line):
            found[match[1]] = match[2]
        elif match := _UNSET.fullmatch(line):
            found[match[1]] = NOT_SET
    return found
