from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rtgauge.model import Job, RunSpec
from rtgauge.targets._engine import EngineTarget
from rtgauge.targets._lock import only_one
from rtgauge.targets._shared import sweep
from rtgauge.targets.base import Stop
from tests.targets.engines import make_engine


def ended() -> int:
    """The number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def fill(folder: Path) -> set[str]:
    """What a killed engine leaves, and what is not to be touched; the names of the latter."""
    dead = folder / f"sem.rtgauge.{ended()}.7"
    dead.write_bytes(bytes(32))
    os.link(dead, folder / "sem.aB3dE6")  # the C library's name for it, on its way
    kept = {f"sem.rtgauge.{os.getpid()}.7", "sem.motor1", "sem.rtgauge.x.7", "rtgauge.1.1"}
    for name in kept:
        (folder / name).write_bytes(bytes(32))
    return kept


def test_semaphores_of_engines_that_are_no_more_are_removed_and_no_others(tmp_path: Path) -> None:
    kept = fill(tmp_path)
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_system_without_the_folder_is_left_alone(tmp_path: Path) -> None:
    sweep(tmp_path / "none")


def test_a_run_begins_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr("rtgauge.targets._lock.sweep", lambda: called.append(1))
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0rtgauge-test-{os.getpid()}-shared")
    with only_one(tmp_path):
        assert called == [1]


def test_so_does_the_end_of_an_engine_that_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr("rtgauge.targets._process.sweep", lambda: called.append(1))
    for behaviour, times in (({}, 0), ({"dies": "CAL-P-TRC"}, 1)):
        target = EngineTarget("local", lambda behaviour=behaviour: make_engine(tmp_path, **behaviour))  # type: ignore[misc]
        target.run(RunSpec((Job("CAL-P-TRC", 10),)), [20.0], lambda *_: None, Stop())
        assert len(called) == times
