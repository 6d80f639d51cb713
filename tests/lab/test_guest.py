"""Guests that go wrong: what happened is said, what was measured is kept, and nobody stays behind."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.address import parse
from rtgauge.lab.machine import machine_words
from rtgauge.lab.shared import ENDED, Header
from rtgauge.lab.storage import Storage
from rtgauge.model import Job, RunSpec
from rtgauge.targets import _emulator, _follow, _guest, _lab, _lab_guest
from rtgauge.targets.base import Ending, Stop
from tests.lab.kernels import CHATTERS, RESETS, SPINS, STOPS, elf, saying

SPEC = RunSpec(jobs=(Job("THR-P-SLS", 10, {"threads": 2}), Job("CAL-P-TRC", 10)))
LIMITS = (30.0, 30.0)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no QEMU here: apt-get install qemu-system-x86")
    program = tmp_path / "program"
    program.write_bytes(b"#!/bin/false\n")
    monkeypatch.setattr(_lab_guest, "find_engine", lambda *_names: program)
    monkeypatch.setattr(_emulator, "STILL_S", 1.0)
    monkeypatch.setattr(_follow, "BETWEEN_S", 1.0)


def run(tmp_path: Path, kernel: bytes, stop: Stop | None = None, more: str = "") -> Ending:
    path = tmp_path / "kernel"
    path.write_bytes(kernel)
    target = _lab_guest.GuestTarget(parse(f"linux@q35?kernel={path}{more}"), Storage(tmp_path / "cache"))
    return target.run(SPEC, LIMITS, lambda _chunk, _events: None, stop or Stop())


def told(ending: Ending) -> str:
    assert ending.why is not None
    assert "\n" not in ending.why
    return ending.why


def test_a_guest_that_stops_is_ended_and_its_last_words_are_kept(tmp_path: Path) -> None:
    ending = run(tmp_path, saying("last words", STOPS))
    assert "before a test began: 2 of 2 tests are left out" in told(ending)
    assert "the guest's console: last words" in ending.notes


def test_an_emulator_that_takes_no_time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    worked, at = [1.0], [0.0]
    monkeypatch.setattr(_emulator.time, "monotonic", lambda: at[0])
    still = _emulator.Still(lambda: worked[0])
    assert still.why() is None
    at[0] = 10.0
    worked[0] = 1.5
    assert still.why() is None
    at[0] = 11.5
    assert still.why() == "stood still for 1 s with its guest"


def test_a_guest_that_spins_for_ever_is_ended(tmp_path: Path) -> None:
    assert "began no test for 1 s and was stopped before" in told(run(tmp_path, saying("spinning", SPINS)))


def test_a_guest_that_hangs_in_silence_is_told_how_to_speak(tmp_path: Path) -> None:
    ending = run(tmp_path, elf(SPINS))
    assert "and was stopped, with nothing on the guest's console before a test began" in told(ending)
    assert any("--kernel-append 'earlyprintk=ttyS0 ignore_loglevel'" in note for note in ending.notes)


def test_silence_is_told_only_where_it_means_something(tmp_path: Path) -> None:
    assert "switched itself off, with nothing on the guest's console before" in told(run(tmp_path, elf(RESETS)))


def test_the_console_of_a_guest_that_ended_well_takes_no_others_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next guest's, which has nothing to say of the one that was lost."""
    known = _guest.Told(console="Kernel panic - not syncing: first\n")
    monkeypatch.setattr(_guest, "read_header", lambda *_: Header(state=ENDED))
    files = {"kernel": saying("second", SPINS), "initrd": b""}
    address = parse(f"linux@q35?kernel={tmp_path}")
    program = shutil.which("qemu-system-x86_64") or ""

    def words(paths: Mapping[str, str]) -> list[str]:
        return [program, *machine_words(address, paths)]

    ended = _guest.converse(words, files, _emulator.Watch(), known, lambda _: None, lambda: None, Stop(), 1 << 20)
    assert (ended.status, known.console) == (0, "Kernel panic - not syncing: first\n")


def test_an_emulator_that_somebody_ended_is_no_guest_that_switched_itself_off(tmp_path: Path) -> None:
    asked: list[str] = []

    def look() -> None:
        """Asked for between two looks: once it takes the signal for an order, the emulator is told to end."""
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        about = {one: Path(f"/proc/{one}/status").read_text() for one in children}
        handled = {one: int(text.partition("SigCgt:")[2].split()[0], 16) for one, text in about.items()}
        running = [one for one in children if "qemu" in about[one] and handled[one] >> (signal.SIGTERM - 1) & 1]
        if running and not asked:
            os.kill(int(running[0]), signal.SIGTERM)
            asked.append(running[0])

    ending = run(tmp_path, saying("spinning", SPINS), Stop(look))
    assert f"ended from outside by signal 15 of process {os.getpid()}" in told(ending)


def test_what_qemu_says_of_its_end_is_in_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "qemu"
    program.write_text("#!/bin/sh\necho 'qemu-system-x86_64: no room for the guest' >&2; exit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(_lab_guest, "emulator", lambda _board: str(program))
    assert "QEMU ended with status 1 (no room for the guest) before a test" in told(run(tmp_path, elf(SPINS)))


def test_a_guest_that_resets_itself_is_lost(tmp_path: Path) -> None:
    assert "was lost with its guest, which switched itself off" in told(run(tmp_path, saying("oh", RESETS)))


def test_a_panic_is_told_in_the_kernels_words(tmp_path: Path) -> None:
    ending = run(tmp_path, saying("Kernel panic - not syncing: no fun", RESETS))
    assert "panicked: not syncing: no fun" in told(ending)


def test_a_guest_that_gives_up_says_why(tmp_path: Path) -> None:
    ending = run(tmp_path, saying("rtgauge-init: the kernel does not take the module a.ko: Exec format error", RESETS))
    assert "gave up: the kernel does not take the module a.ko: Exec format error" in told(ending)


def test_what_a_guest_went_on_without_is_kept_and_is_not_the_reason_of_its_end(tmp_path: Path) -> None:
    module = tmp_path / "own.ko"
    module.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x01\0\x3e\0" + bytes(100))
    said = "the kernel does not take the module rtgauge_irq.ko: Exec format error"
    ending = run(tmp_path, saying(f"rtgauge-init: note: {said}", RESETS), more=f"&module={module}")
    assert "was lost with its guest, which switched itself off" in told(ending)
    assert f"the guest's first process: note: {said}" in ending.notes
    assert ending.virtual is not None
    assert ending.virtual["own_modules"] is None, "nobody knows that it was loaded"


def test_a_guest_that_never_stops_talking_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_guest, "CONSOLE_MOST", 1000)
    assert "on its console and was stopped" in told(run(tmp_path, saying("A", CHATTERS)))


def test_a_kernel_that_qemu_does_not_take_is_named_by_qemu(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="known format"):
        run(tmp_path, b"no kernel at all")


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", Path("/dev/zero")):
        target = _lab_guest.GuestTarget(parse(f"linux@q35?kernel={name}"), Storage(tmp_path / "cache"))
        with pytest.raises(TargetError, match=f"the kernel {name} is no regular file"):
            target.describe()


def test_a_user_who_stops_waits_for_nothing(tmp_path: Path) -> None:
    ending = run(tmp_path, saying("spinning", SPINS), Stop(lambda: 2))
    assert ending.signal == 2
    assert ending.notes[-1] == "the engine was stopped by SIGINT: 0 of 2 tests had begun"


def test_without_qemu_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match="install the package qemu-system-x86"):
        _lab.emulator(parse("linux-rt").board)
