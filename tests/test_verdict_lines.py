"""Each reason as it is printed, and the exact place of each limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rtgauge.model import Descriptor, Evidence, Result, SeriesInfo, SeriesTrace, Summary, TestTrace, Verdict
from rtgauge.requirements import Limit, Requirement, judge, of_deadline
from rtgauge.results import result_to_json
from rtgauge.stats.summary import summarise
from rtgauge.verdict import Judgement, judge_series, judge_test, overall, tick_rate_doubt
from tests.support.series import make_samples
from tests.support.traces import fake_series, fake_test
from tests.test_verdict import BREAKS, CONTROL, HOLDS, MS, PASSED, cyclic, judged, ruling, status

HOLDS_TOO = ("head", "property", True, "")
WRONG = ("late", "property", False, "")


# ---- one test ----


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (fake_test("SEM-P-ARN", outcome=None, series=[[1]]), ("invalid", "the engine ended before the test did")),
        (fake_test("SEM-P-ARN", outcome="not-permitted"), ("not-permitted", "the engine gave no reason")),
        (fake_test("SEM-P-ARN", series=[[1, 2]]), ("ok", None)),
        (
            fake_test("SEM-B-REL", checks=[HOLDS], stopped=True),
            ("inconclusive", "the test was ended before it was through"),
        ),
        (fake_test("SEM-B-REL"), ("inconclusive", "no property could be checked")),
        (
            fake_test("SEM-B-REL", checks=[BREAKS, WRONG, HOLDS]),
            ("fail", "does not hold: equal (equal waiters are released in order of arrival); late"),
        ),
        (
            fake_test("SEM-B-REL", checks=[HOLDS, ("plain", "control", True, "")]),
            ("invalid", "the negative control holds as well: plain"),
        ),
    ],
)
def test_the_reason_of_one_test(test: Any, expected: Judgement) -> None:
    assert status(test) == expected


def test_a_test_with_lost_records_says_so() -> None:
    assert judge_test(behaviour(damaged=True), []) == (
        "inconclusive",
        "records of this test were lost: a check that failed may be among them",
    )


def test_each_growing_value_is_named() -> None:
    rising = [4096 * i for i in range(100)]
    series = [fake_series(rising, name=name, unit="B", source="value", analyse="trend") for name in ("", "pages")]
    assert status(fake_test("MEM-B-LEK", checks=[HOLDS], series=series)) == (
        "fail",
        "the value grows through the whole test, by 4096 B from sample to sample; "
        "pages grows through the whole test, by 4096 B from sample to sample",
    )


def test_why_a_series_without_samples_was_not_measured() -> None:
    why = [("deletion", "no such call"), ("deletion", "nor another"), ("all", "of no series")]
    series = [fake_series([1], name="creation"), fake_series([], name="deletion"), fake_series([], name="use")]
    results = judged([fake_test("THR-P-NEW", series=series, unchecked=why)]).results
    assert [(one.status, one.reason) for one in results] == [
        ("ok", None),
        ("not-supported", "no such call; nor another"),
        ("not-supported", "of no series"),
    ]


# ---- a clock that ran backwards ----


def info(name: str = "", source: str = "stamp") -> SeriesInfo:
    return SeriesInfo(name, "ns", "before", "after", "the thread", "", source, ())  # type: ignore[arg-type]


def series_of(ticks: list[int], name: str = "", source: str = "stamp") -> SeriesTrace:
    n = len(ticks)
    return SeriesTrace(info(name, source), np.arange(n, dtype=np.uint64), np.array(ticks), np.zeros(n, np.uint16))


def behaviour(id: str = "SEM-B-REL", series: tuple[SeriesTrace, ...] = (), **more: Any) -> TestTrace:
    described = Descriptor(id, "a test", "?", (), (1, 1, 1), 1, 1, (), tuple(one.info for one in series))
    rest: dict[str, Any] = {"outcome": "done", **more}
    return TestTrace(0, described, {}, 1, "store", 1, 0, 1, series, **rest)


SOME: Summary = summarise(make_samples([300, 200]))
BACKWARDS = ("invalid", "a stop stamp lies before its start stamp: the clock ran backwards")


@pytest.mark.parametrize("whole", ["ok", "pass", "fail", "inconclusive"])
@pytest.mark.parametrize("id", ["THR-P-SLS", "SEM-B-REL"])
def test_one_tick_backwards_makes_no_number_whatever_the_step_of_the_clock(whole: Any, id: str) -> None:
    coarse = summarise(make_samples([300, -1], resolution=26))
    assert judge_series(behaviour(id, (series_of([300, -1]),)), (whole, "why"), coarse, "") == BACKWARDS
    assert judge_series(behaviour(id, (series_of([300, 0]),)), (whole, "why"), coarse, "") != BACKWARDS


@pytest.mark.parametrize("whole", ["not-permitted", "not-supported", "invalid"])
def test_what_has_no_number_anyway_keeps_its_reason(whole: Any) -> None:
    test = behaviour("THR-P-SLS", (series_of([300, -1]),))
    assert judge_series(test, (whole, "why"), SOME, "") == (whole, "why")


def test_another_series_or_a_value_below_zero_is_no_step_back() -> None:
    series = (series_of([5], "a"), series_of([-5], "b"), series_of([-5], "c", "value"), series_of([-5], "d", "os"))
    found = [judge_series(behaviour("THR-P-SLS", series), ("ok", None), SOME, name)[0] for name in "abcd"]
    assert found == ["ok", "invalid", "ok", "ok"]


@pytest.mark.parametrize(("whole", "expected"), [("pass", ("ok", None)), ("fail", ("ok", None))])
def test_figures_of_a_behaviour_test_are_judged_by_nobody(whole: Any, expected: Judgement) -> None:
    test = behaviour(series=(series_of([5]),))
    assert judge_series(test, (whole, "why"), SOME, "") == expected
    assert judge_series(test, ("inconclusive", "why"), SOME, "") == ("inconclusive", "why")


# ---- the rate of ticks ----

TICK = [Evidence("other_ns", 7, "ns"), Evidence("tick_ns", "unknown"), Evidence("tick_ns", 4 * MS, "ns")]
RATE = "loops were hit {} times a second, the tick comes 250 times"


@pytest.mark.parametrize(
    ("ticks", "expected"),
    [
        (None, None),
        ({"rate_hz": 250.0}, None),
        ({"rate_hz": 200.0}, None),
        ({"rate_hz": 300.0}, None),
        ({"rate_hz": 199.9}, RATE.format("199.9")),
        ({"rate_hz": 300.1}, RATE.format("300.1")),
        ({"rate_hz": 0.0}, RATE.format("0")),
        ({"rate_hz": None}, "the loops took no time"),
        ({"rate_hz": 250.0, "contrast": None}, None),
        ({"rate_hz": 250.0, "contrast": 0.5}, None),
        ({"rate_hz": 250.0, "contrast": 0.499}, "loops were disturbed almost as often without a tick as with one"),
    ],
)
def test_what_makes_tick_durations_doubtful(ticks: dict[str, Any] | None, expected: str | None) -> None:
    assert tick_rate_doubt(ticks, TICK) == expected


@pytest.mark.parametrize("evidence", [[], TICK[:2], [Evidence("tick_ns", 0)], [Evidence("tick_ns", -5)]])
def test_without_the_period_of_the_tick(evidence: list[Evidence]) -> None:
    assert tick_rate_doubt({"rate_hz": 250.0}, evidence) == (
        "the tick period was not measured, so the hits cannot be told from other interruptions"
    )


@pytest.mark.parametrize(("measured", "rate"), [(1, 1e9), (1_000_000_000, 1.0)])
def test_the_shortest_and_a_long_tick(measured: int, rate: float) -> None:
    assert tick_rate_doubt({"rate_hz": rate}, [Evidence("tick_ns", measured)]) is None


def test_the_rate_expected_is_exact() -> None:
    found = tick_rate_doubt({"rate_hz": 1.0}, [Evidence("tick_ns", 1_000_000_000_000)])
    assert found == "loops were hit 1 times a second, the tick comes 0.001 times"
    assert tick_rate_doubt({"rate_hz": 1.2e9}, [Evidence("tick_ns", 1)]) is None


# ---- the whole run ----

FAILED = fake_test("MUT-B-ARC", params={"protocol": "inherit"}, checks=[WRONG])
SHOWN = "no deadline was given, so times are shown and not judged"


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([], Verdict("invalid", "the run has no result")),
        (
            [fake_test("THR-P-SLS", outcome=None)],
            Verdict(
                "invalid",
                "no result is valid: THR-P-SLS (invalid)",
                ("THR-P-SLS is invalid: the engine ended before the test did",),
            ),
        ),
        ([PASSED], Verdict("pass", f"SEM-B-REL holds; {SHOWN}")),
        ([PASSED, fake_test("THR-B-RR", checks=[HOLDS])], Verdict("pass", f"all 2 behaviour results hold; {SHOWN}")),
        (
            [fake_test("SEM-P-ARN", series=[[1]])],
            Verdict("inconclusive", "nothing that can be judged was measured, and no deadline was given", (SHOWN,)),
        ),
        (
            [PASSED, FAILED],
            Verdict(
                "fail",
                "behaviour that does not hold: MUT-B-ARC protocol=inherit (fail)",
                ("MUT-B-ARC protocol=inherit is fail: does not hold: late",),
            ),
        ),
        (
            [fake_test("THR-B-RR", checks=[CONTROL]), fake_test("THR-P-SLS", outcome="invalid")],
            Verdict(
                "inconclusive",
                "not decided: THR-B-RR (inconclusive), THR-P-SLS (invalid); "
                "nothing that can be judged was measured, and no deadline was given",
                (
                    "THR-B-RR is inconclusive: no property could be checked",
                    "THR-P-SLS is invalid: the engine gave no reason",
                    SHOWN,
                ),
            ),
        ),
    ],
)
def test_the_ruling_without_a_deadline(tests: list[Any], expected: Verdict) -> None:
    assert ruling(tests) == expected


def test_a_result_without_a_reason_says_so() -> None:
    bare = Result("SEM-B-REL", {}, {}, "fail", None, None, None, "store")
    assert overall([bare]).details == ("SEM-B-REL is fail: no reason given",)


@pytest.mark.parametrize(
    ("count", "named"),
    [(3, "n=0 (fail), SEM-B-REL n=1 (fail), SEM-B-REL n=2 (fail)"),
     (4, "n=0 (fail), SEM-B-REL n=1 (fail), SEM-B-REL n=2 (fail) and 1 more")],
)  # fmt: skip
def test_three_are_named_and_the_others_counted(count: int, named: str) -> None:
    tests = [fake_test("SEM-B-REL", params={"n": n}, checks=[WRONG]) for n in range(count)]
    assert ruling(tests).reason == f"behaviour that does not hold: SEM-B-REL {named}"


LATE = "TMR-P-CYC interval=1ms missed the deadline of 100us: worst 250 us"
LATER = "TMR-P-CYC interval=1ms missed the deadline of 100us: worst 260 us"


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([cyclic([250_000]), cyclic([260_000])], Verdict("fail", LATE, (LATE, LATER))),
        (
            [cyclic([250_000]), FAILED],
            Verdict(
                "fail",
                f"behaviour that does not hold: MUT-B-ARC protocol=inherit (fail); {LATE}",
                ("MUT-B-ARC protocol=inherit is fail: does not hold: late", LATE),
            ),
        ),
        (
            [fake_test("TMR-P-CYC", outcome="inconclusive", series=[fake_series([250_000], source="os")]), PASSED],
            Verdict(
                "inconclusive",
                "the deadline cannot be judged: there is no valid result of TMR-P-CYC",
                ("SEM-B-REL holds",),
            ),
        ),
    ],
)
def test_the_ruling_on_a_deadline(tests: list[Any], expected: Verdict) -> None:
    assert ruling(tests, deadline_ns=100_000) == expected


def test_only_the_periodic_test_is_held_to_the_deadline() -> None:
    others = [fake_test("SEM-P-ARN", series=[[900_000]]), cyclic([5000])]
    assert ruling(others, deadline_ns=100_000).ruling == "pass"


def periodic(late: list[int], **more: Any) -> Result:
    """A result of the periodic test from its summary alone."""
    summary = summarise(make_samples(late, source="os", id="TMR-P-CYC", **more))
    return Result("TMR-P-CYC", {}, {}, "ok", None, "ns", summary, "store")


def held(results: list[Result], deadline_ns: int = 100_000) -> Verdict:
    stored = [result_to_json(result) for result in results]
    return overall(results, [judge(of_deadline(deadline_ns), stored)])


MET = (
    "TMR-P-CYC: no wake-up later than 100us in {} activations over {} (worst {}); that shows a rate of misses below {} "
    "with 95% confidence, if activations are alike, and no more"
)


def test_without_the_periodic_figures_those_of_the_samples_are_taken() -> None:
    found = held([periodic([5000, 6000])])
    assert (found.ruling, found.reason) == ("pass", MET.format(2, "16 us", "6 us", "0.78"))
    assert held([periodic([250_000])]).ruling == "fail"


def test_a_value_entered_for_a_skipped_activation_can_miss() -> None:
    entered: dict[str, Any] = {"analyse": ("periodic",), "synthetic": [250_000], "overruns": 1}
    found = held([periodic([5000], **entered)])
    assert found == Verdict(
        "fail", "TMR-P-CYC missed the deadline of 100us: worst 250 us",
        ("TMR-P-CYC missed the deadline of 100us: worst 250 us",),
    )  # fmt: skip
    assert held([periodic([5000], **{**entered, "synthetic": [90_000]})]).reason == MET.format(
        2, "5 us", "90 us", "0.78"
    )


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"analyse": ("periodic",), "overruns": 1}, "TMR-P-CYC skipped 1 activations whose lateness is not known"),
        ({"dropped": 4}, "TMR-P-CYC lost 4 samples, any of which may be late"),
        ({"resolution": 100_000}, "TMR-P-CYC: the clock's step of 100 us hides the deadline"),
    ],
)
def test_what_no_miss_does_not_show(more: dict[str, Any], expected: str) -> None:
    found = held([periodic([5000], **more)])
    assert (found.ruling, found.reason) == ("inconclusive", expected)
    assert found.details == (MET.format(1, "5 us", "5 us", "0.95"),)


def test_a_step_just_below_the_deadline_hides_nothing() -> None:
    assert held([periodic([5000], resolution=99_999)]).ruling == "pass"


# ---- with several requirements ----


def ruled(results: list[Result], *requirements: Requirement) -> Verdict:
    return overall(results, [judge(one, [result_to_json(result) for result in results]) for one in requirements])


def test_several_that_are_met_are_told_in_the_details() -> None:
    median = Requirement("TMR-P-CYC", limits=(Limit("median", None, 6000.0, True),))
    found = ruled([periodic([5000, 6000])], of_deadline(100_000), median)
    assert found.ruling == "pass"
    assert found.reason == "all 2 requirements are met"
    assert found.details == (
        MET.format(2, "16 us", "6 us", "0.78"),
        "TMR-P-CYC: median is 5 us, not above 6us",
    )


def test_one_that_is_not_met_outweighs_one_that_is_not_believable() -> None:
    slow = Requirement("TMR-P-CYC", limits=(Limit("median", 9000.0, 10_000.0, True),))
    results = [periodic([5000, 6000])]
    assert ruled(results, slow) == Verdict("invalid", TOO_FAST, (TOO_FAST,))
    assert ruled(results, slow, of_deadline(5500)).ruling == "fail"


TOO_FAST = "TMR-P-CYC: median is 5 us, below 9us: too fast to be believed"


def test_what_matches_nothing_is_named_and_leaves_the_run_undecided() -> None:
    absent = Requirement("IRQ-P-LAT", limits=(Limit("max", None, 9000.0, True),), name="handler")
    found = ruled([periodic([5000])], of_deadline(100_000), absent)
    assert found.ruling == "inconclusive"
    assert found.reason == ("handler cannot be judged: the run has no result with figures of a test IRQ-P-LAT")
    assert found.details == (MET.format(1, "5 us", "5 us", "0.95"),)


def test_behaviour_is_told_once() -> None:
    holds = Requirement("*-B-*", holds=True)
    results = judged([PASSED, FAILED]).results
    found = ruled(list(results), holds)
    assert found == overall(results)
    passed = judged([PASSED]).results
    assert ruled(list(passed), holds) == Verdict("pass", "SEM-B-REL holds")
