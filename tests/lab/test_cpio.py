"""The archive that a kernel unpacks."""

from __future__ import annotations

from rtgauge.lab.cpio import device, file, folder, link, pack, program

ENTRIES = (
    folder("dev"),
    device("dev/console", 5, 1),
    program("init", b"\x7fELF odd"),
    file("empty", b""),
    link("l", "/init"),
)


def test_the_same_content_is_the_same_bytes() -> None:
    assert pack(ENTRIES) == pack(list(ENTRIES))
    assert pack(ENTRIES) != pack(ENTRIES[:-1])


def test_every_part_is_where_the_format_says() -> None:
    data, at, found = pack(ENTRIES), 0, []
    while True:
        assert data[at : at + 6] == b"070701"
        numbers = [int(data[at + 6 + 8 * i : at + 14 + 8 * i], 16) for i in range(13)]
        name = data[at + 110 : at + 110 + numbers[11] - 1].decode()
        begin = at + 110 + numbers[11] + -(at + 110 + numbers[11]) % 4
        if name == "TRAILER!!!":
            break
        found.append((name, numbers[1], data[begin : begin + numbers[6]], (numbers[9], numbers[10])))
        at = begin + numbers[6] + -(begin + numbers[6]) % 4
    assert found == [(one.name, one.mode, one.content, one.device) for one in ENTRIES]
