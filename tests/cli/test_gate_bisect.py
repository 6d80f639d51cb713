"""`rtgauge gate --bisect` under a real `git bisect run`, in a repository whose commits change a simulated system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = "--tests TMR-P-CYC --samples 50"
# What each commit makes of the system: a name of a fault of the fake system, nothing, or one that does not build.
COMMITS = ("", "", "broken", "", "timer-late:3", "timer-late:3", "broken", "timer-late:3 ")
FIRST_BAD = 4
SCRIPT = f"""#!/bin/sh
system=$(cat system.txt)
test "$system" != broken || exit 125
rtgauge() {{ "{sys.executable}" -m rtgauge.cli "$@"; }}
RTGAUGE_FAULT=$(echo $system) rtgauge run fake {TESTS} >/dev/null || exit 125
rtgauge gate last --against "$BASE" --bisect
"""


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(("git", *names, *words), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"git {words}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> list[str]:
    """In tmp_path/work; the commits, oldest first."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q", "-b", "main")
    commits = []
    for number, system in enumerate(COMMITS):
        (work / "system.txt").write_text(system)
        (work / "other.txt").write_text(str(number))
        git(work, "add", ".")
        git(work, "commit", "-q", "-m", f"commit {number}")
        commits.append(git(work, "rev-parse", "HEAD").strip())
    return commits


def test_bisect_finds_the_commit_that_lengthened_the_path(
    engine_fake: Path, repository: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert engine_fake.exists()
    for name in [name for name in os.environ if name.startswith(("GIT_", "RTGAUGE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("BASE", str(tmp_path / "base.txt"))
    work, rtgauge = tmp_path / "work", (sys.executable, "-m", "rtgauge.cli")
    subprocess.run((*rtgauge, "run", "fake", *TESTS.split()), capture_output=True, check=True)
    subprocess.run((*rtgauge, "gate", "last", "--write", str(tmp_path / "base.txt")), capture_output=True, check=True)
    script = tmp_path / "judge.sh"
    script.write_text(SCRIPT)
    git(work, "bisect", "start", repository[-1], repository[0])
    said = git(work, "bisect", "run", "sh", str(script))
    assert f"{repository[FIRST_BAD]} is the first bad commit" in said
    assert "FAIL  1 slower, 0 faster" in said
    assert "+3000 slower" in said
    assert "PASS  0 slower" in said
    log = git(work, "bisect", "log")
    assert f"git bisect bad {repository[FIRST_BAD]}" in log
    assert f"git bisect good {repository[FIRST_BAD - 1]}" in log
