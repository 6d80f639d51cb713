"""The lab's cache: what is in it is whole, and what was given up is not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.storage import Storage
from tests.lab.tools import at_once


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


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "tmp" / "tmpisstale0"
    left.mkdir(parents=True)
    with Storage(tmp_path).scratch() as own:
        assert list((tmp_path / "tmp").iterdir()) == [own]


def test_an_error_of_the_block_is_its_own(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), Storage(tmp_path).scratch() as own:
        (own / "none").read_bytes()


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
