"""A start of an image: whatever becomes of it is said, what it sent is kept, and nothing stays behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.targets import _board, _emulator
from rtgauge.targets._process import Exit
from rtgauge.targets.base import Stop
from tests.lab.freertos.emulators import CHATTERS, CRASHES, FAILS, FLOODS, FULFILS, SLEEPS, SPINS, emulator


def started(
    tmp_path: Path,
    does: str,
    overdue: Callable[[], str | None] = lambda: None,
    stop: Stop | None = None,
    most: int = 1000,
) -> tuple[Exit, bytes, _board.Told]:
    program, got, told, parent = emulator(tmp_path, does), bytearray(), _board.Told(), tmp_path / "runs"
    parent.mkdir()
    ended = _board.converse(
        lambda image: [program, image], b"image", b"request", parent, _emulator.Watch(), told, got.extend, overdue,
        stop or Stop(), most,
    )  # fmt: skip
    assert list(parent.iterdir()) == []
    return ended, bytes(got), told


def test_the_trace_arrives_whole(tmp_path: Path) -> None:
    ended, got, told = started(tmp_path, FULFILS)
    assert (ended, got, told.console) == (Exit(0, None, ""), b"abcdef", "")


def test_an_image_finds_its_request_and_is_given_by_its_path(tmp_path: Path) -> None:
    _, got, _ = started(tmp_path, 'cat request "$1" > trace')
    assert got == b"requestimage"


def test_an_image_that_cannot_go_on_says_why(tmp_path: Path) -> None:
    ended, got, told = started(tmp_path, FAILS)
    assert (ended.status, ended.what, got) == (87, "could not go on (hard fault: pc 0x1234)", b"abc")
    assert told.console == "rtgauge: hard fault: pc 0x1234\n"
    (tmp_path / "again").mkdir()
    assert started(tmp_path / "again", "exit 87")[0].what == "could not go on (it did not say why)"


def test_a_wrong_status_is_told_with_what_the_emulator_complained_of(tmp_path: Path) -> None:
    ended, _, _ = started(tmp_path, "echo unknown machine >&2; exit 1")
    assert (ended.status, ended.what, ended.stderr) == (1, "ended with status 1", "unknown machine\n")


def test_warnings_of_an_emulator_that_did_its_work_are_not_told(tmp_path: Path) -> None:
    assert started(tmp_path, f"echo no peer >&2; {FULFILS}")[0].stderr == ""


def test_an_emulator_that_crashes_is_told_by_its_signal(tmp_path: Path) -> None:
    ended, got, _ = started(tmp_path, CRASHES)
    assert (ended.what, got) == ("was killed by signal 11", b"abc")


def test_an_image_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    begun = time.monotonic()
    ended, got, _ = started(tmp_path, SPINS, lambda: "hung" if time.monotonic() > begun + 0.3 else None)
    assert (ended.what, got) == ("hung", b"abc")


def test_an_emulator_that_waits_for_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_emulator, "STILL_S", 0.2)
    assert started(tmp_path, SLEEPS)[0].what.startswith("stood still")


def test_an_image_that_never_stops_talking_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_board, "CONSOLE_MOST", 1000)
    assert "on its console and was stopped" in started(tmp_path, CHATTERS)[0].what


def test_an_image_that_sends_far_too_much_is_ended(tmp_path: Path) -> None:
    ended, got, _ = started(tmp_path, FLOODS)
    assert (ended.what, len(got)) == ("wrote far more than was asked for and was stopped", 1000)


def test_a_user_who_stops_waits_for_nothing(tmp_path: Path) -> None:
    assert started(tmp_path, SPINS, stop=Stop(lambda: signal.SIGINT))[0].what == "was stopped"


def test_an_emulator_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="cannot start /nowhere/emulator"):
        _board.converse(
            lambda _image: ["/nowhere/emulator"], b"", b"", tmp_path, _emulator.Watch(), _board.Told(),
            lambda _piece: None, lambda: None, Stop(), 1,
        )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_which_nothing_can_be_written_is_named_and_how_to_name_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = r"^no files can be made in \S+: [^;]+; TMPDIR=DIR names another folder$"
    with pytest.raises(TargetError, match=line), _board._files(tmp_path / "nowhere", b"", b""):
        pass
    (tmp_path / "runs").touch()
    with pytest.raises(UsageError, match=line):
        _board.converse(
            lambda image: [image], b"", b"", tmp_path / "runs", _emulator.Watch(), _board.Told(),
            lambda _piece: None, lambda: None, Stop(), 1,
        )  # fmt: skip
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "nowhere")])
    with pytest.raises(TargetError, match=r"^No usable temporary directory found in [^;]+; TMPDIR=DIR names a folder$"):
        _board.place()


_RUNS = """
import sys
from pathlib import Path
from rtgauge.targets import _board, _emulator
from rtgauge.targets.base import Stop
_board.converse(lambda image: [sys.argv[1], image], b"", b"", Path(sys.argv[2]), _emulator.Watch(), _board.Told(),
    lambda piece: print(piece.decode(), flush=True), lambda: None, Stop(), 1000)
"""


def test_nothing_stays_behind_when_we_are_killed(tmp_path: Path) -> None:
    program = emulator(tmp_path, f"echo $$ > {tmp_path}/number; {SLEEPS}")
    (tmp_path / "runs").mkdir()
    with subprocess.Popen([sys.executable, "-c", _RUNS, program, str(tmp_path / "runs")], stdout=subprocess.PIPE) as us:
        assert us.stdout is not None
        assert us.stdout.readline() == b"abc\n"
        us.kill()
    until = time.monotonic() + 10
    while (list((tmp_path / "runs").iterdir()) or _lives(tmp_path / "number")) and time.monotonic() < until:
        time.sleep(0.05)
    assert list((tmp_path / "runs").iterdir()) == []
    assert not _lives(tmp_path / "number")


def _lives(number: Path) -> bool:
    try:
        state = Path(f"/proc/{number.read_text().strip()}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # whom nobody waits for
