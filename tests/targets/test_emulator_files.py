"""What QEMU consists of beside its program: firmware that a guest executes, and the module that executes it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab.systems import lab
from rtgauge.targets._emulator_files import FIRMWARE, emulator_files, file_hash, version

Q35 = lab().boards["q35"]
MODULE = "accel-tcg-x86_64.so"


@pytest.fixture
def emulator(tmp_path: Path) -> Path:
    """A program that names its folders as QEMU does, with two of them, and every firmware in the second."""
    program = tmp_path / "bin" / "qemu-system-x86_64"
    folders = [tmp_path / "share" / name for name in ("first", "second")]
    for folder in (program.parent, *folders):
        folder.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\n[ "$1" = -L ] && echo "{folders[0]}\n{folders[1]}" || echo "QEMU version 7"\n')
    program.chmod(0o755)
    for name in FIRMWARE["q35"]:
        (folders[1] / name).write_text(name)
    return program


def told(emulator: Path) -> dict[str, str]:
    words = (emulator_files(str(emulator), Q35) or "").split()
    return dict(word.split(":") for word in words)


def test_each_firmware_is_named_by_its_content_as_it_is_now(emulator: Path, tmp_path: Path) -> None:
    before = told(emulator)
    assert set(before) == set(FIRMWARE["q35"])
    assert before["pvh.bin"] == hashlib.sha256(b"pvh.bin").hexdigest()
    (tmp_path / "share" / "second" / "pvh.bin").write_text("another build")
    (tmp_path / "share" / "first" / "bios-256k.bin").write_text("found first")
    (tmp_path / "share" / "second" / "kvmvapic.bin").unlink()
    after = told(emulator)
    assert {name for name in after if after[name] != before[name]} == {"pvh.bin", "bios-256k.bin", "kvmvapic.bin"}
    assert after["bios-256k.bin"] == hashlib.sha256(b"found first").hexdigest()
    assert after["kvmvapic.bin"] == "unknown"
    assert version(str(emulator)) == "QEMU version 7"


def test_the_module_that_executes_instructions_counts_where_it_is_a_file(
    emulator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MODULE not in told(emulator)
    folder, other = tmp_path / "lib" / "some-triplet" / "qemu", tmp_path / "other"
    for one in (folder, other):
        one.mkdir(parents=True)
        (one / MODULE).write_text(one.name)
    assert told(emulator)[MODULE] == hashlib.sha256(b"qemu").hexdigest()
    monkeypatch.setenv("QEMU_MODULE_DIR", str(other))
    assert told(emulator)[MODULE] == hashlib.sha256(b"other").hexdigest()


def test_a_board_without_firmware_says_so_and_a_missing_program_is_told(emulator: Path) -> None:
    assert emulator_files(str(emulator), lab().boards["mps2-an385"]) is None
    with pytest.raises(TargetError, match="cannot start"):
        emulator_files(str(emulator.with_name("gone")), Q35)
    with pytest.raises(TargetError, match="cannot read"):
        file_hash(emulator.with_name("gone"))
