"""What the lab needs here."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.audit import System
from rtgauge.doctor import lab, posix


def test_without_anything_each_missing_thing_has_a_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = {need.name: need for need in lab.needs(System(), tmp_path)}
    assert found["emulator (q35)"].status == "missing"
    assert "qemu-system-x86" in found["emulator (q35)"].fix
    assert found["emulator (virt-a53)"].status == "note"
    assert "0 of 6 systems" in found["kernels"].found
    assert "apt-get" in found["kernels"].found
    assert "gcc-arm-none-eabi" in found["compiler for images (mps2-an385)"].fix
    assert "--freertos-kernel DIR" in found["FreeRTOS"].fix
    assert [need.status for need in posix.needs(System(), tmp_path)] == ["missing", "missing"]
    assert not (tmp_path / "cache").exists()  # it only looks


def test_with_the_tools_nothing_is_missing_that_can_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(lab, "TOOLS", ())
    assert {need.name: need.status for need in lab.needs(System(), tmp_path)}["kernels"] == "ok"
