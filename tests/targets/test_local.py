from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from rtgauge.errors import TargetError, UsageError
from rtgauge.model import Job, RunSpec
from rtgauge.targets import open_target
from rtgauge.targets._engine import EngineTarget
from rtgauge.targets._lock import NAME
from rtgauge.targets.base import Ending, Stop
from rtgauge.trace.reader import read_trace
from tests.targets.engines import ROOT, make_engine, make_script

JOBS = (
    Job("CAL-P-TRC", 1000),
    Job("THR-P-SLS", 1200, {"threads": 2}),
    Job("THR-P-SLS", 1200, {"threads": 10}),
    Job("TMR-P-CYC", 50, {"interval": 1_000_000}),
)
SPEC = RunSpec(jobs=JOBS)


def target(engine: Path) -> EngineTarget:
    return EngineTarget("local", lambda: engine)


def run(engine: Path, limit: float = 20.0, stop: Stop | None = None) -> tuple[Ending, bytes]:
    got = bytearray()
    ending = target(engine).run(SPEC, [limit] * len(JOBS), lambda chunk, _events: got.extend(chunk), stop or Stop())
    return ending, bytes(got)


def outcomes(trace: bytes) -> list[tuple[str, str | None]]:
    return [(test.descriptor.id, test.outcome) for test in read_trace(trace).tests]


def test_describe_tells_tests_and_engine(tmp_path: Path) -> None:
    description = target(make_engine(tmp_path)).describe()
    assert [d.id for d in description.descriptors] == ["SEM-B-LCK", "TMR-P-CYC", "THR-P-SLS", "CAL-P-TRC"]
    assert description.engine == "rtgauge-engine 0.1.0"
    assert len(description.engine_sha256) == 64


def test_a_run_gives_the_whole_trace(tmp_path: Path) -> None:
    ending, trace = run(make_engine(tmp_path))
    assert ending == Ending()
    assert outcomes(trace) == [(job.id, "done") for job in JOBS]
    assert read_trace(trace).complete
    assert read_trace(trace).problems == ()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("dies", "the engine was killed by signal 9 during TMR-P-CYC"),
        ("exits", "the engine ended with status 3 during TMR-P-CYC"),
        ("watchdog", "the engine was ended by its watchdog during TMR-P-CYC"),
        ("truncates", "the engine ended before its trace did during TMR-P-CYC"),
    ],
)
def test_a_death_is_noted_with_its_cause(tmp_path: Path, behaviour: str, reason: str) -> None:
    ending, trace = run(make_engine(tmp_path, **{behaviour: "TMR-P-CYC"}))
    assert [death.reason for death in ending.deaths] == [reason]
    assert ending.why is None
    assert outcomes(trace) == [*((job.id, "done") for job in JOBS[:3]), ("TMR-P-CYC", None)]


@pytest.mark.parametrize("behaviour", ["dies", "truncates"])
def test_the_jobs_after_a_death_are_run_by_a_new_engine(tmp_path: Path, behaviour: str) -> None:
    ending, trace = run(make_engine(tmp_path, **{behaviour: "THR-P-SLS"}))
    assert [dict(death.params) for death in ending.deaths] == [{"threads": 2}, {"threads": 10}]
    assert outcomes(trace) == [("CAL-P-TRC", "done"), ("THR-P-SLS", None), ("THR-P-SLS", None), ("TMR-P-CYC", "done")]


def test_it_gives_up_after_five_deaths(tmp_path: Path) -> None:
    jobs = tuple(Job("THR-P-SLS", 10, {"threads": n}) for n in range(2, 10))
    engine = target(make_engine(tmp_path, dies="THR-P-SLS"))
    ending = engine.run(RunSpec(jobs=jobs), [9.0] * len(jobs), lambda *_: None, Stop())
    assert len(ending.deaths) == 5
    assert ending.why == "the engine failed 5 times: 3 of 8 tests are left out"


def test_an_engine_that_hangs_is_told_to_end_and_the_rest_is_run(tmp_path: Path) -> None:
    ending, trace = run(make_engine(tmp_path, hangs="THR-P-SLS"), limit=0.3)
    assert ending.deaths == ()
    assert [note for note in ending.notes if "gave no end within" in note]
    assert outcomes(trace) == [(job.id, "done") for job in JOBS]
    assert [test.stopped for test in read_trace(trace).tests] == [False, True, True, False]


def test_an_engine_that_is_deaf_is_killed(tmp_path: Path) -> None:
    engine = target(make_engine(tmp_path, deaf="TMR-P-CYC"))
    spec = RunSpec(jobs=(JOBS[0], JOBS[3]))
    began = time.monotonic()
    ending = engine.run(spec, [20.0, 0.3], lambda *_: None, Stop())
    assert time.monotonic() - began < 15
    assert [death.reason for death in ending.deaths] == [
        "the engine gave no end within 0 s and was stopped during TMR-P-CYC"
    ]


def test_an_engine_that_never_ends_after_its_trace_is_killed(tmp_path: Path) -> None:
    engine = make_script(tmp_path, "import os, time, sys\nos.close(1)\ntime.sleep(60)\n")
    began = time.monotonic()
    ending, _ = run(engine)
    assert time.monotonic() - began < 15
    assert ending.why is not None


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("exits", "the engine ended with status 1 (out of luck [31m) before a test began: 4 of 4 tests are left out"),
        ("garbage", "the engine ended before its trace did before a test began: 4 of 4 tests are left out"),
        ("refuse", "the engine refused to go on: the request makes no sense"),
    ],
)
def test_an_engine_that_fails_at_once_is_not_started_again(tmp_path: Path, start: str, why: str) -> None:
    ending, _ = run(make_engine(tmp_path, start=start))
    assert ending.why is not None
    assert ending.why.startswith(why)


def test_a_flood_is_cut_off(tmp_path: Path) -> None:
    spec = RunSpec(jobs=(Job("CAL-P-TRC", 10),))
    sizes: list[int] = []
    engine = target(make_engine(tmp_path, start="flood"))
    ending = engine.run(spec, [30.0], lambda chunk, _events: sizes.append(len(chunk)), Stop())
    assert sum(sizes) < 20 << 20
    assert ending.why is not None
    assert "far more than was asked for" in ending.why


def test_what_the_engine_complains_about_is_kept(tmp_path: Path) -> None:
    ending, _ = run(make_engine(tmp_path, start="exits"))
    assert any("out of luck" in note for note in ending.notes)


def test_a_stop_ends_the_engine_and_keeps_what_came(tmp_path: Path) -> None:
    asked: list[int] = []
    reading, writing = os.pipe()

    def ask() -> None:
        asked.append(signal.SIGINT)
        os.write(writing, b"!")

    timer = threading.Timer(1.0, ask)
    timer.start()
    stop = Stop(lambda: asked[0] if asked else None, reading)
    began = time.monotonic()
    ending, trace = run(make_engine(tmp_path, hangs="TMR-P-CYC"), stop=stop)
    assert time.monotonic() - began < 10
    timer.join()
    os.close(reading)
    os.close(writing)
    assert ending.signal == signal.SIGINT
    assert ending.deaths == ()
    assert "the engine was stopped by SIGINT: 4 of 4 tests had begun" in ending.notes
    assert outcomes(trace)[:2] == [("CAL-P-TRC", "done"), ("THR-P-SLS", "done")]
    assert read_trace(trace).complete


def test_a_sink_that_fails_ends_the_engine(tmp_path: Path) -> None:
    pids: list[int] = []
    engine = make_script(tmp_path, "import os, time\nos.write(1, b'%d' % os.getpid())\ntime.sleep(60)\n")

    def full(chunk: bytes, _events: Sequence[object]) -> None:
        pids.append(int(chunk))
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        target(engine).run(SPEC, [60.0] * 4, full, Stop())
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_processes_that_the_engine_leaves_do_not_keep_us_waiting(tmp_path: Path) -> None:
    text = "import os, time\nif os.fork() == 0:\n    time.sleep(30)\nos._exit(5)\n"
    began = time.monotonic()
    ending, _ = run(make_script(tmp_path, text))
    assert time.monotonic() - began < 10
    assert ending.why is not None
    assert "status 5" in ending.why


@pytest.mark.parametrize("content", ["", "no program"])
def test_an_engine_that_is_no_program_is_an_error_of_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "engine"
    path.write_text(content)
    with pytest.raises(TargetError, match="cannot start the engine"):
        target(path).describe()


def test_an_engine_that_describes_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"status 2 \(oh no\) and did not describe"):
        target(make_script(tmp_path, "import sys\nsys.stderr.write('oh no')\nsys.exit(2)\n")).describe()


def test_a_missing_engine_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RTGAUGE_ENGINE", raising=False)
    monkeypatch.setattr("rtgauge.__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(TargetError, match="the engine is missing"):
        open_target("local").describe()


def test_one_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"{NAME}-test-{os.getpid()}")
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path)))
    local = open_target("local")
    with local.reserved():
        with pytest.raises(TargetError, match="another run is going on"), open_target("local").reserved():
            pass
        with open_target("fake").reserved():
            pass
    with local.reserved():
        pass


def test_without_abstract_names_the_engine_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.targets._lock._hold_name", lambda: None)
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path)))
    with (
        open_target("local").reserved(),
        pytest.raises(TargetError, match="another run is going on"),
        open_target("local").reserved(),
    ):
        pass


def test_the_lock_vanishes_with_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"rtgauge-local-test-{os.getpid()}"
    monkeypatch.setattr("rtgauge.targets._lock.NAME", f"\0{name}")
    code = (
        "import sys, time; from pathlib import Path; from rtgauge.targets import _lock\n"
        f"_lock.NAME = '\\0{name}'\n"
        "with _lock.only_one(Path('/')):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    monkeypatch.setenv("RTGAUGE_ENGINE", str(make_engine(tmp_path)))
    with pytest.raises(TargetError), open_target("local").reserved():
        pass
    holder.kill()
    holder.communicate()
    with open_target("local").reserved():
        pass


@pytest.mark.parametrize("address", ["locl", "", "ssh:me@there", "x" * 100])
def test_unknown_kinds_list_the_legal_ones(address: str) -> None:
    with pytest.raises(UsageError, match=r"legal are fake, lab, local, posix, replay, serial$"):
        open_target(address)


@pytest.mark.parametrize("address", ["local:here", "fake:now", "replay:", "replay"])
def test_addresses_that_make_no_sense_are_refused(address: str) -> None:
    with pytest.raises(UsageError, match=address.partition(":")[0]):
        open_target(address)
