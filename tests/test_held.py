"""Folders that a process holds: private, gone after the block, and after a kill gone with the next one."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rtgauge import _held
from rtgauge._held import abandoned, held, sweep, take
from tests.lab.tools import at_once

PREFIX = "some-work."
HOLDER = f"""
import sys, time
from pathlib import Path
from rtgauge._held import held
with held(Path(sys.argv[1]), "{PREFIX}") as folder:
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_bytes(b"x")
    print(folder, flush=True)
    time.sleep(60)
"""


def stale(parent: Path, name: str = "isstale0") -> Path:
    folder = parent / f"{PREFIX}{name}"
    folder.mkdir()
    return folder


def opened() -> int:
    """Files that this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_it_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    with held(tmp_path, PREFIX) as folder:
        assert folder.parent == tmp_path
        assert folder.name.startswith(PREFIX)
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "0000").write_bytes(b"x")
        (folder / "tree").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_a_relative_folder_is_meant_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with held(Path(), PREFIX) as folder:
        assert folder.is_absolute()
        assert folder.parent == tmp_path


def test_it_is_gone_when_the_block_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), held(tmp_path, PREFIX):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        left = Path(holder.stdout.readline().strip())
        try:
            with held(tmp_path, PREFIX) as own:
                assert sorted(tmp_path.iterdir()) == sorted([left, own])
            assert (left / "deep" / "file").exists()  # of a process that lives
        finally:
            holder.kill()
    assert left.exists()
    with held(tmp_path, PREFIX) as own:
        assert list(tmp_path.iterdir()) == [own]


def test_nothing_else_is_swept(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    stale(tmp_path, "short")
    stale(tmp_path, "isstale0.mine")
    (tmp_path / f"{PREFIX}a_file00").write_text("")
    (tmp_path / f"{PREFIX}alinked0").symlink_to(tmp_path / "mine")
    left, kept = stale(tmp_path), stale(tmp_path, "isheld00")
    with abandoned(kept):
        before = set(tmp_path.iterdir())
        sweep(tmp_path, PREFIX)
        assert before - set(tmp_path.iterdir()) == {left}


def test_another_users_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = stale(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    sweep(tmp_path, PREFIX)
    assert left.exists()


def test_a_folder_that_is_held_is_not_abandoned(tmp_path: Path) -> None:
    with held(tmp_path, PREFIX) as folder, pytest.raises(BlockingIOError), abandoned(folder):
        pass


@pytest.mark.parametrize("again", [False, True], ids=["gone", "another in its place"])
def test_it_is_made_again_when_it_was_swept_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    taken, lock, before = list[Path](), fcntl.flock, opened()

    def take_late(handle: int, how: int) -> None:
        if not taken:
            taken.append(next(tmp_path.iterdir()))
            taken[0].rename(tmp_path.parent / f"{tmp_path.name}-swept")
            if again:
                taken[0].mkdir()
        lock(handle, how)

    monkeypatch.setattr(_held.fcntl, "flock", take_late)
    with held(tmp_path, PREFIX) as folder:
        assert folder != taken[0]
        assert folder.is_dir()
    assert opened() == before


def test_it_is_made_again_when_it_is_gone_at_once(tmp_path: Path) -> None:
    made = list[Path]()

    def make() -> Path:
        made.append(tmp_path / str(len(made)))
        if len(made) > 1:
            made[-1].mkdir()
        return made[-1]

    folder, handle = take(make)
    os.close(handle)
    assert made == [tmp_path / "0", folder]


def test_a_file_system_without_locks_will_do_and_nothing_is_swept_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_handle: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(_held.fcntl, "flock", none)
    left = stale(tmp_path)
    with held(tmp_path, PREFIX) as folder:
        assert sorted(tmp_path.iterdir()) == sorted([left, folder])
    assert list(tmp_path.iterdir()) == [left]


def test_many_make_folders_at_once(tmp_path: Path) -> None:
    def one() -> bool:
        there = True
        for _ in range(30):
            with held(tmp_path, PREFIX) as folder:
                (folder / "file").write_bytes(b"x")
                there &= (folder / "file").exists()
        return there

    assert all(at_once(*[one] * 4))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "error"), [("none", FileNotFoundError), ("file", NotADirectoryError)])
def test_a_folder_that_cannot_be_used(tmp_path: Path, name: str, error: type[OSError]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(error), held(tmp_path / name, PREFIX):
        pass
