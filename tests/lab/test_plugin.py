"""The analyser's plugin: built once, whoever asks at the same time."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rtgauge.lab import plugin
from rtgauge.lab.storage import Storage
from tests.lab.tools import at_once, no_writing, tool

MAKES = 'env > "$0.env"; sleep 0.2; while [ "$1" != -o ]; do shift; done; echo plugin > "$2"'


def test_it_is_built_once_and_then_only_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = tool(tmp_path / "bin", "cc", MAKES, monkeypatch)
    tool(tmp_path / "bin", "qemu", "", monkeypatch)
    monkeypatch.setattr(plugin, "_sources", lambda: {"one.c": b"x"})
    monkeypatch.setenv("CPATH", "--changed")
    storage, said = Storage(tmp_path / "cache"), list[str]()
    asking: Callable[[], Path] = lambda: plugin.plugin_of(storage, str(shutil.which("qemu")), said.append)  # noqa: E731
    found = at_once(*[asking] * 3)
    assert found == [found[0]] * 3
    assert found[0].read_text() == "plugin\n"
    assert len(calls.read_text().splitlines()) == len(said) == 1
    assert "--changed" not in (tmp_path / "bin" / "cc.env").read_text()
    no_writing(monkeypatch)
    assert asking() == found[0]
