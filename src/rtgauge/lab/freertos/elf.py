"""What the file of an image says of its size."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from rtgauge.errors import TargetError

PREFIX = "rtg_size_"  # of symbols whose values are sizes: engine/include/rtgauge/board.h
_WRITE, _ALLOC, _NOBITS, _SYMBOLS = 1, 2, 8, 2


@dataclass(frozen=True)
class _Form:
    """Of one class of ELF files: 32 or 64 bits."""

    sections_at: tuple[str, int]  # format and place of the offset of the section headers
    count_at: int  # place of entry size and number of section headers
    section: struct.Struct
    fields: tuple[int, int, int, int, int, int]  # of a section: type, flags, offset, size, link, entry size
    symbol: struct.Struct
    name_value: tuple[int, int]  # of a symbol


_FORMS = {
    1: _Form(("<I", 32), 46, struct.Struct("<10I"), (1, 2, 4, 5, 6, 9), struct.Struct("<IIIBBH"), (0, 1)),
    2: _Form(("<Q", 40), 58, struct.Struct("<IIQQQQIIQQ"), (1, 2, 4, 5, 6, 9), struct.Struct("<IBBHQQ"), (0, 4)),
}


@dataclass(frozen=True)
class Section:
    type: int
    flags: int
    offset: int
    size: int
    link: int
    entry: int


def sizes(image: bytes) -> dict[str, int]:
    """Bytes of code and constants (`text`), of data with initial values (`data`), and of data that begins as zero
    (`zero`); and all that the linker script says under names that begin with PREFIX. TargetError where it is no
    image."""
    try:
        form = _FORMS[image[4]]
        found = list(_sections(image, form))
        told = dict(_symbols(image, form, found))
    except (LookupError, struct.error) as error:
        raise TargetError(f"the image is no ELF file, or is cut short: {error}") from error
    loaded = [one for one in found if one.flags & _ALLOC]
    return {
        "text": sum(one.size for one in loaded if not one.flags & _WRITE),
        "data": sum(one.size for one in loaded if one.flags & _WRITE and one.type != _NOBITS),
        "zero": sum(one.size for one in loaded if one.flags & _WRITE and one.type == _NOBITS),
        **{name.removeprefix(PREFIX): value for name, value in sorted(told.items()) if name.startswith(PREFIX)},
    }


def _sections(image: bytes, form: _Form) -> Iterator[Section]:
    if image[:4] != b"\x7fELF" or image[5] != 1:
        raise LookupError("not a little-endian ELF file")
    (at,) = struct.unpack_from(*form.sections_at[:1], image, form.sections_at[1])
    size, number = struct.unpack_from("<HH", image, form.count_at)
    for index in range(number):
        values = form.section.unpack_from(image, at + index * size)
        yield Section(*(values[field] for field in form.fields))


def _symbols(image: bytes, form: _Form, sections: list[Section]) -> Iterator[tuple[str, int]]:
    for table in sections:
        if table.type != _SYMBOLS:
            continue
        names = sections[table.link].offset
        for at in range(table.offset, table.offset + table.size, form.symbol.size):
            values = form.symbol.unpack_from(image, at)
            begin = names + values[form.name_value[0]]
            if image.startswith(PREFIX.encode(), begin):
                yield image[begin : image.index(b"\0", begin)].decode("ascii", "replace"), values[form.name_value[1]]
