"""The smallest kernels that QEMU boots: they say something on the serial line, and then do one thing."""

from __future__ import annotations

import struct

BASE = 0x100000
STOPS = b"\xfa\xf4\xeb\xfc"  # cli; hlt; again
SPINS = b"\xfa\xeb\xfe"  # cli; jump to itself
RESETS = b"\x0f\x01\x1d\0\0\0\0\xcc"  # takes an empty table of interrupts, then one: a triple fault
CHATTERS = b"\x66\xba\xf8\x03\xb0\x41\xee\xeb\xfd"  # writes for ever


def elf(code: bytes, machine: int = 62, note: bool = True) -> bytes:
    """An ELF file with the code at BASE and, with `note`, the word where it is entered without firmware."""
    header, segment, segments = 64, 56, 2 if note else 1
    notes = struct.pack("<III4sQ", 4, 8, 18, b"Xen\0", BASE) if note else b""
    at = header + segments * segment
    out = b"\x7fELF\x02\x01\x01" + bytes(9)
    out += struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, BASE, header, 0, 0, header, segment, segments, 0, 0, 0)
    place = at + len(notes)
    out += struct.pack("<IIQQQQQQ", 1, 7, place, BASE, BASE, len(code), len(code), 16)
    if note:
        out += struct.pack("<IIQQQQQQ", 4, 4, at, 0, 0, len(notes), len(notes), 4)
    return out + notes + code


def saying(text: str, then: bytes) -> bytes:
    """A kernel that writes a line and goes on with `then`."""
    code = b"\x66\xba\xf8\x03" + b"".join(bytes([0xB0, byte, 0xEE]) for byte in (text + "\n").encode())
    return elf(code + then)


def bzimage(payload: bytes, paragraphs: int = 0) -> bytes:
    """A bzImage with a payload, of one sector of setup. `paragraphs`: what its header says of what follows that."""
    out = bytearray(1024)
    out[0x1F1] = 1
    out[0x1FE:0x206] = b"\x55\xaa\0\0HdrS"
    struct.pack_into("<I", out, 0x1F4, paragraphs)
    struct.pack_into("<H", out, 0x206, 0x20F)
    struct.pack_into("<II", out, 0x248, 0, len(payload))
    return bytes(out) + payload
