"""Sizes of images, out of their files."""

from __future__ import annotations

import struct

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.freertos.elf import sizes

WRITE, ALLOC, PROGBITS, SYMTAB, STRTAB, NOBITS = 1, 2, 1, 2, 3, 8
NAMES = b"\0rtg_size_ram\0rtg_other\0rtg_size_heap\0"
SYMBOLS = ((1, 4 << 20), (14, 5), (24, 65536))  # place of the name, value


def image(bits: int) -> bytes:
    """An ELF file with code, constants, data, data that begins as zero, and symbols."""
    wide = bits == 64
    symbols = [
        struct.pack("<IBBHQQ", n, 0, 0, 0, v, 0) if wide else struct.pack("<IIIBBH", n, v, 0, 0, 0, 0)
        for n, v in SYMBOLS
    ]
    table = b"".join(symbols)
    header = 64 if wide else 52
    sections = [  # type, flags, offset, size, link, size of an entry
        (0, 0, 0, 0, 0, 0),
        (PROGBITS, ALLOC, 0, 1000, 0, 0),
        (PROGBITS, ALLOC, 0, 24, 0, 0),
        (PROGBITS, ALLOC | WRITE, 0, 300, 0, 0),
        (NOBITS, ALLOC | WRITE, 0, 5000, 0, 0),
        (SYMTAB, 0, header, len(table), 6, len(symbols[0])),
        (STRTAB, 0, header + len(table), len(NAMES), 0, 0),
        (PROGBITS, 0, 0, 7777, 0, 0),  # of a debugger
    ]
    at = header + len(table) + len(NAMES)
    form = "<IIQQQQIIQQ" if wide else "<10I"
    packed = b"".join(struct.pack(form, 0, t, f, 0, o, s, link, 0, 1, e) for t, f, o, s, link, e in sections)
    out = bytearray(header)
    out[:6] = b"\x7fELF" + (b"\x02\x01" if wide else b"\x01\x01")
    struct.pack_into("<Q" if wide else "<I", out, 40 if wide else 32, at)
    struct.pack_into("<HH", out, 58 if wide else 46, struct.calcsize(form), len(sections))
    return bytes(out) + table + NAMES + packed


@pytest.mark.parametrize("bits", [32, 64])
def test_sizes_are_those_of_what_is_loaded_and_of_the_linker_script(bits: int) -> None:
    assert sizes(image(bits)) == {"text": 1024, "data": 300, "zero": 5000, "heap": 65536, "ram": 4 << 20}


@pytest.mark.parametrize("content", [b"", b"MZ" * 100, image(64)[:200], b"\x7fELF\x02\x02" + bytes(200)])
def test_what_is_no_image_is_said(content: bytes) -> None:
    with pytest.raises(TargetError, match="no ELF file, or is cut short"):
        sizes(content)
