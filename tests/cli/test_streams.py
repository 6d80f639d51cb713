"""The command line when its standard streams are not what a terminal gives."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rtgauge.cli import in_words
from tests.targets.engines import ROOT


def command(*words: str, closed: tuple[int, ...] = (), output: str | None = None) -> tuple[int, str]:
    """The exit code and standard error of a command."""

    def close() -> None:
        for number in closed:
            os.close(number)

    out = None if output is None else Path(output).open("wb")  # noqa: SIM115
    done = subprocess.run(
        [sys.executable, "-m", "rtgauge.cli", *words],
        stdout=out or subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=close,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "RTGAUGE_STORE": "/nonexistent"},
        check=False,
    )
    if out:
        out.close()
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (1, 2), (0, 1, 2)])
def test_closed_streams_change_no_exit_code(closed: tuple[int, ...]) -> None:
    assert command("list", "targets", closed=closed) == (0, "")
    code, err = command("show", "nothing", closed=closed)
    assert code == 2
    assert "Traceback" not in err


@pytest.mark.parametrize("words", [("list", "targets"), ("list", "runs", "--json"), ("audit",), ("doctor",)])
def test_output_that_cannot_be_written_is_one_line(words: tuple[str, ...]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    code, err = command(*words, output="/dev/full")
    assert code == 4
    assert err == "rtgauge: error: cannot write to standard output: no space left on device\n"


def test_a_limit_for_files_is_put_down_to_the_file_that_reached_it(tmp_path: Path) -> None:
    output = tmp_path / "output"
    output.write_bytes(bytes(1000))
    error = OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with output.open("a") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stream)
        try:
            for most, said in ((1000, "cannot write to standard output: file too large"), (1001, "raise ulimit -f")):
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
                assert in_words(error).endswith(said)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("words", [("audit",), ("doctor",), ("list", "targets")])
def test_a_reader_that_is_gone_is_141_for_every_command(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code, err = command(*words, output=f"/proc/self/fd/{writing}") if Path("/proc/self/fd").exists() else (141, "")
    os.close(writing)
    assert (code, err) == (141, "")


def test_debug_does_not_change_the_exit_code() -> None:
    code, err = command("show", "nothing", "--debug")
    assert code == 2
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("rtgauge: error: no run 'nothing'")


def test_hangup_is_told_by_its_own_code() -> None:
    code = "import os, signal, rtgauge.cli as c\nfrom types import SimpleNamespace\n"
    code += "def run(_):\n os.kill(os.getpid(), signal.SIGHUP)\n return 0\n"
    code += "c.parse = lambda _: SimpleNamespace(run=run)\nraise SystemExit(c.main(['list']))\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    for ignored, expected in ((signal.SIG_DFL, 129), (signal.SIG_IGN, 0)):  # the latter as nohup does
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            preexec_fn=lambda ignored=ignored: signal.signal(signal.SIGHUP, ignored),  # type: ignore[misc]
            check=False,
            capture_output=True,
        )
        assert done.returncode == expected
