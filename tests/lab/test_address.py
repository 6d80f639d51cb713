"""Addresses of guests, and the data behind them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import UsageError
from rtgauge.lab.address import check_options, parse, parse_here, with_options
from rtgauge.lab.machine import attached_line, digest, initial_files, kernel_line, machine_line, machine_words
from rtgauge.lab.packages import newest
from rtgauge.lab.shared import TRACE_AT, Header, read_header
from rtgauge.lab.storage import Storage
from rtgauge.lab.systems import lab

NAMES = [
    f"linux-image-{name}"
    for name in (
        "6.1.0-9-rt-amd64-unsigned",
        "6.1.0-56-rt-amd64-unsigned",
        "6.12.117+deb12-rt-amd64-unsigned",
        "6.12.117+deb12-amd64-unsigned",
        "6.12.99+deb12-amd64-unsigned",
        "6.12.117+deb12-cloud-amd64-unsigned",
        "6.12.200+deb12-rt-amd64-dbg",
        "rt-amd64",
    )
]


def test_every_system_runs_on_boards_that_are_there_with_a_kernel_that_is_known() -> None:
    for system in lab().systems.values():
        for name in system.boards:
            board = lab().boards[name]
            assert not system.kernel or lab().kernels[system.kernel][board.arch]
            assert f"lab:{system.name}@{name}" == parse(f"{system.name}@{name}?kernel=/k").name.partition("?")[0]


def test_the_newest_package_is_taken_and_no_other_kind() -> None:
    kernels = lab().kernels
    assert newest(NAMES, kernels["rt"]["x86_64"]) == "linux-image-6.12.117+deb12-rt-amd64-unsigned"
    assert newest(NAMES, kernels["generic"]["x86_64"]) == "linux-image-6.12.117+deb12-amd64-unsigned"
    assert newest(NAMES, kernels["generic"]["aarch64"]) is None


def test_an_address_is_read_and_written_again() -> None:
    text = with_options("lab:linux-rt", kernel="/a b/bz&Image", append="nohz=on  quiet", replica=3)
    found = parse(text.partition(":")[2])
    assert (found.kernel, found.append, found.replica) == (Path("/a b/bz&Image"), "nohz=on quiet", 3)
    again = parse(found.name.partition(":")[2])
    assert (again.kernel, again.append, again.replica) == (found.kernel, found.append, 0)
    assert with_options("local") == "local"


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ("", "legal are linux, linux-none"),
        ("linux-ful", "did you mean linux-full"),
        ("linux-none@virt-a53", "legal are q35"),
        ("linux-none@", "needs a system"),
        ("linux", "--kernel FILE"),
        ("linux-rt?colour=red", "legal are kernel, append, module, replica"),
        ("linux-rt?replica=-1", "a number from 0"),
        ("linux-rt?append=%0ainit%3d/x", "plain text"),
        ("linux-rt?append=" + "x" * 2000, "at most"),
        ("linux-rt?kernel", "cannot read"),
        ("linux-rt?kernel=", "kernel must be a path, got nothing"),
        ("linux-rt?kernel=a%00b", r"kernel must be a path, got 'a\x00b'"),
        ("linux-rt?module=a%00/b.ko", "module must be a path"),
    ],
)
def test_a_wrong_address_names_what_is_legal(rest: str, what: str) -> None:
    with pytest.raises(UsageError, match=re.escape(what)):
        parse(rest)


def test_options_of_the_lab_are_for_the_lab() -> None:
    with pytest.raises(UsageError, match="not for local"):
        with_options("local", append="x")
    with pytest.raises(UsageError, match="not for local"):
        check_options(["lab:linux-rt", "local"], ["--kernel"])
    check_options(["local"], [])


def test_a_user_that_is_not_known_is_part_of_a_name() -> None:
    """As for a shell."""
    found = parse("linux-rt?kernel=~no-such-user/x&module=~no-such-user/a.ko")
    assert (found.kernel, found.modules) == (Path.cwd() / "~no-such-user/x", (Path.cwd() / "~no-such-user/a.ko",))
    assert parse_here("freertos?kernel=~no-such-user/x").kernel == Path.cwd() / "~no-such-user/x"
    assert parse("linux-rt?kernel=~/x").kernel == Path.home() / "x"


@pytest.mark.parametrize(
    ("targets", "option", "what"),
    [
        (["lab:freertos"], "--kernel", "--kernel is not for lab:freertos: a FreeRTOS kernel is given by --freertos-k"),
        (["lab:freertos@virt-a53", "posix:freertos"], "--kernel", "not for lab:freertos@virt-a53, posix:freertos: "),
        (["posix:freertos"], "--kernel-append", "its options are given by ?config=NAME=VALUE"),
        (["lab:linux-rt"], "--freertos-kernel", "not for lab:linux-rt: a Linux kernel is given by --kernel FILE"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(targets: list[str], option: str, what: str) -> None:
    with pytest.raises(UsageError, match=re.escape(what)):
        check_options(targets, [option])
    check_options([*targets, "lab:linux-rt", "lab:freertos"], [option])  # it is for the one or the other of these


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["run", "lab:freertos", "--kernel", "mytree"], "--kernel is not for lab:freertos: "),
        (["run", "lab:linux-rt", "--freertos-kernel", "mytree"], "--freertos-kernel is not for lab:linux-rt: "),
        (["evaluate", "posix:freertos", "--kernel-append", "quiet"], "--kernel-append is not for posix:freertos: "),
        (["compare", "lab:freertos", "last", "--kernel", "mytree"], "--kernel is not for lab:freertos: "),
        (["run", "lab:linux-rt", "--kernel", ""], "--kernel must be a path, got nothing"),
        (["run", "lab:linux-rt?replica=3", "--replicas", "5"], "lab:linux-rt?replica=3 names one replica, and --repl"),
        (["run", "lab:freertos?replica=0", "--replicas", "1"], "lab:freertos?replica=0 names one replica"),
        (["run", "posix:freertos", "--replicas", "3"], "posix:freertos has no replicas"),
        (["run", "fake", "--replicas", "1"], "--replicas are for targets of the lab, not for fake"),
    ],
)
def test_what_would_be_dropped_in_silence_is_told_before_anything_is_measured(
    words: list[str],
    what: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def measured(*_: object) -> None:
        raise UsageError("it would have been measured")

    monkeypatch.setattr("rtgauge.cli._measure.measured", measured)
    assert main([*words, "--store", str(tmp_path / "store")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert what in err
    assert not (tmp_path / "store").exists()


def test_the_command_line_makes_time_count_instructions() -> None:
    address = parse("linux-full@q35?append=nohz=on&replica=2")
    line = f"{machine_line(address)} {attached_line(address)}"
    for words in ("-icount shift=1,sleep=off,rr=record", "-smp 1", "-seed 1", "clock=vm", "-nic none", "-nodefaults"):
        assert words in line
    assert kernel_line(parse("linux-full?append=preempt=none")).endswith(
        "preempt=full preempt=none"
    )  # the last one counts
    assert "rtgauge.virtual=2" in kernel_line(parse("linux-rt"))
    assert "-kernel /x/kernel" in " ".join(
        machine_words(parse("linux-rt"), {n: f"/x/{n}" for n in ("kernel", "initrd", "console", "shared")})
    )


def test_nothing_of_the_boot_goes_on_beside_the_tests_and_the_user_has_the_last_word() -> None:
    words = kernel_line(parse("linux-rt?append=cryptomgr.notests=0")).split()
    assert "cryptomgr.notests" in words
    assert words[-1] == "cryptomgr.notests=0"


def test_a_replica_changes_the_start_time_and_a_word_and_nothing_else() -> None:
    assert machine_line(parse("linux-rt")) == machine_line(parse("linux-rt?replica=7"))
    plain, other = attached_line(parse("linux-rt")).split(), attached_line(parse("linux-rt?replica=7")).split()
    assert set(other) - set(plain) == {"base=2020-01-03T01:08:31,clock=vm", "rtgauge.replica=7"}
    assert set(plain) - set(other) == {"base=2020-01-01T00:00:00,clock=vm"}


def test_the_request_lies_behind_what_never_changes() -> None:
    one, other = initial_files(b"i", b"engine", b"A" * 50), initial_files(b"i", b"engine", b"B" * 50)
    differs = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    assert differs[0] > one.index(b"engine")
    assert len(differs) == 50


def test_digests_are_of_values_not_of_their_order() -> None:
    assert digest({"a": 1, "b": None}) == digest({"b": None, "a": 1}) != digest({"a": 1, "b": "None"})


@pytest.mark.parametrize(
    ("raw", "room"),
    [
        (b"", 1 << 20),
        (bytes(64), 1 << 20),
        (b"RGAUGTI1" + b"\xff" * 56, 1 << 20),
        (b"RGAUGTI1" + bytes(24) + b"\xff" * 24, 1 << 20),
    ],
)
def test_nothing_impossible_is_taken_from_a_guest(raw: bytes, room: int) -> None:
    found = read_header(raw, room)
    assert found == Header()
    assert found.tail <= room - TRACE_AT


def test_what_is_kept_is_found_again_unless_it_was_changed(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "cache")
    name = storage.put(b"kernel")
    assert storage.get(name) == b"kernel"
    (tmp_path / "cache" / "blobs" / name).write_bytes(b"other")
    assert storage.get(name) is None
    storage.note("kind", "one", {"a": 1})
    assert storage.noted("kind", "one") == {"a": 1}
    assert storage.noted("kind", "two") is None
