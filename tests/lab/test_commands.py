"""Programs that the lab calls: their end is the end of all that they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from rtgauge.errors import TargetError
from rtgauge.lab import commands
from rtgauge.lab.commands import finished, plain_environ

STARTS_ANOTHER = 'sh -c "echo \\$\\$ > child; sleep 60" & echo $$ > self; wait'
ENDS_ITS_OWN = "setsid sleep 60 > log 2>&1 & echo $! > child; echo $$ > self; trap 'kill $!; wait; exit' TERM; wait"
IGNORES = "trap '' TERM; sleep 60 & echo $! > child; echo $$ > self; wait"
CALLS = """
import sys
from pathlib import Path
from rtgauge.lab import commands
from rtgauge.lab.commands import finished
finished(["sh", "-c", "echo $$ > self.new; mv self.new self; exec sleep 60"], 60.0, "late", Path(sys.argv[1]))
"""


def alive(process: int) -> bool:
    """A zombie that nobody has waited for yet is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def until(done: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not done() and time.monotonic() < end:
        time.sleep(0.01)
    return done()


def numbers(folder: Path) -> list[int]:
    return [int((folder / name).read_text()) for name in ("self", "child")]


def test_what_a_program_says_and_its_status(tmp_path: Path) -> None:
    done = finished(["sh", "-c", "pwd; echo $A >&2; exit 3"], 10.0, "late", tmp_path, {**os.environ, "A": "b"})
    assert (done.returncode, done.stdout, done.stderr) == (3, f"{tmp_path}\n", "b\n")


@pytest.mark.parametrize("does", [STARTS_ANOTHER, ENDS_ITS_OWN, IGNORES])
def test_one_that_is_late_is_ended_with_all_that_it_started(
    tmp_path: Path, does: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_GONE_S", 0.5)
    begun = time.monotonic()
    with pytest.raises(TargetError, match=r"^it was late$"):
        finished(["sh", "-c", does], 0.5, "it was late", tmp_path)
    assert not any(alive(number) for number in numbers(tmp_path))
    assert time.monotonic() - begun < 30


def test_also_when_the_user_wants_an_end(tmp_path: Path) -> None:
    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            finished(["sh", "-c", STARTS_ANOTHER], 60.0, "late", tmp_path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not any(alive(number) for number in numbers(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program of its parent's end")
def test_it_does_not_outlive_us_when_we_are_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", CALLS, tmp_path]) as process:
        try:
            assert until((tmp_path / "self").exists)
            number = int((tmp_path / "self").read_text())
        finally:
            process.kill()
    assert until(lambda: not alive(number))


def test_a_build_knows_nothing_that_would_change_it() -> None:
    changing = (
        "CPATH",
        "C_INCLUDE_PATH",
        "LIBRARY_PATH",
        "COMPILER_PATH",
        "GCC_EXEC_PREFIX",
        "CFLAGS",
        "LDFLAGS",
        "CC",
    )
    environ = {"PATH": "/bin", "HOME": "/h", "LC_ALL": "de_DE", **dict.fromkeys((*changing, "KCPPFLAGS", "LLVM"), "x")}
    assert plain_environ(environ) == {"PATH": "/bin", "HOME": "/h", "LC_ALL": "C"}
