"""A program for a guest, with all that it needs."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.lab import loads, programs
from rtgauge.lab.loads import GuestLoad, load_of
from rtgauge.lab.packages import Fetched
from rtgauge.lab.programs import Elf, Program, program_of
from rtgauge.lab.shared import MEASURES, SIZE, Header, read_header
from rtgauge.lab.storage import Storage
from rtgauge.loads.hackbench import GUEST_LOOPS, LOAD

ROUND = f"Each sender will pass {GUEST_LOOPS} messages of 100 bytes\nTime: 0.5\n"
MESSAGES = 10 * 20 * 20 * GUEST_LOOPS


def elf(needed: tuple[str, ...] = (), name: str = "", interpreter: str = "") -> bytes:
    """An ELF file that says what it needs, and nothing else."""
    base, strings = 0x1000, bytearray(b"\0")
    tags = []
    for tag, text in (*((1, one) for one in needed), *([(14, name)] if name else [])):
        tags.append((tag, len(strings)))
        strings += text.encode() + b"\0"
    at = 64 + 3 * 56
    tags.append((5, base + at))
    dynamic = b"".join(struct.pack("<qQ", *pair) for pair in (*tags, (0, 0)))
    body = bytes(strings) + dynamic + interpreter.encode() + b"\0"
    dynamic_at, interpreter_at = at + len(strings), at + len(strings) + len(dynamic)
    segments = [(1, 0, base, at + len(body)), (2, dynamic_at, 0, len(dynamic))]
    segments += [(3, interpreter_at, 0, len(interpreter) + 1)] if interpreter else [(0, 0, 0, 0)]
    out = b"\x7fELF\x02\x01\x01" + bytes(9)
    out += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 3, 0, 0, 0)
    for kind, offset, address, size in segments:
        out += struct.pack("<IIQQQQQQ", kind, 4, offset, address, address, size, size, 1)
    return out + body


@pytest.fixture
def distribution(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, bytes]]:
    """Packages and the files that they have."""
    have = {
        "rt-tests": {"/usr/bin/hackbench": elf(("libnuma.so.1", "libc.so.6"), interpreter="/lib64/ld-linux.so.2")},
        "libc6": {"/lib/ld-linux.so.2": elf(name="ld-linux.so.2"), "/lib/libc.so.6": elf(("ld-linux.so.2",))},
        "libnuma1": {"/usr/lib/libnuma.so.1.0.0": elf(("libc.so.6",), "libnuma.so.1"), "/usr/lib/libold.so": b"!<ar"},
    }

    def fetch(storage: Storage, _name: str, _arch: str, patterns: list[str], _wanted: str, _say: object) -> Fetched:
        return Fetched(patterns[0], "1.0", "", {path: storage.put(one) for path, one in have[patterns[0]].items()})

    monkeypatch.setattr(programs, "fetch", fetch)
    return have


def found(tmp_path: Path) -> Program:
    storage = Storage(tmp_path / "cache")
    return program_of(storage, "x86_64", "hackbench", "rt-tests", LOAD.libraries, lambda _: None)


@pytest.mark.usefixtures("distribution")
def test_libraries_are_found_by_the_names_that_they_give_themselves(tmp_path: Path) -> None:
    program = found(tmp_path)
    assert sorted(program.files) == [
        "bin/hackbench",
        "lib/ld-linux.so.2",
        "lib/libc.so.6",
        "lib/libnuma.so.1",
        "lib64/ld-linux.so.2",
    ]
    assert program.version.startswith("rt-tests 1.0, SHA-256 ")
    archive = program.archive(("-l", "5"))
    assert b"/bin/hackbench\0-l\x005\0" in archive
    assert archive == found(tmp_path).archive(("-l", "5"))
    assert archive.index(b"lib64\0") < archive.index(b"lib64/ld-linux.so.2\0")


def test_another_library_is_another_version(distribution: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    before = found(tmp_path)
    distribution["libc6"]["/lib/libc.so.6"] += b"\0"
    after = found(tmp_path)
    assert after.version != before.version
    assert after.sha256 != before.sha256
    assert after.sha256.startswith(after.version.rpartition(" ")[2])


def test_a_library_that_nobody_has_is_named(distribution: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    del distribution["libnuma1"]["/usr/lib/libnuma.so.1.0.0"]
    with pytest.raises(TargetError, match=r"hackbench of rt-tests needs the library libnuma\.so\.1"):
        found(tmp_path)


def test_damaged_files_are_refused() -> None:
    whole = elf(("libc.so.6",), "me")
    assert (Elf(whole).needed, Elf(whole).name, Elf(whole).interpreter) == (("libc.so.6",), "me", "")
    for damaged in (b"", b"#!/bin/sh", whole[:50], whole[: 64 + 60], whole[: 64 + 3 * 56 + 4]):
        try:
            assert Elf(damaged).needed == ()
        except TargetError:
            continue


def test_only_programs_among_the_loads_are_sent_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[object] = []

    def program_of(*words: object) -> Program:
        asked.append(words)
        return Program("/p", {}, "1")

    monkeypatch.setattr(loads, "program_of", program_of)
    storage = Storage(tmp_path)
    assert load_of(storage, "x86_64", "none", print) is None
    assert load_of(storage, "x86_64", "cpu+disk", print) is None
    assert not asked
    load = load_of(storage, "x86_64", "cpu+hackbench", print)
    assert load is not None
    assert load.load is LOAD
    with pytest.raises(UsageError, match="one program as a load"):
        load_of(storage, "x86_64", "hackbench+stress-ng", print)


def load() -> GuestLoad:
    return GuestLoad(LOAD, Program("/bin/hackbench", {}, "rt-tests 1.0"))


def test_what_it_did_is_told_in_virtual_time() -> None:
    boots = [Header(load_begun_ns=10**9, ended_ns=3 * 10**9, load_rounds=4, load_output=ROUND)]
    told = load().report(boots)
    assert (told.achieved, told.exposure_ns, told.reached, told.note) == (2 * MESSAGES, 2 * 10**9, True, None)
    assert (told.implementation, told.version) == ("hackbench", "rt-tests 1.0")
    assert told.args == f"--groups 10 --loops {GUEST_LOOPS} on CPU 0"
    told = load().report([*boots, Header(load_begun_ns=10**9)])  # a guest that was lost says nothing
    assert told.achieved == 2 * MESSAGES


def test_a_load_that_did_nothing_is_not_reached() -> None:
    lost = load().report([])
    assert (lost.achieved, lost.reached, lost.note) == (0, False, "it did not say what it did")
    none = load().report([Header(load_begun_ns=10**9, ended_ns=2 * 10**9)])
    assert (none.reached, none.note) == (False, "not one round of it came to its end")
    failed = Header(load_begun_ns=10**9, ended_ns=2 * 10**9, load_status=127, load_output="no such library\n")
    assert load().report([failed]).note == "it ended with status 127: no such library"


def test_the_header_is_not_trusted() -> None:
    begin = struct.pack("<6QiI2Q", 0x3149544755414752, 1 << 20, 1, 90, 3, 0, 0, 2, 40, 7)
    whole = begin + struct.pack("<2QiI 2048s", 5, 6, 1, 4, b"abc\xffde")
    header = read_header(whole, 1 << 20)
    assert (header.load_begun_ns, header.load_rounds, header.load_status) == (5, 6, 1)
    assert header.load_output == "abc�"
    assert (header.busy_ns, header.modules) == (49, 7)
    assert replace(header, state=MEASURES).busy_ns == replace(header, idle_ns=1 << 60).busy_ns == 0
    assert read_header(begin + struct.pack("<2QiI 2048s", 5, 6, 1, 1 << 31, b""), 1 << 20).load_output == "\0" * 2048
    assert read_header(whole[: SIZE - 1], 1 << 20) == Header()
