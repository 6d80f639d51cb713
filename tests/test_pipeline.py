from __future__ import annotations

import numpy as np

from rtgauge.model import RunSpec
from rtgauge.pipeline import judge
from rtgauge.requirements import of_deadline
from rtgauge.results import result_to_json
from rtgauge.trace import read_trace
from tests.support.example import example_spec, example_trace
from tests.support.traces import build_trace, fake_series, fake_test


def test_the_example_has_one_of_each_sort() -> None:
    found = judge(read_trace(example_trace()), example_spec())
    by_name = {(one.id, *one.params.values()): one for one in found.results}
    assert {one.status for one in found.results} == {
        "ok",
        "pass",
        "fail",
        "not-supported",
        "not-permitted",
        "invalid",
        "inconclusive",
    }
    switch = by_name[("THR-P-SLS", 2)].summary
    assert switch is not None
    assert len(switch.clusters) == 2
    assert switch.period is not None
    assert switch.first is not None
    assert switch.first > 9000
    periodic = by_name[("TMR-P-CYC", 1_000_000, 1)].summary
    assert periodic is not None
    assert periodic.synthetic is not None
    assert periodic.synthetic["overruns"] == 2
    lock = by_name[("MUT-P-ARN", "none")].summary
    assert lock is not None
    assert lock.unmeasurable
    assert by_name[("CLK-P-DUR", "timer")].status == "ok"


def test_it_is_the_same_when_computed_again() -> None:
    first, second = (judge(read_trace(example_trace()), example_spec(), [of_deadline(10**6)]) for _ in range(2))
    assert first.results == second.results
    assert first.verdict == second.verdict
    assert first.problems == second.problems


def test_samples_are_beside_their_results() -> None:
    found = judge(read_trace(example_trace()), example_spec())
    assert len(found.series) == len(found.results)
    for result, samples in zip(found.results, found.series, strict=True):
        if result.summary is not None:
            assert samples is not None
            assert (samples.id, dict(samples.params)) == (result.id, dict(result.params))
            assert samples.n == result.summary.n
            assert np.max(samples.value) == result.summary.max


def test_what_was_measured_before_the_engine_died_is_kept_without_figures() -> None:
    found = judge(read_trace(build_trace([fake_test("SEM-P-ARN", series=[[1, 2]], outcome=None)])), RunSpec(jobs=()))
    assert found.results[0].summary is None
    assert found.series[0] is not None
    assert found.series[0].n == 2


def test_the_environment_and_the_time_are_those_of_the_run() -> None:
    spec = RunSpec(jobs=(), environment={"load": "heavy", "cache": "hot", "cpus": "one"})
    found = judge(read_trace(build_trace([fake_test("SEM-P-ARN", series=[[1, 2]])] * 2)), spec)
    assert found.results[0].environment["load"] == "heavy"
    assert found.exposure_s == 1.8  # the builder's tests take 0.9 s each


def test_series_that_a_behaviour_test_did_not_use_are_left_out() -> None:
    series = [fake_series([], name="slice"), fake_series([5], name="outside"), fake_series([], name="x", dropped=1)]
    test = fake_test("THR-B-RR", series=series, checks=[("fair", "property", True, "")])
    found = judge(read_trace(build_trace([test])), RunSpec(jobs=()))
    assert [one.params.get("part") for one in found.results] == [None, "outside", "x"]


def test_problems_of_the_trace_and_of_figures_are_listed() -> None:
    series = fake_series([1, 2], analyse="unheard-of")
    data = build_trace([fake_test("SEM-P-ARN", series=[series])])
    found = judge(read_trace(data + b"x"), RunSpec(jobs=()))
    assert found.problems == ("the trace ends within a frame", "SEM-P-ARN: there is no analysis 'unheard-of'")


def test_extreme_values_are_kept_where_a_series_asks_for_them() -> None:
    late = (2000 + np.random.default_rng(1).exponential(5000, 9000)).astype(int).tolist()
    series = [fake_series(late, name="a", analyse="extremes"), fake_series(late, name="b")]
    tests = [
        fake_test("TMR-P-JIT", series=series),
        fake_test("IRQ-P-LAT", series=[fake_series([*late, -9000], analyse="extremes")]),
    ]
    found = judge(read_trace(build_trace(tests)), RunSpec(jobs=()))
    asked, silent, backwards = (result_to_json(result) for result in found.results)
    assert asked["extremes"]["n"] == 9000
    assert [level["probability"] for level in asked["extremes"]["levels"]] == [1e-6, 1e-9]
    assert found.problems == ()  # it is no analysis that there is not
    assert "extremes" not in silent
    assert (backwards["status"], "extremes" in backwards) == ("invalid", False)
