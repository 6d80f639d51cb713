"""A short run of each fuzz target from its seeds, the same each time: docs/fuzzing.md tells of the long ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.seeds import seeds
from tests.targets.engines import ROOT

RUNS = {"stream": 400, "payload": 5_000, "records": 300, "run": 12, "manifest": 15, "results": 8, "folder": 12}
"""Inputs tried: a few seconds for each target."""


@pytest.mark.parametrize("target", RUNS)
def test_nothing_breaks_an_invariant(target: str, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.fuzz",
        target,
        f"-runs={RUNS[target]}",
        "-seed=1",
        f"-artifact_prefix={tmp_path}/",
    ]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    said = "\n".join(line for line in ended.stderr.splitlines() if not line.startswith(("INFO", "#", "WARNING")))
    assert ended.returncode == 0, said[-5000:]
    assert f"Done {RUNS[target]} runs" in ended.stderr + ended.stdout


@pytest.mark.parametrize("target", RUNS)
def test_there_are_seeds(target: str) -> None:
    assert all(seeds(target))
    assert seeds(target) == seeds(target)


def test_a_broken_reader_is_found(tmp_path: Path) -> None:
    """The fuzzer itself can fail: with a reader that loses the numbers beside the samples."""
    program = (
        "import sys, rtgauge.trace.columns as c\n"
        "store = c.SeriesBuilder._store\n"
        "c.SeriesBuilder._store = lambda self, start, ticks, aux: store(self, start, ticks, None)\n"
        "from tests.fuzz.__main__ import main\n"
        "main(['fuzz', 'records', '-runs=50', '-seed=1', sys.argv[1]])\n"
    )
    command = [sys.executable, "-c", program, f"-artifact_prefix={tmp_path}/"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode != 0
    assert "Uncaught Python exception" in ended.stderr + ended.stdout
    assert list(tmp_path.glob("crash-*"))
