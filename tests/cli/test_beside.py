"""Runs side by side, each in a process of its own: the same figures as one after the other, and an end in order."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import _beside, _worker, main
from rtgauge.cli._measure import _batches
from rtgauge.errors import TargetError
from rtgauge.plan import Wish
from rtgauge.session import Request
from tests.targets.engines import ROOT, make_engine

STUDY = ("--tests", "THR-P-SLS", "--samples", "200")

# What a worker is here: the real one, with an engine of the tests in the place of that of the target `fake`.
WORKER = """
import os, sys
sys.path[:] = {path!r}
import rtgauge.targets.fake as fake
from pathlib import Path
engines = {engines!r}
fake.find_engine = lambda name: Path(engines[int(os.environ["PLACE"])])
from rtgauge.cli._worker import main
main()
"""
# And what the user starts: each worker has the next engine.
HOST = """
import os, sys
sys.path[:] = {path!r}
import rtgauge.cli._beside as beside, rtgauge.targets.fake as fake
from pathlib import Path
fake.find_engine = lambda name: Path({engines!r}[0])
places = iter(range(99))
def words():
    os.environ["PLACE"] = str(next(places))
    return [sys.executable, "-c", {worker!r}]
beside.words = words
beside.most_at_once = lambda: {most}
from rtgauge.cli import main
sys.exit(main(sys.argv[1:]))
"""


def runs(store: Path) -> list[dict[str, Any]]:
    """The manifests, by the number of the repeat."""
    found = [json.loads(path.read_bytes()) for path in store.glob("runs/*/manifest.json")]
    return sorted(found, key=lambda one: one["repeat"]["number"])


@contextmanager
def started(tmp_path: Path, *words: str, engines: Sequence[Path], most: int = 2) -> Iterator[subprocess.Popen[str]]:
    path = [str(ROOT), *filter(None, sys.path)]
    named = [str(one) for one in engines]
    worker = WORKER.format(path=path, engines=named)
    host = HOST.format(path=path, engines=named, worker=worker, most=most)
    process = subprocess.Popen(
        [sys.executable, "-c", host, *words, "--store", str(tmp_path / "store")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def traced(store: Path, least: int = 500) -> bool:
    """Whether all runs have sent so much."""
    found = [*store.glob("runs/*/trace.cbor")]
    return len(found) == len(runs(store)) and all(path.stat().st_size > least for path in found)


def until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_same_bytes_as_one_after_the_other(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    traces, told = [], []
    for jobs in ("1", "3"):
        store = tmp_path / jobs
        assert main(["run", "fake", *STUDY, "--repeat", "3", "--jobs", jobs, "--store", str(store)]) == 0
        caught = capfd.readouterr()
        told.append(caught.out.partition("verdict:")[2])
        for manifest in runs(store):
            folder = store / "runs" / manifest["run"]
            results = json.loads((folder / "results.json").read_bytes())["results"]
            traces.append((hashlib.sha256((folder / "trace.cbor").read_bytes()).hexdigest(), json.dumps(results)))
    assert len(traces) == 6
    assert len(set(traces)) == 1
    assert told[0] == told[1] != ""


def test_runs_are_in_the_order_in_which_they_were_asked_for(tmp_path: Path) -> None:
    """Whatever takes its engine longer to describe itself."""
    quick, slow = make_engine(tmp_path / "quick"), tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\nsleep 3\nexec '{quick}'\n")
    slow.chmod(0o755)
    words = ("run", "fake", "--tests", "SEM-B-LCK", "--repeat", "2")
    with started(tmp_path, *words, engines=[slow, quick]) as process:
        out, _ = process.communicate(timeout=60)
    told = [json.loads((Path(line) / "manifest.json").read_bytes()) for line in out.splitlines()[:2]]
    assert [one["repeat"]["number"] for one in told] == [1, 2]
    assert told[0]["created"] < told[1]["created"]
    assert told[0]["finished"] > told[1]["finished"]


def test_each_line_begins_with_the_run_that_it_is_of(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "fake", *STUDY, "--load", "none", "--load", "cpu", "--store", str(tmp_path)]) == 0
    out, err = capfd.readouterr()
    lines = err.splitlines()
    assert {line.partition(": [")[0] for line in lines} == {"load none", "load cpu"}
    assert sum("THR-P-SLS threads=10: done" in line for line in lines) == 2
    first, second = (json.loads((Path(line) / "manifest.json").read_bytes()) for line in out.splitlines()[:2])
    assert [one["spec"]["environment"]["load"] for one in (first, second)] == ["none", "cpu"]  # as they were asked for


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_a_signal_ends_all_and_what_was_measured_is_kept(tmp_path: Path, number: int, code: int) -> None:
    hanging = make_engine(tmp_path / "engine", hangs="THR-P-SLS")
    whole = make_engine(tmp_path / "whole")
    words = ("run", "fake", "--tests", "THR-P-SLS", "--repeat", "5", "--json")
    with started(tmp_path, *words, engines=[whole, hanging, hanging], most=2) as process:
        store = tmp_path / "store"
        until(lambda: len(runs(store)) == 3 and runs(store)[0]["state"] == "complete")
        until(lambda: traced(store))
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert [one["state"] for one in runs(store)] == ["complete", "interrupted", "interrupted"]  # none was begun after
    content = json.loads(out)
    kept = [[one["id"] for one in run["results"]] for run in content["runs"]]
    assert kept[1] == kept[2]
    assert "CAL-P-TRC" in kept[1]
    assert err.count("Traceback") == 0
    assert "interrupted" in err if number == signal.SIGINT else "terminated" in err


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    deaf = make_engine(tmp_path / "engine", deaf="THR-P-SLS")
    with started(tmp_path, "run", "fake", "--tests", "THR-P-SLS", "--repeat", "2", engines=[deaf] * 2) as process:
        until(lambda: len(runs(tmp_path / "store")) == 2)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - begun < 12
    assert "Traceback" not in err
    assert {one["state"] for one in runs(tmp_path / "store")} == {"interrupted"}


def test_nothing_stays_behind_a_command_that_is_killed(tmp_path: Path) -> None:
    hanging = make_engine(tmp_path / "engine", hangs="THR-P-SLS")
    with started(tmp_path, "run", "fake", "--tests", "THR-P-SLS", "--repeat", "2", engines=[hanging] * 2) as process:
        until(lambda: len(runs(tmp_path / "store")) == 2)
        process.kill()
    until(lambda: {one["state"] for one in runs(tmp_path / "store")} == {"interrupted"})  # by the runs themselves


def test_a_run_that_fails_ends_the_others_in_order(tmp_path: Path) -> None:
    whole, none = make_engine(tmp_path / "engine"), tmp_path / "none"
    words = ("run", "fake", "--tests", "THR-P-SLS", "--repeat", "4")
    with started(tmp_path, *words, engines=[whole, none, whole, whole], most=2) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == 4
    assert len([line for line in out.splitlines() if line.startswith("/")]) == len(runs(tmp_path / "store")) in (1, 2)
    (line,) = (one for one in err.splitlines() if "error" in one)
    assert line.startswith("rtgauge: error: run 2 of 4: cannot start the engine")


def test_a_worker_that_is_killed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_beside, "words", lambda: [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
    taken: list[Any] = []
    request = Request("fake", Wish(), tmp_path)
    _beside.run_beside([request] * 3, 1, lambda place, outcome: taken.append((place, outcome)), lambda *_: None)
    ((place, error),) = taken  # the first ends the rest
    assert (place, type(error), str(error)) == (0, TargetError, "the process that measured fake was killed by signal 9")


@pytest.mark.parametrize("debug", [False, True])
def test_a_defect_is_told_as_where_a_run_is_alone(debug: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = f"""
import sys
sys.path[:] = {sys.path!r}
import rtgauge.session
def run(request):
    raise OverflowError("oh")
rtgauge.session.run = run
from rtgauge.cli._worker import main
main()
"""
    monkeypatch.setattr(_beside, "words", lambda: [sys.executable, "-c", program])
    taken: list[Any] = []
    told: list[str] = []
    request = Request("fake", Wish(), tmp_path, command=("rtgauge", "run", "fake", *["--debug"] * debug))
    _beside.run_beside([request], 1, lambda _, one: taken.append(one), lambda _, line: told.append(line))
    (error,) = taken
    assert (error.exit_code, str(error)) == (4, "OverflowError: oh (a defect of rtgauge; --debug shows where)")
    assert [line.startswith("Traceback") for line in told[:1]] == [True] * debug


def test_only_what_nothing_disturbs_runs_beside_others(tmp_path: Path) -> None:
    every = [Request(name, Wish(), tmp_path) for name in ("fake", "fake", "local", "local", "fake", "lab:linux-rt")]

    def told(jobs: int | None) -> list[list[str]]:
        return [[one.target for one in batch] for batch in _batches(every, jobs)]

    assert told(None) == [["fake", "fake"], ["local"], ["local"], ["fake", "lab:linux-rt"]]
    assert told(1) == [[one.target] for one in every]


def test_as_many_as_cores_and_memory_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2, 5}, raising=False)
    monkeypatch.setattr("rtgauge.plan.available_memory", lambda: 100 << 30)
    assert _beside.most_at_once() == 3
    monkeypatch.setattr("rtgauge.plan.available_memory", lambda: 2 * _beside.RUN_BYTES)
    assert _beside.most_at_once() == 2
    monkeypatch.setattr("rtgauge.plan.available_memory", lambda: 0)
    assert _beside.most_at_once() == 1


def test_a_worker_finds_the_modules_of_its_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies in the working folder."""
    (tmp_path / "signal.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    done = subprocess.run(_worker.words(), input=b"", capture_output=True, check=False)
    assert b"EOFError" in done.stderr  # no request: it came as far as that
