"""Is an engine there, does it run, and may it do more than we may?"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rtgauge.doctor._need import Need
from rtgauge.errors import RtgaugeError

BUILD = "install rtgauge again to have it built (in a clone: make evaluate)"
NAMES = {14: "cap_ipc_lock", 23: "cap_sys_nice"}


def runs(kind: str) -> Need:
    """Starts the engine of the target `kind` and has it describe its tests."""
    name = "engine" if kind == "local" else f"engine ({kind})"
    try:
        from rtgauge.targets import open_target

        about = open_target(kind).describe()
    except ImportError as error:  # the packages have a line of their own
        return Need(name, "missing", f"could not be asked: {error}")
    except RtgaugeError as error:
        return Need(name, "missing", str(error), "" if "install" in str(error) else BUILD)
    return Need(name, "ok", f"{about.engine}, {len(about.descriptors)} tests, {about.engine_path}")


def present(path: Callable[[], Path]) -> Path | None:
    """The engine's path, None when there is none."""
    try:
        found = path()
    except RtgaugeError:
        return None
    return found if found.is_file() else None


@dataclass(frozen=True)
class Granted:
    """What a file's capabilities give to the engine, beyond what the user has."""

    path: Path
    names: frozenset[str]  # of NAMES
    void: str = ""  # why the kernel ignores them, "" when it does not
    unsafe: str = ""  # why others could misuse them, "" when they cannot


def granted(path: Path, no_new_privileges: bool) -> Granted | None:
    """The capabilities of the file `path`; None when it has none."""
    try:
        names = capabilities(os.getxattr(path, "security.capability"))
        status = path.stat()
        nosuid = bool(os.statvfs(path).f_flag & os.ST_NOSUID)
    except (OSError, AttributeError):
        return None
    void = "its file system is mounted nosuid" if nosuid else ""
    if no_new_privileges:
        void = "this process may not gain privileges (no_new_privs)"
    return Granted(path, names, void, misuse(status.st_uid, status.st_mode)) if names else None


def capabilities(raw: bytes) -> frozenset[str]:
    """Names of the capabilities that take effect when a file with this security.capability attribute is run.

    Little-endian: a word with the version above and the effective flag in bit 0, then the permitted set's low word.
    """
    if len(raw) < 8:
        return frozenset()
    head, permitted = struct.unpack("<II", raw[:8])
    return frozenset(name for bit, name in NAMES.items() if head & 1 and permitted >> bit & 1)


def misuse(owner: int, mode: int) -> str:
    """Why a file with capabilities, of this owner and mode, is open to others; "" when it is not."""
    if owner != 0:
        return "it does not belong to root"
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others than root may write it"
    return "every user may run it" if mode & stat.S_IXOTH else ""
