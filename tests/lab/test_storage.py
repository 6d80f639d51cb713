"""The lab's cache: what is in it is whole, and what was given up is not."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.storage import Storage
from tests.lab.tools import at_once

HOLDS = """
import sys, time
from pathlib import Path
from rtgauge.lab.storage import Storage
with Storage(Path(sys.argv[1])).scratch() as folder:
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_bytes(b"x")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("damaged", [b"", b"ker", b"kernel and more"])
def test_damaged_content_is_kept_anew(tmp_path: Path, damaged: bytes) -> None:
    storage = Storage(tmp_path)
    name = storage.put(b"kernel")
    (tmp_path / "blobs" / name).write_bytes(damaged)
    assert storage.get(name) is None
    assert storage.put(b"kernel") == name
    assert storage.get(name) == b"kernel"


def test_content_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    blob = tmp_path / "blobs" / storage.put(b"kernel")
    inode = blob.stat().st_ino
    storage.put(b"kernel")
    assert blob.stat().st_ino == inode


def test_nothing_is_left_of_what_was_given_up(tmp_path: Path) -> None:
    storage = Storage(tmp_path)
    storage.note("kind", "one", {"a": 1})

    def given_up() -> None:
        with storage.scratch() as folder:
            (folder / "deep").mkdir()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        given_up()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_has_is_not(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDS, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        try:
            with Storage(tmp_path).scratch() as own:
                assert sorted((tmp_path / "tmp").iterdir()) == sorted([left, own])
        finally:
            process.kill()
    assert (left / "deep" / "file").exists()
    with Storage(tmp_path).scratch() as own:
        assert list((tmp_path / "tmp").iterdir()) == [own]


def test_many_make_folders_at_once(tmp_path: Path) -> None:
    def one() -> bool:
        there = True
        for _ in range(30):
            with Storage(tmp_path).scratch() as folder:
                (folder / "file").write_bytes(b"x")
                there &= (folder / "file").exists()
        return there

    assert all(at_once(*[one] * 4))
    assert list((tmp_path / "tmp").iterdir()) == []


def test_one_after_the_other(tmp_path: Path) -> None:
    inside: list[int] = []

    def one() -> None:
        with Storage(tmp_path).alone("kind"):
            inside.append(1)
            assert sum(inside) == 1
            time.sleep(0.01)
            inside.append(-1)

    at_once(*[one] * 5)
    assert len(inside) == 10


def test_a_cache_that_cannot_be_written_is_named_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "kind" / ".lock").mkdir(parents=True)
    line = r"^the lab's cache \S+ cannot be written: [^\n]*; XDG_CACHE_HOME=DIR names another place$"
    with pytest.raises(TargetError, match=line), Storage(tmp_path).alone("kind"):
        pass
    with pytest.raises(TargetError, match=line), Storage(tmp_path / "file").scratch():
        pass
    with pytest.raises(TargetError, match=line):
        Storage(tmp_path / "file").put(b"x")
