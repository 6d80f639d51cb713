"""Kernel modules of the user's, read and looked at before a guest is started with them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from rtgauge.errors import TargetError
from rtgauge.lab.files import read_file
from rtgauge.lab.image import ELF_MACHINES, is_elf
from rtgauge.lab.modules import NAME

MOST = 64 << 20  # bytes of one
_RELOCATABLE = 1  # e_type of an ELF file that is not linked yet, as modules are
_PLAIN = re.compile(r"[\x21-\x2b\x2d-\x2e\x30-\x7e]{1,100}")  # no slash, no comma, nothing that ends a line


def read_modules(paths: Sequence[Path], arch: str) -> dict[str, bytes]:
    """Their contents by name, in the given order. TargetError, in one line, for what no kernel would take as a
    module."""
    return {path.name: _read(path, arch) for path in paths}


def in_order(own: Mapping[str, bytes], ours: bytes | None) -> dict[str, bytes]:
    """All that a guest loads: the user's, then ours, unless the user brings another build of it."""
    last = {NAME: ours} if ours is not None and NAME not in own else {}
    return {**own, **last}


def names_and_hashes(own: Mapping[str, bytes]) -> str | None:
    """`NAME:SHA256 ...` in the order of loading, as a manifest has it; of a guest without any, None."""
    return " ".join(f"{name}:{hashlib.sha256(content).hexdigest()}" for name, content in own.items()) or None


def _read(path: Path, arch: str) -> bytes:
    if not _PLAIN.fullmatch(path.name):
        raise TargetError(f"the name of the module {str(path)!r} must be plain text without spaces and commas")
    content = read_file(path, MOST, "the module")
    if not is_elf(content) or len(content) < 64:
        raise TargetError(
            f"{path} is no kernel module: it is not an ELF file of 64 bits (unpack it where it is packed)"
        )
    kind, machine = (int.from_bytes(content[at : at + 2], "little") for at in (16, 18))
    if kind != _RELOCATABLE:
        raise TargetError(f"{path} is no kernel module: it is a program or a library")
    if ELF_MACHINES.get(machine) != arch:
        raise TargetError(f"the module {path} is for another processor, the board has one of {arch}")
    return content
