"""The folder that an engine works in: the name by which it is known, and what is said where none can be made."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rtgauge import _held
from rtgauge.errors import EXIT_TARGET, EXIT_USAGE, RtgaugeError
from rtgauge.targets._workspace import PREFIX, empty, workspace


def test_it_has_its_name_and_those_that_are_left_go(tmp_path: Path) -> None:
    left = tmp_path / f"{PREFIX}isstale0"
    left.mkdir()
    with workspace(tmp_path) as folder:
        assert folder.name.startswith(PREFIX)
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


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

    monkeypatch.setattr(_held.tempfile, "mkdtemp", refuse)
    with pytest.raises(RtgaugeError, match="no files can be made in") as caught, workspace(tmp_path):
        pass
    assert caught.value.exit_code == expected


def test_the_option_that_names_the_folder_is_told(tmp_path: Path) -> None:
    with (
        pytest.raises(RtgaugeError, match=r"; TMPDIR=DIR names another folder$"),
        workspace(tmp_path / "no", "TMPDIR=DIR"),
    ):
        pass


def test_an_error_of_the_block_is_its_own(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), workspace(tmp_path):
        (tmp_path / "none").read_bytes()


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
