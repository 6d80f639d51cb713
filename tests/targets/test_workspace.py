"""The folder that an engine works in: private, gone after the run, and after a kill gone with the next one."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rtgauge.errors import EXIT_TARGET, EXIT_USAGE, RtgaugeError
from rtgauge.targets import _workspace
from rtgauge.targets._workspace import PREFIX, empty, sweep, workspace

HOLDER = """
import sys, time
from pathlib import Path
from rtgauge.targets._workspace import workspace
with workspace(Path(sys.argv[1])) as folder:
    (folder / "0001").write_bytes(b"x")
    print(folder, flush=True)
    time.sleep(60)
"""


def test_it_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    with workspace(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert folder.name.startswith(PREFIX)
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "0000").write_bytes(b"x")
        (folder / "tree").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_a_relative_folder_is_meant_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with workspace(Path()) as folder:
        assert folder.is_absolute()
        assert folder.parent == tmp_path


def test_it_is_gone_when_the_block_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), workspace(tmp_path):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_goes_with_the_next(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        left = Path(holder.stdout.readline().strip())
        with workspace(tmp_path):
            assert (left / "0001").exists()  # of a run that lives
        holder.kill()
    assert left.exists()
    with workspace(tmp_path) as folder:
        assert list(tmp_path.iterdir()) == [folder]


def test_nothing_else_is_swept(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / f"{PREFIX}short").mkdir()
    (tmp_path / f"{PREFIX}a_file00").write_text("")
    (tmp_path / f"{PREFIX}alinked0").symlink_to(tmp_path / "mine")
    held = tmp_path / f"{PREFIX}isheld00"
    held.mkdir()
    (tmp_path / f"{PREFIX}isstale0").mkdir()
    handle = os.open(held, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    before = {path.name for path in tmp_path.iterdir()}
    sweep(tmp_path)
    os.close(handle)
    assert before - {path.name for path in tmp_path.iterdir()} == {f"{PREFIX}isstale0"}


def test_another_users_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = tmp_path / f"{PREFIX}isstale0"
    stale.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: stale.stat().st_uid + 1)
    sweep(tmp_path)
    assert stale.exists()


def test_it_is_made_again_when_it_was_swept_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, lock = [], fcntl.flock

    def take(handle: int, how: int) -> None:
        if not taken:
            taken.append(next(tmp_path.iterdir()))
            taken[0].rmdir()
        lock(handle, how)

    monkeypatch.setattr(_workspace.fcntl, "flock", take)
    with workspace(tmp_path) as folder:
        assert folder != taken[0]
        assert folder.is_dir()


@pytest.mark.parametrize(
    ("name", "why"), [("none", "No such file or directory"), ("file", "Not a directory")], ids=["missing", "a file"]
)
def test_a_folder_that_cannot_be_used(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RtgaugeError) as caught, workspace(tmp_path / name):
        pass
    said = f"no files can be made in {tmp_path / name}: {why}; --directory DIR names another folder"
    assert (str(caught.value), caught.value.exit_code) == (said, EXIT_USAGE)


@pytest.mark.parametrize(
    ("code", "expected"), [(errno.ENOSPC, EXIT_TARGET), (errno.EDQUOT, EXIT_TARGET), (errno.EACCES, EXIT_USAGE)]
)
def test_a_folder_that_takes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, expected: int) -> None:
    def refuse(**_: object) -> str:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(_workspace.tempfile, "mkdtemp", refuse)
    with pytest.raises(RtgaugeError, match="no files can be made in") as caught, workspace(tmp_path):
        pass
    assert caught.value.exit_code == expected


def test_what_an_engine_left_is_taken_away(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    with workspace(tmp_path) as folder:
        (folder / "0000").write_bytes(b"x")
        (folder / "tree").mkdir()
        (folder / "tree" / "leaf").write_text("")
        (folder / "link").symlink_to(outside)
        empty(folder)
        assert list(folder.iterdir()) == []
    assert (outside / "kept").exists()
