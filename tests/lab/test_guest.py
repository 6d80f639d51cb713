"""Guests that go wrong: what happened is said, what was measured is kept, and nobody stays behind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.address import parse
from rtgauge.lab.storage import Storage
from rtgauge.model import Job, RunSpec
from rtgauge.targets import _emulator, _follow, _guest, _lab, _lab_guest
from rtgauge.targets.base import Ending, Stop
from tests.lab.kernels import CHATTERS, RESETS, SPINS, STOPS, saying

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
    assert "began no test for 1 s and was stopped" in told(run(tmp_path, saying("spinning", SPINS)))


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


def test_a_user_who_stops_waits_for_nothing(tmp_path: Path) -> None:
    ending = run(tmp_path, saying("spinning", SPINS), Stop(lambda: 2))
    assert ending.signal == 2


def test_without_qemu_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match="install the package qemu-system-x86"):
        _lab.emulator(parse("linux-rt").board)
