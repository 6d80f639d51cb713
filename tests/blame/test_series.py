"""From a trace with windows to `blame` of results.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rtgauge.blame import broke_on
from rtgauge.model import EventWindow, Evidence, RunSpec, Trace
from rtgauge.pipeline import judge
from rtgauge.results import complaint_about, to_json
from rtgauge.trace import read_trace
from tests.support.traces import START_NS, START_STAMP, build_trace, fake_series, fake_test
from tests.support.windows import event, late_wakeup, to_measured, window

TICKS = [2_000] * 20 + [186_000] + [3_000] * 20 + [100_000]


def trace_of(windows: Sequence[EventWindow], evidence: Sequence[tuple[str, Any, str]] = (), **more: Any) -> Trace:
    told = {"source": "os", "analyse": "periodic", "starts": START_NS + 10**6 * (1 + _numbers(len(TICKS)))} | more
    series = fake_series(TICKS, aux_name="cpu", aux=[1] * len(TICKS), **told)
    test = fake_test("TMR-P-CYC", params={"interval": 1_000_000}, series=[series], evidence=list(evidence))
    trace = read_trace(build_trace([test]))
    return replace(trace, tests=(replace(trace.tests[0], windows=tuple(windows)),))


def _numbers(n: int) -> Any:
    import numpy as np

    return np.arange(n)


def blame_of(trace: Trace) -> dict[str, Any]:
    spec = RunSpec(jobs=())
    made = to_json(judge(trace, spec), trace, spec, run="r", target="local", created="2026-03-01T10:15:00Z")
    assert complaint_about(json.loads(json.dumps(made))) is None
    found: dict[str, Any] = made["results"][0]["blame"]
    return found


def test_the_worst_samples_are_blamed_in_their_order() -> None:
    second = replace(window([to_measured(-9_000)], 100_000), index=41)
    found = blame_of(trace_of([second, replace(late_wakeup(), index=20)]))
    assert [(one["index"], one["total"]) for one in found["samples"]] == [(20, 186_000), (41, 100_000)]
    assert all(sum(part["ns"] for part in one["parts"]) == one["total"] for one in found["samples"])
    assert found["samples"][0]["verdict"].startswith("186 us: 100 us ksoftirqd/1 (normal)")
    assert found["samples"][0]["unexplained"] == 0  # the thread's own 2 us are the least that a wake-up takes
    assert found["samples"][1]["unexplained"] == 98_000
    assert len(found["without"]) == 8
    chief = {cause["what"]: cause["chief"] for cause in found["causes"] if cause["chief"]}
    assert chief == {"ksoftirqd/1 (normal)": 1, "not explained": 1}
    first = found["causes"][0]
    assert (first["what"], first["samples"], first["total"], first["largest"]) == (
        "ksoftirqd/1 (normal)", 1, 100_000, 100_000,
    )  # fmt: skip
    pieces = found["samples"][0]["pieces"]
    assert pieces[0][0] == 0
    assert pieces[-1][1] == 186_000
    kinds = [found["samples"][0]["parts"][piece[2]]["kind"] for piece in pieces]
    assert kinds[:2] == ["late", "interrupt"]


def test_without_windows_there_is_no_blame() -> None:
    result = judge(trace_of([]), RunSpec(jobs=())).results[0]
    assert result.blame is None


def test_samples_by_stamp_leave_the_overhead_to_the_end() -> None:
    starts = START_STAMP + 10**6 * _numbers(len(TICKS))
    trace = trace_of([replace(late_wakeup(), index=20)], source="stamp", analyse="", starts=starts)
    (sample,) = blame_of(trace)["samples"]
    assert sample["value"] == 185_980  # 20 ticks are those of the stamps
    assert sum(part["ns"] for part in sample["parts"]) == sample["total"] == 185_980
    assert sample["phases"] == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"missed": 7}, "7 events of the window were not kept"),
        ({"lost_by_kernel": 3}, "3 events were lost by the kernel"),
        ({"complete": False}, "a part of the window did not arrive"),
        ({"events": ()}, "no event of this CPU was recorded"),
        (
            {"events": (event(5, "irq-exit", 3, "x"), event(6, "vector-entry"), event(7, "irq-exit", 4))},
            "1 events do not",
        ),
    ],
)
def test_what_is_missing_makes_a_blame_incomplete(change: dict[str, Any], words: str) -> None:
    (sample,) = blame_of(trace_of([replace(late_wakeup(), index=20, **change)]))["samples"]
    assert words in sample["incomplete"]
    assert sample["verdict"].endswith(f"; incomplete: {sample['incomplete']}")
    assert (sample["missed"], sample["lost"]) == (change.get("missed", 0), change.get("lost_by_kernel", 0))


def test_a_window_in_which_nothing_happened_is_complete() -> None:
    silent = replace(window([], 100_000), index=41)
    samples = blame_of(trace_of([silent, replace(late_wakeup(), index=20)]))["samples"]
    assert [one["incomplete"] for one in samples] == [None, None]


def test_a_whole_window_is_complete() -> None:
    (sample,) = blame_of(trace_of([replace(late_wakeup(), index=20)]))["samples"]
    assert sample["incomplete"] is None
    assert "incomplete" not in sample["verdict"]


@pytest.mark.parametrize(("time", "outside"), [("virtual", False), ("real", True), (None, True)])
def test_the_facts_of_a_trace_say_which_time_it_is(time: str | None, outside: bool) -> None:
    silent = replace(window([to_measured(-9_000)], 100_000), index=41)
    trace = trace_of([replace(late_wakeup(), index=20), silent])
    trace = replace(trace, facts={**trace.facts, **({} if time is None else {"time": time})})
    told = json.dumps(blame_of(trace))
    assert "kept the CPU" in told
    assert "nothing was recorded" in told
    assert [word in told for word in ("hypervisor", "firmware")] == [outside, outside]


def test_the_sample_that_ended_the_run_is_told_with_what_was_around() -> None:
    evidence = [("break_on_sample", 3, ""), ("break_on_ns", 1_000, "ns"), ("break_on_series", "", "")]
    broke = replace(window([to_measured(-9_000, left=900)], 2_000), index=3)
    found = blame_of(trace_of([broke, replace(late_wakeup(), index=20)], evidence))
    assert [(one["index"], one["broke"]) for one in found["samples"]] == [(20, False), (3, True)]
    around = found["samples"][1]["around"]
    assert (around[0]["from"], around[-1]["to"]) == (-500_000, 102_000)
    assert "around" not in found["samples"][0]


def test_a_break_is_read_from_the_evidence() -> None:
    assert broke_on([Evidence("break_on_sample", 5), Evidence("break_on_series", "release")]) == (5, "release")
    assert broke_on([Evidence("break_on_sample", "x")]) is None
    assert broke_on([]) is None


def test_a_series_that_lost_samples_is_indexed_as_on_the_target() -> None:
    evidence = [("break_on_sample", 3, ""), ("break_on_series", "", "")]
    trace = trace_of([replace(late_wakeup(), index=20 + 5)], evidence)
    series = replace(trace.tests[0].series[0], missing=((2, 5),))
    trace = replace(trace, tests=(replace(trace.tests[0], series=(series,)),))
    found = blame_of(trace)
    assert [one["index"] for one in found["samples"]] == [25]  # the one that broke is among the lost
