"""Trees of FreeRTOS, the user's among them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.freertos import tree
from rtgauge.lab.freertos.kernel import kernel_of, options_of
from rtgauge.lab.storage import Storage
from tests.lab.freertos.trees import FREERTOS_H, kernel_tree


def own(tmp_path: Path, path: Path):  # type: ignore[no-untyped-def]
    return kernel_of(Storage(tmp_path / "cache"), path, lambda _text: None)


@pytest.mark.parametrize("inside", ["", "FreeRTOS-Kernel", "Source", "FreeRTOS/Source"])
def test_the_kernel_is_found_in_the_folders_in_which_it_usually_lies(tmp_path: Path, inside: str) -> None:
    kernel_tree(tmp_path / "mine" / inside, "V10.4.3")
    found = own(tmp_path, tmp_path / "mine")
    assert (found.root, found.version, found.origin) == (tmp_path / "mine" / inside, "V10.4.3", "mine")


def test_its_hash_is_that_of_its_sources_wherever_it_lies(tmp_path: Path) -> None:
    one = own(tmp_path, kernel_tree(tmp_path / "one"))
    shutil.copytree(tmp_path / "one", tmp_path / "other" / "place")
    (tmp_path / "other" / "place" / "README.md").write_text("no source")
    assert own(tmp_path, tmp_path / "other" / "place").sha256 == one.sha256
    (tmp_path / "other" / "place" / "portable" / "GCC" / "A" / "port.c").write_text("y\n")
    assert own(tmp_path, tmp_path / "other" / "place").sha256 != one.sha256


def test_a_folder_without_a_kernel_is_named_with_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="there is no folder"):
        own(tmp_path, tmp_path / "nowhere")
    with pytest.raises(TargetError, match=f"{tmp_path} is no tree of FreeRTOS: tasks.c is missing"):
        own(tmp_path, tmp_path)
    (kernel_tree(tmp_path / "half") / "include" / "FreeRTOS.h").unlink()
    with pytest.raises(TargetError, match=r"is no tree of FreeRTOS: include/FreeRTOS.h is missing"):
        own(tmp_path, tmp_path / "half")


def test_a_tree_that_does_not_say_its_version_is_taken_all_the_same(tmp_path: Path) -> None:
    (kernel_tree(tmp_path / "old") / "include" / "task.h").write_text("")
    assert own(tmp_path, tmp_path / "old").version == "unknown"


def test_a_folder_of_everything_is_no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "_MOST", 5)
    with pytest.raises(TargetError, match="more than 5 files"):
        own(tmp_path, kernel_tree(tmp_path / "large"))


def test_options_are_what_a_header_leaves_open() -> None:
    assert options_of(FREERTOS_H) == {"configUSE_MUTEXES", "configCHECK_FOR_STACK_OVERFLOW", "INCLUDE_vTaskDelete"}
