"""What is told of guests from outside, by the analyser, and from inside, by the kernel's own tracers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rtgauge.blame.wakeup import PHASES
from rtgauge.lab.analyser import Analysis, from_json, readings
from rtgauge.model import Job, RunSpec, TestTrace, Trace
from rtgauge.pipeline import judge
from rtgauge.targets import open_target
from rtgauge.targets.base import Ending, Stop
from rtgauge.trace.reader import read_trace
from tests.lab.test_runs import ran, system

__all__ = ["system"]  # a fixture
SAMPLES = 300
CYCLIC: Mapping[str, str | int] = {"threads": 1, "priospread": "off", "policy": "fifo", "interval": 1_000_000}


def told(test: TestTrace) -> dict[str, str | int]:
    return {line.name: line.value for line in test.evidence}


def analysis_of(ending: Ending) -> Analysis:
    assert ending.analyser is not None
    if "why" in ending.analyser:
        pytest.skip(str(ending.analyser["why"]))
    return from_json(ending.analyser)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-rt", "linux-rt@virt-a53"], indirect=True)
def test_the_analyser_reads_what_the_guest_reads_and_the_guest_takes_no_notice(system: str) -> None:
    virtual = open_target(f"lab:{system}").describe().virtual
    if virtual is None or virtual["module"] is None:
        pytest.skip("no kernel module: its headers or a compiler are missing")
    source = {"source": "counter" if "virt" in system else "hpet", "level": "primary"}
    jobs = (
        Job("CAL-P-TRC", 100),
        Job("IRQ-P-LAT", SAMPLES, {**source, "from": "thread"}),
        Job("IRQ-P-DLT", SAMPLES, source),
    )
    spec = RunSpec(jobs=jobs, memory=1 << 20, time_ms=100_000)
    trace, ending = ran(f"{system}?analyser=on", spec)
    analysis = analysis_of(ending)
    assert trace == ran(system, spec)[0]
    evaluation = judge(read_trace(trace), spec)
    for result, samples in zip(evaluation.results[1:], evaluation.series[1:], strict=True):
        lines = {line.name: line.value for line in readings(result, samples, analysis)}
        assert int(lines["analyser_interrupts"]) >= 0.95 * SAMPLES
        assert (lines["analyser_difference_least"], lines["analyser_difference_most"]) == (0, 0)


def blamed(system: str) -> tuple[Trace, dict[str, object]]:
    spec = RunSpec(
        jobs=(Job("CAL-P-TRC", 100), Job("TMR-P-CYC", 300, CYCLIC)),
        memory=1 << 20,
        time_ms=100_000,
        blame=True,
    )
    target, got = open_target(f"lab:{system}"), bytearray()
    target.describe()
    ending = target.run(spec, [60.0] * 2, lambda chunk, _events: got.extend(chunk), Stop())
    assert (ending.why, ending.deaths) == (None, ())
    trace = read_trace(bytes(got))
    evaluation = judge(trace, spec)
    blame = evaluation.results[1].blame
    assert blame is not None
    return trace, dict(blame)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-full"], indirect=True)
def test_what_the_timers_interrupt_came_upon_is_put_down_in_a_guest(system: str) -> None:
    trace, blame = blamed(system)
    kinds = {event.kind for window in trace.tests[1].windows for event in window.events}
    assert "place" in kinds
    assert told(trace.tests[1])["events_missing"] == "noise irqs-off"
    samples = blame["samples"]
    assert isinstance(samples, list)
    assert len(samples) == 10
    assert all(one["unexplained"] == 0 and one["incomplete"] is None for one in samples)
    assert any(part["kind"] == "tracing" for one in samples for part in one["parts"])


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-rt"], indirect=True)
def test_the_kernels_own_account_is_there_in_a_guest_with_osnoise(system: str) -> None:
    trace, blame = blamed(system)
    assert told(trace.tests[1])["events_missing"] == "place irqs-off"
    samples = blame["samples"]
    assert isinstance(samples, list)
    accounts = [one for sample in samples for one in sample.get("account", ())]
    assert any(one["kind"] == "irq" and one["name"] == "local_timer" and 500 < one["ns"] < 100_000 for one in accounts)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["linux-voluntary@virt-a53"], indirect=True)
def test_events_of_another_clock_are_told_in_stamps_of_the_counter(system: str) -> None:
    """Without a load each wake-up goes the same way, so all of its phases are known, and their order."""
    trace, blame = blamed(system)
    lines = told(trace.tests[1])
    assert lines["events_missing"] == "vector noise place irqs-off"
    assert 0 < int(lines["events_resolution"]) < 1_000
    samples = blame["samples"]
    assert isinstance(samples, list)
    assert len(samples) == 10
    for one in samples:
        assert (one["unexplained"], one["incomplete"]) == (0, None)
        assert sum(part["ns"] for part in one["parts"]) == one["total"]
        assert [phase["name"] for phase in one["phases"]] == [name for _, name, _ in PHASES]
        assert all(phase["ns"] > 500 for phase in one["phases"])
        assert {part["what"] for part in one["parts"]} >= {"interrupt arch_timer", "timer function hrtimer_wakeup"}
