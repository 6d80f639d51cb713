"""The engine as a program: on the simulated OS every figure is known exactly; on this one its premises are."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rtgauge.model import Job, Result, RunSpec, TestTrace, Trace
from rtgauge.pipeline import judge
from rtgauge.plan import Wish, make_plan
from rtgauge.trace.reader import read_trace
from rtgauge.trace.writer import encode_list_request, encode_request

STATIC_LIMIT = 600_000  # bytes, with the whole catalogue; a small target takes some tests only
SECOND = 1_000_000_000  # ns

# Raw ns on the simulated OS, out of its table of costs (engine/ports/fake/costs.h); the smallest of each series.
KNOWN = {
    ("THR-P-SLS", "threads=2", ""): 810,
    ("THR-P-SLS", "threads=1000", ""): 810,
    ("THR-P-NEW", "scenario=never-run", "creation"): 5010,
    ("THR-P-NEW", "scenario=never-run", "deletion"): 1210,
    ("THR-P-NEW", "scenario=run-terminate", "creation"): 5510,
    ("THR-P-NEW", "scenario=run-terminate", "deletion"): 1110,
    ("SEM-P-ARC", "kind=counting", "acquire"): 810,
    ("SEM-P-ARC", "kind=counting", "release"): 860,
    ("MUT-P-ARC", "protocol=inherit", "acquire"): 810,
    ("MUT-P-ARC", "protocol=inherit", "release"): 860,
    ("CLK-P-GET", "path=syscall", ""): 110,
    ("CLK-P-GET", "path=user", ""): 30,
}


def talk(engine: Path, request: bytes, *prefix: str) -> Trace:
    done = subprocess.run([*prefix, engine], input=request, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return read_trace(done.stdout)


def measure(engine: Path, *jobs: Job, memory: int = 64 << 20) -> Trace:
    return talk(engine, encode_request(RunSpec(jobs=jobs, memory=memory)))


def label(test: TestTrace, name: str) -> str:
    return f"{name}={test.params[name]}"


@pytest.fixture(scope="module")
def everything(engine_fake: Path) -> tuple[Trace, RunSpec]:
    """Every test by every swept value, with few samples, on the simulated OS."""
    descriptors = talk(engine_fake, encode_list_request()).descriptors
    spec = make_plan(descriptors, Wish(profile="quick")).spec
    spec = replace(spec, jobs=tuple(replace(job, samples=min(job.samples, 600)) for job in spec.jobs))
    return talk(engine_fake, encode_request(spec)), spec


def test_every_test_holds_on_the_simulated_os(everything: tuple[Trace, RunSpec]) -> None:
    trace, spec = everything
    assert trace.problems == ()
    assert len(trace.tests) == len(spec.jobs) > 60
    wrong = [(r.id, dict(r.params), r.status, r.reason) for r in judge(trace, spec).results if not is_right(r)]
    assert wrong == []


# What the simulated system does not have, and the tests that find it out.
LACKED = {
    "creating a process: ": ("THR-P-SLP", "SYN-P-RTT", "MSG-P-LAT", "MSG-P-THR"),
    "catching queued signals: ": ("SIG-P-LAT",),
    "creating a periodic timer: ": ("TMR-P-JIT",),  # of a second kind
    "needs two CPUs": ("SMP-P-MTX", "SMP-P-SCL", "SMP-P-WAK"),
    "this work takes no time here": ("CPU-P-RSP",),
    "the handler of the tick leaves no marks": ("IRQ-P-SIM",),
    "": ("CAL-P-CPU", "SEM-P-ARN"),
}


def is_right(result: Result) -> bool:
    if result.status == "inconclusive":  # 600 loops see too few ticks to compare their rate
        return result.id == "CLK-P-DUR"
    lacked = [what for what, tests in LACKED.items() if result.id in tests]
    if result.status == "not-supported" and lacked:
        return str(result.reason).startswith(lacked[0])
    return result.status in ("ok", "pass")


def test_figures_on_the_simulated_os_are_known(everything: tuple[Trace, RunSpec]) -> None:
    trace, _ = everything
    found = {}
    for test in trace.tests:
        for name in test.params:
            for series in test.series:
                key = (test.descriptor.id, label(test, name), series.info.name)
                if key in KNOWN and len(series.ticks):
                    found[key] = int(series.ticks.min())
    assert found == KNOWN


def test_threads_are_read_back_and_disturbed_by_nobody_on_the_simulated_os(everything: tuple[Trace, RunSpec]) -> None:
    disturbed = ("involuntary_switches", "lo_preempted_by_others", "driver_preempted_by_others", "cpu_changes")
    for test in everything[0].tests:
        evidence = {line.name: line.value for line in test.evidence}
        if test.outcome == "done":
            assert int(evidence["threads_read_back"]) >= 1, test.descriptor.id  # its own thread at least
            assert [evidence.get(name, 0) for name in disturbed] == [0] * len(disturbed), test.descriptor.id


def test_a_job_that_has_to_wait_long_is_not_cut_short(engine_fake: Path) -> None:
    params: dict[str, str | int] = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 10 * SECOND}
    (test,) = measure(engine_fake, Job("TMR-P-CYC", 20, params)).tests
    assert (test.stopped, len(test.series[0].ticks)) == (False, 20)


def test_others_get_the_cpu_between_turns_of_a_long_test(engine_fake: Path) -> None:
    params: dict[str, str | int] = {"kind": "mutex", "protocol": "inherit", "from": "request", "hold": 0}
    (test,) = measure(engine_fake, Job("MUT-P-INV", 20, {**params, "mid-work": SECOND // 10})).tests
    pauses = np.diff(test.series[0].start.astype(np.int64)) > SECOND * 3 // 20  # a turn alone takes 0.1 s
    assert 2 <= pauses.sum() <= 4


def test_interrupts_meet_every_part_of_the_ticks_handler(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("IRQ-P-SIM", 250, {"source": "timer", "other": "tick"})).tests
    late = np.sort(test.series[0].ticks.astype(np.int64))
    late -= late[0]  # held up by so much of the 800 ns in which the tick's handler keeps others out
    met = late[late > 0]
    evidence = {line.name: line.value for line in test.evidence}
    takes = int(evidence["tick_takes_at_most"])
    assert evidence["spread_phases_visited"] == evidence["spread_phases_told_apart"]
    assert 800 <= takes < 1200
    assert len(met) / len(late) == pytest.approx(800 / (2 * takes), abs=0.03)
    assert met[-1] == pytest.approx(795, abs=10)
    assert np.diff(met).max() < 80


def test_two_runs_on_the_simulated_os_are_the_same(engine_fake: Path) -> None:
    request = encode_request(RunSpec(jobs=(Job("THR-P-SLS", 500, {"threads": 10}), Job("CAL-P-TRC", 100))))
    runs = [subprocess.run([engine_fake], input=request, capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]


def test_what_does_not_fit_is_sent_in_chunks(engine_fake: Path) -> None:
    trace = measure(engine_fake, Job("CAL-P-TRC", 50_000), memory=200_000)
    (test,) = trace.tests
    (series,) = test.series
    assert (test.mode, series.dropped, len(series.ticks)) == ("chunk", 0, 50_000)
    assert len(series.resumed) >= 4
    assert np.all(np.diff(series.start.astype(np.int64)) > 0)


@pytest.mark.parametrize(
    ("job", "reason"),
    [
        (Job("THR-P-SLS", 10), "the request leaves out a parameter of this test"),
        (Job("THR-P-SLS", 10, {"threads": "two"}), "the request gives a parameter of the wrong kind"),
        (
            Job("CLK-P-GET", 10, {"path": "syscal"}),
            "the request gives a parameter a value that this test does not have",
        ),
        (Job("CAL-P-TRC", 10, {"threads": 2}), "the request gives a parameter that this test does not have"),
    ],
)
def test_a_job_that_makes_no_sense_is_invalid(engine_fake: Path, job: Job, reason: str) -> None:
    (test,) = measure(engine_fake, job).tests
    assert (test.outcome, test.reason) == ("invalid", reason)


@pytest.mark.parametrize("request_", [b"", b"\0", b"rubbish", b"\x05abcd\0", encode_list_request()[:-1]])
def test_a_request_that_is_none_is_answered_with_the_reason(engine_fake: Path, request_: bytes) -> None:
    trace = talk(engine_fake, request_)
    assert trace.tests == ()
    assert trace.why is not None
    assert "request" in trace.why


def test_the_static_engine_is_small_and_has_the_same_tests(engine_static: Path, engine_local: Path) -> None:
    assert engine_static.stat().st_size < STATIC_LIMIT
    ours, others = (talk(engine, encode_list_request()).descriptors for engine in (engine_static, engine_local))
    assert ours == others
    assert b"INTERP" not in subprocess.run(["readelf", "-l", engine_static], capture_output=True, check=True).stdout


# ---- this machine ---------------------------------------------------------------------------------------------------

PREMISES = (
    Job("THR-P-SLS", 2000, {"threads": 10}),
    Job("SEM-B-REL", 1, {"kind": "counting", "name": "unnamed"}),
    Job("MUT-B-ARC", 1, {"protocol": "inherit"}),
    Job("MUT-P-ARC", 500, {"protocol": "inherit"}),
)


def realtime(engine: Path) -> None:
    trace = measure(engine, Job("THR-P-SLS", 10, {"threads": 2}))
    if trace.tests[0].outcome == "not-permitted":
        pytest.skip("this user may not use real-time scheduling: `rtgauge doctor` tells what to do")


@pytest.mark.realtime
@pytest.mark.parametrize("name", ["rtgauge-engine", "rtgauge-engine-static"])
def test_premises_hold_on_this_machine(name: str, engine_local: Path) -> None:
    engine = engine_local.parent / name
    if not engine.exists():
        pytest.skip(f"{name} was not built (package musl-tools)")
    realtime(engine)
    trace = measure(engine, *PREMISES)
    assert [(test.descriptor.id, test.outcome, test.reason) for test in trace.tests] == [
        (job.id, "done", None) for job in PREMISES
    ]
    for test in trace.tests:
        assert [check for check in test.checks if check.holds == (check.role == "control")] == [
            check for check in test.checks if check.role == "report" and not check.holds
        ]


@pytest.mark.realtime
@pytest.mark.parametrize(
    ("test", "params"),
    [
        ("MUT-P-ARN", {"kind": "mutex", "protocol": "inherit", "batch": 1}),
        ("SEM-P-ARN", {"kind": "counting", "name": "unnamed", "batch": 1}),
    ],
)
def test_caches_are_dirtied_before_every_sample(engine_local: Path, test: str, params: dict[str, str | int]) -> None:
    realtime(engine_local)
    runs = [
        talk(engine_local, encode_request(RunSpec(jobs=(Job(test, 40, params),), cache=cache))).tests[0]
        for cache in ("hot", "dirty")
    ]
    if runs[1].outcome == "not-supported":
        pytest.skip(f"caches cannot be dirtied here: {runs[1].reason}")
    for hot, dirty in zip(runs[0].series, runs[1].series, strict=True):
        assert np.median(dirty.ticks) > 2 * np.median(hot.ticks), hot.info.name


def test_without_privilege_there_is_no_number(engine_local: Path) -> None:
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv to become another user")
    jobs = (Job("THR-P-SLS", 100, {"threads": 2}), Job("CAL-P-TRC", 100))
    prefix = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    with tempfile.TemporaryDirectory() as folder:  # a checkout may lie where another user cannot reach it
        Path(folder).chmod(0o755)
        program = Path(shutil.copy(engine_local, folder))
        trace = talk(program, encode_request(RunSpec(jobs=jobs)), *prefix)
    assert [(test.descriptor.id, test.outcome) for test in trace.tests] == [
        ("THR-P-SLS", "not-permitted"),
        ("CAL-P-TRC", "done"),
    ]
    assert [len(series.ticks) for series in trace.tests[0].series] == [0]
    assert "rtgauge doctor" in (trace.tests[0].reason or "")


@pytest.mark.realtime
def test_where_threads_cannot_be_held_on_a_cpu_there_is_no_number(engine_local: Path) -> None:
    engine = Path(__file__).parent.parent / "build/tests/pure-posix/engine/rtgauge-engine"
    if not engine.exists():
        pytest.skip("the engine without any call of one system was not built: `make test` does")
    if len(os.sched_getaffinity(0)) == 1:
        pytest.skip("with one CPU every thread is held on it")
    realtime(engine_local)
    (test,) = measure(engine, Job("THR-P-SLS", 1000, {"threads": 2})).tests
    assert test.outcome == "invalid"
