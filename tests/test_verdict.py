"""Nothing passes by absence; every ruling says why."""

from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import binomtest

from rtgauge.model import Evaluation, Evidence, Job, RunSpec, Verdict
from rtgauge.pipeline import judge
from rtgauge.requirements import of_deadline
from rtgauge.requirements.rates import upper
from rtgauge.trace import read_trace
from rtgauge.verdict import tick_rate_doubt
from tests.support.traces import START_NS, FakeTest, build_trace, fake_series, fake_test, frame, records

MS = 1_000_000
HOLDS = ("order", "property", True, "waiters are released in order")
BREAKS = ("equal", "property", False, "equal waiters are released in order of arrival")
CONTROL = ("plain", "control", False, "a plain queue does so too")
BAD_CONTROL = ("plain", "control", True, "a plain queue does so too")
PASSED = fake_test("SEM-B-REL", checks=[HOLDS, CONTROL])


def judged(tests: list[FakeTest], deadline_ns: int | None = None, **more: Any) -> Evaluation:
    required = () if deadline_ns is None else (of_deadline(deadline_ns),)
    return judge(read_trace(build_trace(tests, **more)), RunSpec(jobs=()), required)


def status(test: FakeTest) -> tuple[str, str | None]:
    first = judged([test]).results[0]
    return first.status, first.reason


def cyclic(late: list[int], due: list[int] | None = None, **more: Any) -> FakeTest:
    starts = [START_NS + MS * index for index in (due or range(len(late)))]
    series = fake_series(late, starts=starts, source="os", analyse="periodic", **more)
    return fake_test("TMR-P-CYC", params={"interval": MS}, series=[series])


# ---- one test ----


@pytest.mark.parametrize("outcome", ["not-supported", "not-permitted", "invalid", "inconclusive"])
@pytest.mark.parametrize("id", ["SEM-B-REL", "SEM-P-ARN"])
def test_the_engines_own_outcome_stands(outcome: str, id: str) -> None:
    series = [fake_series([1, 2, 3])]
    test = fake_test(id, outcome=outcome, reason="because", series=series, checks=[HOLDS])
    results = judged([test]).results
    assert all((result.status, result.reason) == (outcome, "because") for result in results)
    assert outcome == "inconclusive" or all(result.summary is None for result in results)


@pytest.mark.parametrize("id", ["SEM-B-REL", "SEM-P-ARN"])
def test_a_test_without_an_end_is_invalid_and_makes_no_number(id: str) -> None:
    results = judged([fake_test(id, outcome=None, series=[[1, 2, 3]], checks=[HOLDS])]).results
    assert {result.status for result in results} == {"invalid"}
    assert "engine ended" in str(results[0].reason)
    assert all(result.summary is None for result in results)


@pytest.mark.parametrize(
    ("checks", "expected", "named"),
    [
        ([HOLDS, CONTROL], "pass", ""),
        ([HOLDS], "pass", ""),
        ([HOLDS, BREAKS, CONTROL], "fail", "equal"),
        ([HOLDS, BAD_CONTROL], "invalid", "plain"),
        ([BREAKS, BAD_CONTROL], "invalid", "plain"),
        ([CONTROL], "inconclusive", "no property"),
        ([("seen", "report", False, "reported")], "inconclusive", "no property"),
        ([], "inconclusive", "no property"),
    ],
)
def test_behaviour_follows_from_its_checks(checks: list[Any], expected: str, named: str) -> None:
    found, reason = status(fake_test("SEM-B-REL", checks=checks))
    assert found == expected
    assert named in (reason or "")
    assert (reason is None) == (expected == "pass")


def test_a_test_ended_early_does_not_pass() -> None:
    assert status(fake_test("SEM-B-REL", checks=[HOLDS], stopped=True))[0] == "inconclusive"
    assert status(fake_test("SEM-B-REL", checks=[BREAKS], stopped=True))[0] == "fail"
    found, reason = status(fake_test("SEM-P-ARN", series=[[1, 2]], stopped=True))
    assert (found, reason) == ("ok", "the test was ended before it had all its samples")


def test_a_lost_check_may_have_been_one_that_failed() -> None:
    made = records([fake_test("SEM-B-REL", checks=[HOLDS, BREAKS])])
    lost = next(i for i, record in enumerate(made) if record.get("holds") is False)
    data = b"".join(frame(record, i) for i, record in enumerate(made) if i != lost)
    result = judge(read_trace(data), RunSpec(jobs=())).results[0]
    assert result.status == "inconclusive"
    assert "lost" in str(result.reason)


def test_a_leak_fails_although_its_own_checks_hold() -> None:
    growing = fake_series([4096 * i for i in range(100)], name="bytes", unit="B", source="value", analyse="trend")
    steady = fake_series([7] * 100, name="handles", unit="1", source="value", analyse="trend")
    results = judged([fake_test("MEM-B-LEK", checks=[HOLDS], series=[growing, steady])]).results
    assert [(one.status, one.params.get("part")) for one in results] == [
        ("fail", None),
        ("ok", "bytes"),
        ("ok", "handles"),
    ]
    assert results[0].reason == "bytes grows through the whole test, by 4096 B from sample to sample"
    assert judged([fake_test("MEM-B-LEK", checks=[HOLDS], series=[steady])]).results[0].status == "pass"


def test_no_samples_are_no_result() -> None:
    assert status(fake_test("SEM-P-ARN", series=[[]])) == ("invalid", "no samples")
    assert status(fake_test("SEM-P-ARN", series=[fake_series([], dropped=3)])) == (
        "invalid",
        "no samples: 3 were lost",
    )
    assert status(fake_test("SEM-P-ARN")) == ("invalid", "no samples")


def test_a_half_that_cannot_be_measured_is_not_supported() -> None:
    series = [fake_series([5, 6], name="creation"), fake_series([], name="deletion")]
    test = fake_test("THR-P-NEW", series=series, unchecked=[("deletion", "it may still enter its function")])
    results = judged([test]).results
    assert [one.status for one in results] == ["ok", "not-supported"]
    assert results[1].reason == "it may still enter its function"
    test.unchecked = [("creation", "other half")]
    assert judged([test]).results[1].status == "invalid"


def test_losses_are_shown_and_do_not_change_the_status() -> None:
    result = judged([fake_test("SEM-P-ARN", series=[fake_series([1, 2], dropped=3)])]).results[0]
    assert result.status == "ok"
    assert result.summary is not None
    assert result.summary.lost == 3


def test_samples_without_their_clock_make_no_number() -> None:
    result = judged([fake_test("SEM-P-ARN", series=[[1, 2]])], clock={"rate_num": 0}).results[0]
    assert (result.status, result.summary) == ("invalid", None)
    assert "clock" in str(result.reason)


# ---- the rate of ticks ----


@pytest.mark.parametrize(
    ("rate", "tick_ns", "sure"),
    [
        (250.0, 4_000_000, True),
        (299.0, 4_000_000, True),
        (201.0, 4_000_000, True),
        (301.0, 4_000_000, False),
        (199.0, 4_000_000, False),
        (0.0, 4_000_000, False),
        (None, 4_000_000, False),
        (250.0, 0, False),
        (250.0, None, False),
    ],
)
def test_hits_must_come_at_the_rate_of_the_tick(rate: float | None, tick_ns: int | None, sure: bool) -> None:
    evidence = [] if tick_ns is None else [Evidence("tick_ns", tick_ns, "ns")]
    assert (tick_rate_doubt({"rate_hz": rate}, evidence) is None) == sure


def test_a_wrong_rate_keeps_the_figures_and_decides_nothing() -> None:
    series = fake_series([300_000, 300_001] * 500, analyse="ticks")
    result = judged([fake_test("CLK-P-DUR", series=[series], evidence=[("tick_ns", 4 * MS, "ns")])]).results[0]
    assert result.status == "inconclusive"
    assert result.summary is not None
    assert "0 times a second, the tick comes 250 times" in str(result.reason)


# ---- the whole run ----


def ruling(tests: list[FakeTest], deadline_ns: int | None = None) -> Verdict:
    return judged(tests, deadline_ns).verdict


def test_behaviour_alone() -> None:
    found = ruling([PASSED])
    assert found.ruling == "pass"
    assert "no deadline was given" in found.reason


def test_a_failure_is_named() -> None:
    found = ruling([PASSED, fake_test("MUT-B-ARC", params={"protocol": "inherit"}, checks=[BREAKS])])
    assert found.ruling == "fail"
    assert "MUT-B-ARC protocol=inherit" in found.reason
    assert "equal" in found.details[0]


@pytest.mark.parametrize(
    ("id", "outcome"),
    [
        ("THR-P-SLS", "not-permitted"),
        ("THR-P-SLS", "invalid"),
        ("THR-B-RR", "not-permitted"),
        ("THR-B-RR", "invalid"),
        ("THR-B-RR", "inconclusive"),
    ],
)
def test_what_could_not_be_decided_withholds_the_pass(id: str, outcome: str) -> None:
    found = ruling([PASSED, fake_test(id, outcome=outcome, reason="because")])
    assert found.ruling == "inconclusive"
    assert f"{id} ({outcome})" in found.reason
    assert found.details[0] == f"{id} is {outcome}: because"


def test_figures_that_nobody_judges_withhold_nothing_and_are_named() -> None:
    found = ruling([PASSED, fake_test("CLK-P-DUR", outcome="inconclusive", reason="because")])
    assert found.ruling == "pass"
    assert found.details == ("CLK-P-DUR is inconclusive: because",)


def test_what_the_system_does_not_have_withholds_nothing() -> None:
    assert ruling([PASSED, fake_test("SEM-P-NEW", outcome="not-supported")]).ruling == "pass"


def test_a_failure_outweighs_what_is_open() -> None:
    tests = [fake_test("SEM-B-REL", checks=[BREAKS]), fake_test("THR-P-SLS", outcome="not-permitted")]
    assert ruling(tests).ruling == "fail"


def test_nothing_that_can_be_judged() -> None:
    assert ruling([]).ruling == "invalid"
    assert ruling([fake_test("THR-P-SLS", outcome=None)]).ruling == "invalid"
    assert ruling([fake_test("SEM-P-ARN", series=[[1, 2]])]).ruling == "inconclusive"
    assert ruling([fake_test("SEM-B-REL", outcome="not-supported")]).ruling == "inconclusive"


def test_many_names_are_cut_short_in_the_reason_only() -> None:
    tests = [fake_test("SEM-B-REL", params={"n": n}, outcome="not-permitted", reason="r") for n in range(5)]
    found = ruling([PASSED, *tests])
    assert "and 2 more" in found.reason
    assert len([line for line in found.details if "not-permitted" in line]) == 5


# ---- with a deadline ----


def test_a_met_deadline_says_what_it_shows() -> None:
    found = ruling([PASSED, cyclic([5000] * 3000)], deadline_ns=100_000)
    assert found.ruling == "pass"
    assert "SEM-B-REL holds" in found.reason
    assert "no wake-up later than 100us in 3000 activations over 3 s (worst 5 us)" in found.reason
    assert "below 0.001 with 95% confidence" in found.reason


def test_a_value_at_the_deadline_is_in_time() -> None:
    assert ruling([cyclic([100_000])], deadline_ns=100_000).ruling == "pass"
    assert ruling([cyclic([100_001])], deadline_ns=100_000).ruling == "fail"


def test_a_missed_deadline_is_named_with_its_worst() -> None:
    found = ruling([PASSED, cyclic([5000, 250_000, 5000])], deadline_ns=100_000)
    assert found.ruling == "fail"
    assert "TMR-P-CYC interval=1ms missed the deadline of 100us: worst 250 us" in found.reason


def test_every_periodic_result_counts() -> None:
    assert ruling([cyclic([5000]), cyclic([250_000])], deadline_ns=100_000).ruling == "fail"


def test_skipped_activations_count_as_activations() -> None:
    found = ruling([cyclic([5000, 2_300_000, 5000], due=[0, 1, 4])], deadline_ns=3 * MS)
    assert "in 5 activations" in found.reason
    assert found.ruling == "pass"


def test_skips_without_a_value_withhold_the_pass() -> None:
    found = ruling([cyclic([5000, 5000], due=[0, 3])], deadline_ns=MS)
    assert found.ruling == "inconclusive"
    assert "skipped 2 activations whose lateness is not known" in found.reason


def test_lost_samples_withhold_the_pass() -> None:
    found = ruling([cyclic([5000] * 10, dropped=4)], deadline_ns=MS)
    assert found.ruling == "inconclusive"
    assert "lost 4 samples" in found.reason


def test_without_a_valid_periodic_result_a_deadline_cannot_be_judged() -> None:
    for other in (
        [],
        [fake_test("TMR-P-CYC", outcome="not-supported")],
        [fake_test("TMR-P-CYC", outcome="not-permitted")],
    ):
        found = ruling([PASSED, *other], deadline_ns=MS)
        assert found.ruling == "inconclusive"
        assert "no valid result of TMR-P-CYC" in found.reason


def test_a_clock_too_coarse_for_the_deadline() -> None:
    tests = [PASSED, cyclic([0] * 10)]
    found = judged(tests, 1000, clock={"os_resolution": 1000}).verdict
    assert found.ruling == "inconclusive"
    assert "hides the deadline" in found.reason


@pytest.mark.parametrize("n", [1, 10, 3000, 10_000_000])
def test_the_bound_is_the_exact_one(n: int) -> None:
    reference = binomtest(0, n, alternative="less").proportion_ci(0.95, "exact").high
    assert upper(0, n) == pytest.approx(reference, rel=1e-6)


# ---- what was asked and did not run ----


def test_a_job_that_never_ran_is_a_result() -> None:
    jobs = (Job("SEM-B-REL", 1), Job("THR-P-SLS", 10, {"threads": 2}), Job("THR-P-SLS", 10, {"threads": 10}))
    tests = [PASSED, fake_test("THR-P-SLS", params={"threads": 2}, series=[[1, 2]])]
    found = judge(read_trace(build_trace(tests)), RunSpec(jobs=jobs))
    assert [(one.id, one.status) for one in found.results][2:] == [("THR-P-SLS", "invalid")]
    assert found.results[2].params == {"threads": 10}
    assert found.verdict.ruling == "inconclusive"
    assert "THR-P-SLS threads=10 (invalid)" in found.verdict.reason


def test_it_names_the_engines_own_error() -> None:
    found = judge(read_trace(build_trace(why="no clock can be used")), RunSpec(jobs=(Job("SEM-B-REL", 1),)))
    assert found.results[0].reason == "the engine did not run it: no clock can be used"


@pytest.mark.parametrize(("source", "expected"), [("stamp", "invalid"), ("os", "ok"), ("value", "ok")])
def test_a_stop_before_its_start_makes_no_number(source: str, expected: str) -> None:
    series = fake_series([300, 200, -500], source=source, unit="ns")
    (result,) = judged([fake_test("THR-P-SLS", series=[series])]).results
    assert result.status == expected
    assert (result.summary is None) == (expected == "invalid")


def test_a_sample_below_the_overhead_is_no_step_back() -> None:
    (result,) = judged([fake_test("THR-P-SLS", series=[fake_series([300, 200, 0])])]).results
    assert result.status == "ok"
