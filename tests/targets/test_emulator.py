"""What an emulator and its guest say of their end, in the words of a run."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.machine import SHARED_BYTES
from rtgauge.targets import _guest
from rtgauge.targets._emulator import TAIL_LINES, ended_by, reason, telling
from rtgauge.targets._guest import _how

QEMU = "qemu-system-x86_64: "
BEFORE, AFTER = [f"line {n}" for n in range(40)], [f"frame {n}" for n in range(60)]


def test_the_lines_around_the_first_that_tells_of_trouble_are_kept() -> None:
    panic = "[    1.7] Kernel panic - not syncing: no fun"
    assert telling("\n".join([*BEFORE, panic, "", *AFTER])) == [*BEFORE[-TAIL_LINES:], panic, *AFTER]
    oops = "[    1.2] Oops: 0002 [#1] PREEMPT_RT"
    assert telling("\n".join([oops, *AFTER, panic])) == [oops, *AFTER, panic]
    assert telling("\n".join(BEFORE)) == BEFORE[-TAIL_LINES:]
    assert telling("") == []


@pytest.mark.parametrize(
    ("complaint", "who"),
    [
        (f"{QEMU}terminating on signal 15 from pid 77 (sh)\n", "signal 15 of process 77 (sh)"),
        (f"{QEMU}terminating on signal 2 from pid 77 (<unknown process>)\n", "signal 2 of process 77"),
        (f"{QEMU}terminating on signal 1\n", "signal 1"),
        (f"{QEMU}warning: something\n", None),
    ],
)
def test_who_ended_the_emulator_is_read_from_its_complaint(complaint: str, who: str | None) -> None:
    assert ended_by(complaint) == who


def test_the_reason_is_the_last_line_in_plain_text() -> None:
    assert reason(f"{QEMU}warning: x\n{QEMU}unable to map\x1b[31m\n\n") == "unable to map [31m"
    assert (reason(""), len(reason("x" * 1000))) == ("", 200)


@pytest.mark.parametrize(
    ("status", "complaint", "console", "how"),
    [
        (0, "", "", "which switched itself off"),
        (0, f"{QEMU}warning: x\n", "bye\n", "which switched itself off"),
        (0, f"{QEMU}terminating on signal 15 from pid 77 (sh)\n", "", "from outside by signal 15 of process 77 (sh)"),
        (
            0,
            f"{QEMU}terminating on signal 15 from pid 7 (sh)\n",
            "Kernel panic - not x: y\n",
            "which panicked: not x: y",
        ),
        (1, f"{QEMU}Error while loading elf kernel\n", "", "ended with status 1 (Error while loading elf kernel)"),
        (1, "", "", "QEMU ended with status 1"),
        (-9, "", "", "whose emulator was killed by signal 9"),
        (-6, "assertion failed\n", "", "was killed by signal 6 (assertion failed)"),
    ],
)
def test_how_a_guest_was_lost(status: int, complaint: str, console: str, how: str) -> None:
    assert _how(status, complaint, console).endswith(how)


@pytest.fixture
def _small_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("_small_files")
def test_a_limit_for_files_is_named_with_what_is_needed() -> None:
    refuses = "which this system refuses: raise ulimit -f"
    with pytest.raises(TargetError, match=f"of 1024 MiB, {refuses}"), _guest._memory("shared", b"") as file:
        _guest._enlarge(file, SHARED_BYTES)
    content = bytes((1 << 20) + 1)
    with pytest.raises(TargetError, match=f"of 2 MiB, {refuses}"), _guest._memory("kernel", content):
        pass


def test_too_many_open_files_are_no_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_name: str) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "memfd_create", refused)
    what = "more open files than are allowed: raise ulimit -n"
    with pytest.raises(TargetError, match=what), _guest._memory("kernel", b""):
        pass
