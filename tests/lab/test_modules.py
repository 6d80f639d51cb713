"""The kernel module: built once, whoever asks at the same time, in an environment that changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab import modules
from rtgauge.lab.storage import Storage
from tests.lab.tools import at_once, no_writing, tool

ORIGIN = "linux-image-6.1-amd64 6.1.1"


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was built, by something that takes a while."""
    made: list[str] = []

    def build(*words: object) -> dict[str, bytes]:
        made.append(str(words[2]))
        time.sleep(0.2)
        return {modules.NAME: b"module"}

    monkeypatch.setattr(modules, "build", build)
    monkeypatch.setattr(modules, "_compiler", lambda _arch: "gcc")
    monkeypatch.setattr(modules, "_version", lambda compiler: f"{compiler} 1.0")
    monkeypatch.setattr(modules, "sources", lambda: {"one.c": b"x"})
    return made


def asking(storage: Storage) -> Callable[[], modules.Module]:
    return lambda: modules.module_of(storage, "x86_64", ORIGIN, lambda _text: None)


def test_who_waited_for_a_module_does_not_build_it(tmp_path: Path, builds: list[str]) -> None:
    storage = Storage(tmp_path)
    found = at_once(*[asking(storage)] * 3)
    assert found == [modules.Module(b"module", storage.put(b"module"), "linux-headers-6.1-amd64, gcc 1.0")] * 3
    assert builds == [ORIGIN]


def test_a_module_that_is_there_is_only_read(
    tmp_path: Path, builds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage(tmp_path)
    first = asking(storage)()
    no_writing(monkeypatch)
    assert asking(storage)() == first
    assert builds == [ORIGIN]
    (tmp_path / "blobs" / first.sha256).write_bytes(b"damaged")
    with pytest.raises(TargetError, match="cannot be written"):
        asking(storage)()


def test_the_build_is_not_changed_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bin"
    tool(
        folder,
        "make",
        f'env > {folder}/env; for word; do case $word in M=*) echo ko > "${{word#M=}}/a.ko";; esac; done',
        monkeypatch,
    )
    monkeypatch.setattr(modules, "_compiler", lambda _arch: "gcc")
    tool(folder, "strip", "", monkeypatch)
    headers = tmp_path / "headers" / "6.1-amd64.x86_64"
    headers.mkdir(parents=True)
    for name in ("KCPPFLAGS", "CPATH", "LLVM", "MAKEFLAGS"):
        monkeypatch.setenv(name, "--changed")
    storage = Storage(tmp_path)
    made = modules.build(storage, "x86_64", ORIGIN, {"a.c": b"x"}, ("a.ko",), lambda _text: None)
    assert made == {"a.ko": b"ko\n"}
    assert "--changed" not in (folder / "env").read_text()
    assert list((tmp_path / "tmp").iterdir()) == []
