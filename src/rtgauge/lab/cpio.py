"""The archive that a Linux kernel unpacks as its first file system (format newc), the same bytes for the same content:
no times, no owners, numbers in the order of the entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

FOLDER, FILE, DEVICE, LINK = 0o040000, 0o100000, 0o020000, 0o120000
_END = "TRAILER!!!"


@dataclass(frozen=True)
class Entry:
    name: str  # without a leading slash
    mode: int  # kind and permissions
    content: bytes = b""
    device: tuple[int, int] = (0, 0)


def folder(name: str) -> Entry:
    return Entry(name, FOLDER | 0o755)


def program(name: str, content: bytes) -> Entry:
    return Entry(name, FILE | 0o755, content)


def file(name: str, content: bytes) -> Entry:
    return Entry(name, FILE | 0o644, content)


def link(name: str, to: str) -> Entry:
    return Entry(name, LINK | 0o777, to.encode())


def device(name: str, major: int, minor: int) -> Entry:
    """A character device."""
    return Entry(name, DEVICE | 0o600, device=(major, minor))


def pack(entries: Iterable[Entry]) -> bytes:
    """The archive. Folders must come before what they hold."""
    out = bytearray()
    for number, entry in enumerate((*entries, Entry(_END, 0)), start=1):
        name = entry.name.encode() + b"\0"
        numbers = (number, entry.mode, 0, 0, 1, 0, len(entry.content), 0, 0, *entry.device, len(name), 0)
        out += b"070701" + b"".join(b"%08X" % one for one in numbers) + name
        out += bytes(-len(out) % 4)
        out += entry.content
        out += bytes(-len(out) % 4)
    return bytes(out)
