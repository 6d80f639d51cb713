"""Loads that are programs of this machine, on small programs and on the real ones."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from rtgauge.errors import TargetError
from rtgauge.loads import hackbench, stress_ng
from rtgauge.loads.base import HostLoad
from rtgauge.loads.running import running
from tests.loads.engines import marked, until
from tests.targets.engines import make_engine

CPUS = sorted(os.sched_getaffinity(0))


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """What all processes that this test starts carry in their environment."""
    name = f"RTGAUGE_MARK={uuid.uuid4()}"
    monkeypatch.setenv(*name.split("="))
    return name


def program(folder: Path, text: str) -> str:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\ncase $1 in --version|--help) exit;; esac\n{text}\n")
    path.chmod(0o755)
    return str(path)


def load(path: str, endless: bool = False) -> HostLoad:
    return HostLoad(
        name="test",
        program=path,
        package="none",
        what="a test",
        degree="continuous",
        unit="rounds",
        args=lambda cpus: ("--cpus", str(cpus)),
        count=lambda output: output.count("done"),
        endless=endless,
    )


def test_rounds_are_counted(tmp_path: Path, mark: str) -> None:
    with running([load(program(tmp_path, "sleep 0.05; echo done"))], CPUS[:1]) as reports:
        time.sleep(0.6)
    (report,) = reports.loads
    assert 3 <= report.achieved * report.exposure_ns / 1e9 <= 13
    assert report.reached
    assert report.args == f"--cpus 1 on CPU {CPUS[0]}"
    assert "CPUs used" in str(report.note)
    assert not marked(mark)


def test_it_runs_where_it_should_in_the_normal_class(tmp_path: Path, mark: str) -> None:
    with running([load(program(tmp_path, "sleep 60 & sleep 60 & wait"))], CPUS[:1]):
        assert until(lambda: len(marked(mark)) == 4)  # the guard, the program, and two that it started
        assert all(sorted(os.sched_getaffinity(pid)) == CPUS[:1] for pid in marked(mark))
        assert all(os.sched_getscheduler(pid) == os.SCHED_OTHER for pid in marked(mark))
    assert not marked(mark)


def test_what_watches_over_it_may_not_be_startable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    with (
        pytest.raises(TargetError, match=r"load test: .*none, which watches over it, cannot be started: No such file"),
        running([load(program(tmp_path, "sleep 60"))], CPUS[:1]),
    ):
        pass


def test_one_that_fails_says_so_and_is_not_started_again(tmp_path: Path) -> None:
    path = program(tmp_path, f"echo start >>{tmp_path}/starts; echo out of luck; exit 3")
    with running([load(path)], CPUS[:1]) as reports:
        assert until(lambda: (tmp_path / "starts").exists())
        time.sleep(0.3)
    (report,) = reports.loads
    assert (report.achieved, report.reached) == (0, False)
    assert str(report.note).startswith("it ended with status 3: out of luck")
    assert (tmp_path / "starts").read_text().count("start") == 1


def test_one_without_a_whole_round_says_so(tmp_path: Path) -> None:
    with running([load(program(tmp_path, "sleep 60"))], CPUS[:1]) as reports:
        time.sleep(0.1)
    assert str(reports.loads[0].note).startswith("not one round")


def test_an_endless_one_is_interrupted_and_tells_what_it_did(tmp_path: Path, mark: str) -> None:
    loop = f"touch {tmp_path}/up; while :; do sleep 0.02; done"
    text = f"trap 'echo done done done; exit' INT; {loop}"
    with running([load(program(tmp_path, text), endless=True)], CPUS[:1]) as reports:
        assert until((tmp_path / "up").exists)
    (report,) = reports.loads
    assert round(report.achieved * report.exposure_ns / 1e9) in (2, 3)
    assert report.reached
    assert not marked(mark)


def test_an_endless_one_that_does_not_listen_is_killed(tmp_path: Path, mark: str) -> None:
    text = f"trap '' INT; touch {tmp_path}/up; while :; do sleep 0.02; done"
    with running([load(program(tmp_path, text), endless=True)], CPUS[:1]) as reports:
        assert until((tmp_path / "up").exists)
    assert (reports.loads[0].reached, str(reports.loads[0].note)[:24]) == (False, "it did not say what it d")
    assert not marked(mark)


def test_one_that_cannot_be_started(tmp_path: Path) -> None:
    absent = [load(str(tmp_path / "nothing"))]
    with pytest.raises(TargetError, match=r"load test: .* cannot be started"), running(absent, CPUS[:1]):
        pass


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_the_host(tmp_path: Path, mark: str, number: int) -> None:
    """Also when the host has no chance to do anything about it."""
    (tmp_path / "bin").mkdir()
    Path(program(tmp_path / "bin", "sleep 60 & sleep 60 & wait")).rename(tmp_path / "bin/hackbench")
    engine = make_engine(tmp_path / "engine", hangs="TMR-P-CYC")
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}/bin:{os.environ['PATH']}",
        "RTGAUGE_ENGINE": str(engine),
        "RTGAUGE_STORE": str(tmp_path / "store"),
        "TMPDIR": str(tmp_path / "temporary"),
    }
    (tmp_path / "temporary").mkdir()
    code = (
        "import sys, rtgauge.targets._lock as lock; from rtgauge.cli import main; "
        f"lock.NAME = {chr(0) + mark!r}; sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", code, "run", "local", "--tests", "TMR-*", "--load", "hackbench"]
    host = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert until(lambda: len(marked(mark)) == 6)  # host, engine, guard, program, and two that it started
        host.send_signal(number)
        assert until(lambda: not marked(mark))
        assert not list((tmp_path / "temporary").iterdir())
    finally:
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
        host.wait()


# ---- the real ones ---------------------------------------------------------------------------------------------------


def test_hackbench(mark: str) -> None:
    if shutil.which("hackbench") is None:
        pytest.skip("the program hackbench is not installed (package rt-tests)")
    small = replace(hackbench.LOAD, args=lambda _: ("--groups", "10", "--loops", "1"))  # a round of the same shape
    with running([small], CPUS[:1]) as reports:
        time.sleep(2.0)
    (report,) = reports.loads
    assert report.reached, report.note
    assert report.version.startswith("hackbench")
    assert report.achieved % 1 == 0
    assert not marked(mark)


def test_what_hackbench_and_stress_ng_say_is_understood() -> None:
    said = "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)\n"
    said += "Each sender will pass 100 messages of 100 bytes\nTime: 0.858\n"
    assert hackbench.LOAD.count(said) == 10 * 20 * 20 * 100
    assert hackbench.LOAD.count(said.replace(" 100 messages", " 5 messages")) == 10 * 20 * 20 * 5
    assert hackbench.LOAD.count("hackbench: fork() (error: Resource temporarily unavailable)") == 0
    said = (
        "stress-ng: info:  [77] dispatching hogs: 2 cpu, 2 vm\n"
        "stress-ng: metrc: [77] stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s\n"
        "stress-ng: metrc: [77]                           (secs)    (secs)    (secs)   (real time) (usr+sys time)\n"
        "stress-ng: metrc: [77] cpu                1000      1.00      1.00      0.00      1000.00        1000.00\n"
        "stress-ng: metrc: [77] vm                   23      1.00      1.00      0.00        23.00          23.00\n"
        "stress-ng: info:  [77] successful run completed in 1.00s\n"
    )
    assert stress_ng.LOAD.count(said) == 1023
    assert stress_ng.LOAD.count(said.replace("metrc", "info")) == 1023  # older versions
    assert "--cpu 3 --vm 3" in " ".join(stress_ng.LOAD.args(3))
