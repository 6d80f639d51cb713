"""Kernel modules of the user's: read, ordered, named by their hashes, and refused in one line."""

from __future__ import annotations

import hashlib
import os
import struct
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.lab.address import MODULES_MOST, parse, with_options
from rtgauge.lab.kernels import Ready
from rtgauge.lab.machine import initial_files
from rtgauge.lab.modules import NAME, Module
from rtgauge.lab.own_modules import in_order, names_and_hashes, read_modules
from rtgauge.targets._guest import Told
from rtgauge.targets._lab_guest import GuestTarget


def module(machine: int = 62, kind: int = 1) -> bytes:
    return b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", kind, machine) + bytes(100)


def test_modules_of_an_address_add_up_in_their_order() -> None:
    found = parse("linux-rt?module=/b.ko&module=/a.ko,/c.ko&replica=2")
    assert [path.name for path in found.modules] == ["b.ko", "a.ko", "c.ko"]
    again = parse(found.name.partition(":")[2])
    assert (again.modules, again.replica) == (found.modules, 0)


def test_options_keep_the_modules_of_an_address() -> None:
    text = with_options("lab:linux-rt?module=/b.ko&module=/a.ko", append="quiet", replica=1)
    found = parse(text.partition(":")[2])
    assert ([path.name for path in found.modules], found.append, found.replica) == (["b.ko", "a.ko"], "quiet", 1)


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("module=/a/x.ko,/b/x.ko", "two modules have the name x.ko"),
        ("module=" + ",".join(f"/m{n}.ko" for n in range(MODULES_MOST + 1)), "64 modules at most, got 65"),
    ],
)
def test_modules_that_cannot_be_told_apart_or_are_too_many_are_refused(query: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        parse(f"linux-rt?{query}")


def test_ours_comes_last_unless_the_user_brings_another_build() -> None:
    assert list(in_order({"a.ko": b"a"}, b"ours").items()) == [("a.ko", b"a"), (NAME, b"ours")]
    assert list(in_order({NAME: b"theirs", "a.ko": b"a"}, b"ours").items()) == [(NAME, b"theirs"), ("a.ko", b"a")]
    assert in_order({}, None) == {}


def test_a_guest_finds_the_paths_of_its_modules_in_order() -> None:
    files = initial_files(b"init", b"engine", b"request", {"b.ko": b"bbbb", "a.ko": b"aaaa"})
    assert b"/b.ko\n/a.ko\n" in files
    assert b"modules\0" not in initial_files(b"init", b"engine", b"request", {})


def test_a_guest_goes_on_without_our_module_and_ends_without_one_of_the_users(tmp_path: Path) -> None:
    assert b"/a.ko\n-/rtgauge_irq.ko\n" in initial_files(b"i", b"e", b"r", {"a.ko": b"a", NAME: b"ours"}, (NAME,))
    path = tmp_path / NAME
    path.write_bytes(module())
    assert GuestTarget(parse("linux-rt"))._spare == (NAME,)
    assert GuestTarget(parse(f"linux-rt?module={path}"))._spare == ()


def test_a_module_is_named_only_where_every_guest_had_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.ko"
    path.write_bytes(module())
    target = GuestTarget(parse(f"linux-rt?module={path}"))
    target.__dict__["_module"] = Module(b"ours", "", "")
    assert list(target._taken(Told(modules=[2, 2]))) == ["a.ko", NAME]
    assert list(target._taken(Told())) == []
    assert capsys.readouterr().err == ""
    assert list(target._taken(Told(modules=[2, 1]))) == ["a.ko"]
    assert "the guest's kernel does not take it" in capsys.readouterr().err
    ready = Ready(b"bytes", "hash of the file", "origin")
    target.__dict__["_kernel"] = ready
    all_of_it, without = target._identity("/bin/true", ready), target._identity("/bin/true", ready, None, {})
    differing = {name for name in without if without[name] != all_of_it[name]}
    assert differing == {"module", "own_modules", "configuration"}
    assert (without["module"], without["own_modules"]) == (None, None)


def test_the_bytes_that_are_booted_are_named_beside_the_file_that_they_came_in() -> None:
    told = []
    for content in (b"unpacked", b"as it came"):
        target = GuestTarget(parse("linux-rt"))
        target.__dict__.update(_module=None, _kernel=Ready(content, "hash of the file", "origin"))
        told.append(target._identity("/bin/true", target._kernel))
    assert {name for name in told[0] if told[0][name] != told[1][name]} == {"kernel_booted", "configuration"}


def test_a_manifest_names_each_module_by_its_hash() -> None:
    assert names_and_hashes({}) is None
    assert names_and_hashes({"a.ko": b"a", "b.ko": b"b"}) == " ".join(
        f"{name}.ko:{hashlib.sha256(name.encode()).hexdigest()}" for name in "ab"
    )


def test_what_no_kernel_takes_is_refused_in_one_line(tmp_path: Path) -> None:
    bad = {
        "text.ko": (b"no module\n" * 100, "not an ELF file"),
        "cut.ko": (module()[:30], "not an ELF file"),
        "program.ko": (module(kind=2), "a program or a library"),
        "arm.ko": (module(machine=183), "another processor, the board has one of x86_64"),
        "a b.ko": (module(), "without spaces"),
        "a\nb.ko": (module(), "without spaces"),
    }
    for name, (content, what) in bad.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(TargetError, match=what) as caught:
            read_modules([path], "x86_64")
        assert "\n" not in str(caught.value)
    for path in (tmp_path / "gone.ko", tmp_path):
        with pytest.raises(TargetError, match=r"^the module .* cannot be read: "):
            read_modules([path], "x86_64")
    os.mkfifo(tmp_path / "pipe.ko")
    with pytest.raises(TargetError, match=r"pipe\.ko is no regular file"):
        read_modules([tmp_path / "pipe.ko"], "x86_64")


def test_modules_are_read_by_name(tmp_path: Path) -> None:
    for name in ("b.ko", "a.ko"):
        (tmp_path / name).write_bytes(module())
    assert list(read_modules([tmp_path / "b.ko", tmp_path / "a.ko"], "x86_64").items()) == [
        ("b.ko", module()),
        ("a.ko", module()),
    ]
