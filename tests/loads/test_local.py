"""The loads of the engine on this machine: they do what they say, where they should, and end with the engine."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rtgauge.model import LoadReport, RunSpec
from rtgauge.trace.writer import encode_request
from tests.loads.engines import ran, reports, session, spec, until

CPUS = sorted(os.sched_getaffinity(0))
HEAVY = ("cpu", "disk", "interrupt", "network", "syscall", "memory", "filesearch")
LONG = 60_000  # ms


@pytest.fixture(scope="module")
def alone(engine_local: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, LoadReport]:
    """What each load did by itself, beside a test that leaves the CPU almost idle."""
    folder = tmp_path_factory.mktemp("alone")
    names = (*HEAVY, "messaging")
    return {name: reports(ran(engine_local, spec(700, name), folder))[name] for name in names}


@pytest.mark.realtime
@pytest.mark.parametrize("name", ["cpu", "interrupt", "network", "syscall", "memory"])
def test_it_reaches_its_degree(alone: dict[str, LoadReport], name: str) -> None:
    """Generous, since others use this machine: the load itself says when it was less."""
    load = alone[name]
    assert 0.5 * load.wanted < load.achieved < 1.3 * load.wanted
    assert load.reached or load.note


@pytest.mark.realtime
@pytest.mark.parametrize("name", ["disk", "filesearch", "messaging"])
def test_it_makes_progress(alone: dict[str, LoadReport], name: str) -> None:
    load = alone[name]
    assert load.achieved > 0 or load.note
    assert load.args.startswith("1 process on CPU")


def test_it_works_as_much_as_it_says(engine_local: Path, tmp_path: Path, start: Start) -> None:
    """Against the CPU time that the kernel counts: 10 ms every 100 ms."""
    engine = start(engine_local, spec(LONG, "cpu"), tmp_path)
    assert until(lambda: len(session(engine.pid)) == 2)
    load = next(pid for pid in session(engine.pid) if pid != engine.pid)
    assert until(lambda: cpu_time(load) > 0.05)  # it is calibrated and at work
    before, begin = cpu_time(load), time.monotonic()
    time.sleep(2.0)
    share = (cpu_time(load) - before) / (time.monotonic() - begin)
    assert 0.05 < share < 0.15


def cpu_time(process: int) -> float:
    """s, by the clock that Linux has for each process: what /proc shows may be counted in ticks."""
    return time.clock_gettime(~process << 3 | 2)


class Start:
    """Starts engines and leaves none behind."""

    def __init__(self) -> None:
        self.engines: list[subprocess.Popen[bytes]] = []

    def __call__(self, engine: Path, wanted: RunSpec, folder: Path) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [engine], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=folder, start_new_session=True
        )
        self.engines.append(process)
        assert process.stdin is not None
        process.stdin.write(encode_request(wanted))
        process.stdin.close()
        return process

    def end(self) -> None:
        for process in self.engines:
            for pid in session(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def start() -> Iterator[Start]:
    made = Start()
    yield made
    made.end()


@pytest.mark.parametrize("where", ["one", "all", "reserved"])
def test_it_is_where_it_should_be(engine_local: Path, tmp_path: Path, start: Start, where: str) -> None:
    under_test = CPUS[-1]
    others = CPUS[:-1]
    if where == "reserved" and not others:
        pytest.skip("needs two CPUs")
    engine = start(engine_local, spec(LONG, "cpu", "filesearch", cpus=where, cpu=under_test), tmp_path)
    workers = {"one": 1, "all": len(CPUS), "reserved": len(others)}[where] + 1
    assert until(lambda: len(session(engine.pid)) == workers + 1)
    places = {
        "one": [[under_test]] * 2,
        "all": [CPUS] * workers,
        "reserved": sorted([[cpu] for cpu in others] + [[cpu] for cpu in others[:1]]),
    }
    loads = [pid for pid in session(engine.pid) if pid != engine.pid]
    assert until(lambda: sorted(sorted(os.sched_getaffinity(pid)) for pid in loads) == places[where])
    assert all(os.sched_getscheduler(pid) == os.SCHED_OTHER for pid in loads)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_the_engine(engine_local: Path, tmp_path: Path, start: Start, number: int) -> None:
    engine = start(engine_local, spec(LONG, *HEAVY, "messaging"), tmp_path)
    assert until(lambda: len(session(engine.pid)) == 9)
    os.kill(engine.pid, number)
    assert until(lambda: not session(engine.pid))
    if number == signal.SIGTERM:  # what it made is gone too; after a kill that is the host's part
        engine.wait()
        assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_after_a_run(engine_local: Path, tmp_path: Path) -> None:
    ran(engine_local, spec(50, "disk", "filesearch"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_bus_is_loaded_from_the_other_cpus(engine_local: Path, tmp_path: Path) -> None:
    trace = ran(engine_local, spec(300, "bus", cpu=CPUS[-1]), tmp_path)
    if len(CPUS) == 1:
        assert trace.why == "load bus: no CPU is left for it beside the one under test"
        return
    if trace.why:
        assert "preparing memory of twice the size of the caches" in trace.why
        pytest.skip(trace.why)
    load = reports(trace)["bus"]
    assert load.achieved > 50_000_000
    assert f"on CPU {CPUS[0]}" in load.args
