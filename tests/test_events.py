"""The system's own events around the worst samples, and the end at a sample above a limit: by the engine."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from rtgauge.model import EventWindow, Job, Param, RunSpec, TestTrace, Trace
from rtgauge.trace import encode_request, read_trace

INSTANCES = Path("/sys/kernel/tracing/instances")
CYC: dict[str, Param] = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}
IRQ: dict[str, Param] = {"source": "timer", "level": "primary"}


def measure(engine: Path, *jobs: Job, **more: object) -> Trace:
    request = encode_request(RunSpec(jobs=jobs, **more))  # type: ignore[arg-type]
    done = subprocess.run([engine], input=request, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    trace = read_trace(done.stdout)
    assert trace.problems == ()
    return trace


def evidence(test: TestTrace) -> dict[str, str | int]:
    return {line.name: line.value for line in test.evidence}


def only(test: TestTrace) -> EventWindow:
    (window,) = test.windows
    return window


# ---- on the simulated OS: every figure is known ---------------------------------------------------------------------


def test_the_ten_worst_samples_have_their_events(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("TMR-P-CYC", 500, CYC), blame=True).tests
    ticks = test.series[0].ticks
    assert len(test.windows) >= 10
    assert sorted(int(ticks[w.index]) for w in test.windows)[-10:] == sorted(ticks.tolist())[-10:]
    for window in test.windows:
        assert window.stop - window.start == ticks[window.index]
        assert window.begin < window.start < window.stop < window.end
        assert (window.missed, window.lost_by_kernel, window.complete) == (0, 0, True)
        times = [event.at for event in window.events]
        assert times == sorted(times)
        assert window.begin <= times[0] <= times[-1] <= window.end


def test_a_wake_up_is_seen_as_it_went(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("TMR-P-CYC", 1, CYC), blame=True).tests
    window = only(test)
    due = int(test.series[0].start[0])
    kinds = [(event.kind, event.due_ns) for event in window.events if window.start <= event.at <= window.stop]
    assert kinds[:5] == [("vector-entry", 0), ("timer-due", due), ("waking", 0), ("timer-exit", 0), ("vector-exit", 0)]


def test_what_recording_costs_is_told(engine_fake: Path) -> None:
    told = evidence(measure(engine_fake, Job("TMR-P-CYC", 100, CYC), blame=True).tests[0])
    assert told["tracing_cost_ns"] == 3 * 30  # one wake-up and two switches, by the table of costs
    assert int(told["events_recorded"]) > 500
    assert (told["events_lost"], told["windows_lost"]) == (0, 0)


def test_the_room_for_events_is_emptied_before_it_is_full(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("TMR-P-CYC", 20_000, CYC), blame=True).tests
    told = evidence(test)
    assert int(told["events_recorded"]) > 5 * 8192  # the room of the simulated OS
    assert told["events_lost"] == 0
    assert len(test.series[0].ticks) == 20_000
    assert len(test.series[0].resumed) >= 5  # each pause is said


def test_without_the_wish_nothing_is_recorded(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("TMR-P-CYC", 100, CYC)).tests
    assert test.windows == ()
    assert not [name for name in evidence(test) if name.startswith(("events", "tracing"))]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_sample_above_the_limit_ends_test_and_run(engine_fake: Path, threads: int) -> None:
    jobs = (
        Job("CAL-P-TRC", 50),
        Job("TMR-P-CYC", 2000, {**CYC, "threads": threads}),
        Job("THR-P-SLS", 50, {"threads": 2}),
    )
    limit = 2190 if threads == 1 else 4000  # of one thread: 2170 ns, 2200 where another ends before it
    correction, broken, left_out = measure(engine_fake, *jobs, break_on_ns=limit).tests
    (series,) = broken.series
    index = int(evidence(broken)["break_on_sample"])
    assert correction.outcome == "done"
    assert (broken.outcome, broken.stopped) == ("done", False)
    assert len(series.ticks) < 2000
    assert series.ticks[index] > limit
    assert np.sum(series.ticks > limit) == 1
    assert evidence(broken)["break_on_ns"] == limit
    assert [w.stop - w.start for w in broken.windows if w.index == index] == [series.ticks[index]]
    assert left_out.outcome == "inconclusive"
    assert left_out.reason is not None
    assert left_out.reason.startswith("left out: ")


def test_a_limit_that_nothing_exceeds_changes_nothing(engine_fake: Path) -> None:
    job = Job("THR-P-SLS", 500, {"threads": 2})
    (test,) = measure(engine_fake, job, break_on_ns=1_000_000).tests
    assert (test.outcome, len(test.series[0].ticks)) == ("done", 500)
    assert "break_on_sample" not in evidence(test)


# Raw ns out of the table of costs: 1500 to the handler, 300 back, 500 to another thread, 10 for a stamp.
@pytest.mark.parametrize(
    ("job", "least", "most"),
    [
        (Job("IRQ-P-LAT", 300, {**IRQ, "from": "thread"}), 1500, 1510),
        (Job("IRQ-P-LAT", 300, {**IRQ, "from": "due"}), 1500, 1510),
        (Job("IRQ-P-DLT", 300, IRQ), 300, 310),
        (Job("IRQ-P-TLT", 200, {**IRQ, "from": "handler", "waiters": 1}), 810, 810),
        (Job("IRQ-P-TLT", 200, {**IRQ, "from": "handler", "waiters": 10}), 810, 810),
        (Job("IRQ-P-SIM", 100, {"source": "timer", "other": "second"}), 1500, 1510),
    ],
)
def test_figures_of_interrupts_are_known(engine_fake: Path, job: Job, least: int, most: int) -> None:
    (test,) = measure(engine_fake, job).tests
    told = evidence(test)
    ticks = test.series[0].ticks
    assert test.outcome == "done"
    assert least <= ticks.min() <= ticks.max() <= most
    assert told["interrupts_fired"] == job.samples
    assert len(ticks) == job.samples - int(told["interrupts_mixed_with_others"]) > 0.9 * job.samples
    assert int(told["tick_phases_visited"]) > 50


def test_nesting_is_found_and_its_control_does_not_nest(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("IRQ-B-NST", 1, {"source": "timer"})).tests
    assert {check.name: check.holds for check in test.checks} == {
        "handled-once": True,
        "nests": True,
        "lower-interrupts-higher": False,
    }


def test_the_shortest_period_is_served_without_a_coalesced_expiry(engine_fake: Path) -> None:
    (test,) = measure(engine_fake, Job("IRQ-S-SUS", 1000, {"source": "timer-overrun", "level": "thread"})).tests
    told = evidence(test)
    assert "coalesced" in str(told["row 01"])
    assert "coalesced 0" not in str(told["row 01"])
    assert 1500 < int(told["shortest_period_ns"]) < 4000  # one expiry takes 1500 ns of the CPU
    assert list(test.series[1].ticks) == [told["shortest_period_ns"]]
    assert told["proven_by"] == len(test.series[0].ticks) == 1000


def test_a_source_that_loses_interrupts_has_a_shortest_period_at_each_level(engine_fake: Path) -> None:
    """The thread is later than the handler, and neither loses one at the period that was found."""
    jobs = [Job("IRQ-S-SUS", 1000, {"source": "timer", "level": level}) for level in ("thread", "handler")]
    thread, handler = measure(engine_fake, *jobs).tests
    for test in (thread, handler):
        told = evidence(test)
        assert "lost 0" not in str(told["row 01"])
        assert 2000 < int(told["shortest_period_ns"]) <= 4001
        assert list(test.series[1].ticks) == [told["shortest_period_ns"]]
        assert told["proven_by"] == len(test.series[0].ticks) == 1000
        assert told["tick_phases_visited"] == told["tick_phases_told_apart"] == 64
    assert handler.series[0].ticks.min() < thread.series[0].ticks.min()


# ---- on this OS -----------------------------------------------------------------------------------------------------


def own_instances() -> set[str]:
    return {path.name for path in INSTANCES.glob("rtgauge-*")}


@pytest.fixture
def recorder() -> None:
    if os.geteuid() != 0 or not os.access(INSTANCES, os.W_OK):
        pytest.skip("recording the kernel's events needs root and its tracing files")


@pytest.mark.usefixtures("recorder")
def test_the_kernel_tells_what_happened_around_a_wake_up(engine_local: Path) -> None:
    (test,) = measure(engine_local, Job("TMR-P-CYC", 300, CYC), blame=True).tests
    told = evidence(test)
    assert "events_unavailable" not in told, told
    assert int(told["events_recorded"]) > 600
    starts = test.series[0].start
    whole = [w for w in test.windows if w.lost_by_kernel == w.missed == 0]
    assert whole
    for window in whole:  # the timer that woke the thread is the one that it had set
        assert int(starts[window.index]) in [event.due_ns for event in window.events if event.kind == "timer-due"]


@pytest.mark.usefixtures("recorder")
def test_what_a_killed_engine_left_is_removed_by_the_next(engine_local: Path) -> None:
    before = own_instances()
    request = encode_request(RunSpec(jobs=(Job("TMR-P-CYC", 60_000, CYC),), blame=True))
    with subprocess.Popen([engine_local], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as engine:
        assert engine.stdin is not None
        engine.stdin.write(request)
        engine.stdin.close()
        name = f"rtgauge-{engine.pid}"
        until = time.monotonic() + 20
        while name not in own_instances() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.3)
        with pytest.raises(OSError, match="busy"):  # while it lives nobody takes it away
            (INSTANCES / name).rmdir()
        engine.kill()
    assert name in own_instances() - before
    measure(engine_local, Job("CAL-P-TRC", 50), blame=True)
    until = time.monotonic() + 10
    while name in own_instances() and time.monotonic() < until:  # another engine may be removing it just now
        time.sleep(0.1)
    assert name not in own_instances()


@pytest.mark.usefixtures("recorder")
@pytest.mark.parametrize("test_id", ["IRQ-P-LAT", "IRQ-P-DLT"])
def test_interrupts_are_matched_with_their_own_expiries(engine_local: Path, test_id: str) -> None:
    params = {**IRQ, "from": "due"} if test_id == "IRQ-P-LAT" else IRQ
    (test,) = measure(engine_local, Job(test_id, 100, params)).tests
    told = evidence(test)
    if test.outcome == "not-supported":
        pytest.skip(f"{test.reason}")
    assert test.outcome == "done", test.reason
    assert told["interrupts_found"] == told["interrupts_fired"] == 100
    assert len(test.series[0].ticks) + int(told["interrupts_mixed_with_others"]) == 100
    assert test.series[0].ticks.min() > 0  # nothing before its cause


def test_without_the_privilege_it_is_said(engine_local: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("becoming somebody without privileges needs root")
    request = encode_request(RunSpec(jobs=(Job("CAL-P-TRC", 50),), blame=True, memory=1 << 20))
    done = subprocess.run(
        [engine_local],
        input=request,
        capture_output=True,
        check=True,
        timeout=60,
        user=65534,
        group=65534,
        extra_groups=[],
    )
    (test,) = read_trace(done.stdout).tests
    assert test.outcome == "done"
    assert "not" in str(evidence(test)["events_unavailable"])
