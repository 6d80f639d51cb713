"""What boards on serial lines need here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rtgauge.audit import System
from rtgauge.doctor import serial


def test_lines_are_told_with_the_way_to_use_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = tmp_path / "ttyS0", tmp_path / "ttyS1"
    good.touch()
    bad.touch()
    monkeypatch.setattr(serial, "lines", lambda: [str(good), str(bad)])
    monkeypatch.setattr(serial, "group_of", lambda _path: "dialout")
    monkeypatch.setattr(os, "access", lambda path, _mode: path == str(good))
    told = [(need.name, need.status, need.found, need.fix) for need in serial.needs(System(), tmp_path)]
    assert told == [
        (str(good), "ok", "may be used", ""),
        (str(bad), "note", "no permission", "sudo usermod -aG dialout $USER, then log in again"),
    ]


def test_without_a_line_nothing_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial, "lines", list)
    assert [need.status for need in serial.needs(System(), tmp_path)] == ["note"]
