"""`rtgauge gate --bisect` under a real `git bisect run`, in a repository whose commits change a simulated system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = ("--tests", "TMR-P-CYC", "--samples", "50")
RTGAUGE = (sys.executable, "-m", "rtgauge.cli")
# What each commit makes of the system: a name of a fault of the fake system, nothing, or one that does not build.
COMMITS = ("", "", "broken", "", "timer-late:3", "timer-late:3", "broken", "timer-late:3")
FIRST_BAD = 4
# As in docs/gate.md. Whatever is wrong is said where the test sees it.
SCRIPT = f"""#!/bin/sh
exec 2>&1
RTGAUGE_FAULT=$(cat system.txt)
export RTGAUGE_FAULT
test "$RTGAUGE_FAULT" != broken || exit 125
run=$("{sys.executable}" -m rtgauge.cli run fake {" ".join(TESTS)}) || exit 125
"{sys.executable}" -m rtgauge.cli gate "$run" --against "$BASE" --bisect
"""


def done(folder: Path, *words: str) -> str:
    """What a program says. Where it fails, all of that is why the test does."""
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{words} ended with {ended.returncode}: {ended.stdout}{ended.stderr}"
    return ended.stdout


def git(folder: Path, *words: str) -> str:
    names = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    return done(folder, "git", *names, *words)


@pytest.fixture(autouse=True)
def nothing_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither another repository, which hooks of git name in the environment, nor settings of who runs the tests."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "RTGAUGE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for whose in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{whose}_DATE", "2026-11-22T12:00:00Z")  # the same commits each time
    monkeypatch.setenv("RTGAUGE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("BASE", str(tmp_path / "base.txt"))


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
    engine_fake: Path, repository: list[str], tmp_path: Path
) -> None:
    assert engine_fake.exists()
    work, script = tmp_path / "work", tmp_path / "judge.sh"
    run = done(work, *RTGAUGE, "run", "fake", *TESTS).strip()
    done(work, *RTGAUGE, "gate", run, "--write", str(tmp_path / "base.txt"))
    script.write_text(SCRIPT)
    git(work, "bisect", "start", repository[-1], repository[0])
    said = git(work, "bisect", "run", "sh", str(script))
    assert f"{repository[FIRST_BAD]} is the first bad commit" in said
    assert "FAIL  1 slower, 0 faster" in said
    assert "+3000 slower" in said
    assert "PASS  0 slower" in said
    log = git(work, "bisect", "log")
    assert f"git bisect bad {repository[FIRST_BAD]}" in log, said
    assert f"git bisect good {repository[FIRST_BAD - 1]}" in log, said
