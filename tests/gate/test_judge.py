"""What fails, what is named, and what cannot be judged. Nothing passes by absence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rtgauge.errors import UsageError
from rtgauge.gate import judge
from rtgauge.gate.counts import counts
from rtgauge.gate.limits import Limits, allowance, check_limit
from rtgauge.gate.values import Key, Line, Outcome, Side
from tests.gate.sides import REAL, VIRTUAL, exact, key, real, timed, virtual, word

FIVE = (1000.0, 1010.0, 990.0, 1005.0, 995.0)


def verdicts(outcome: Outcome) -> dict[str, str]:
    return {f"{one.key.id} {one.what}": one.verdict for one in outcome.judged}


def ruling(run: Line, base: Line) -> str:
    return judge(virtual(run), virtual(base)).ruling()


# ---- what must be equal ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIRTUAL)
def test_the_first_thing_that_differs_is_named_and_nothing_is_compared(name: str) -> None:
    other = virtual(exact(1773), identity={**VIRTUAL, name: "other"})
    outcome = judge(other, virtual(exact(1773)))
    assert (outcome.ruling(), outcome.judged) == ("incomparable", ())
    assert outcome.incomparable is not None
    assert outcome.incomparable.startswith(f"{name} differs: {VIRTUAL[name][:7]}")
    assert outcome.incomparable.endswith("other in the run")


def test_the_first_in_order_is_named_and_what_one_side_does_not_tell_differs() -> None:
    run = virtual(exact(1773), identity={**VIRTUAL, "QEMU": "new", "engine": "new"})
    assert "QEMU differs" in (judge(run, virtual(exact(1773))).incomparable or "")
    silent = virtual(exact(1773), identity={name: value for name, value in VIRTUAL.items() if name != "QEMU"})
    assert "not told in the run" in (judge(silent, virtual(exact(1773))).incomparable or "")
    assert "not told in the base" in (judge(virtual(exact(1773)), silent).incomparable or "")
    assert "time differs" in (judge(real(timed(FIVE)), virtual(exact(1773))).incomparable or "")


def test_what_the_user_lets_differ_is_told() -> None:
    run = real(timed(FIVE), identity={**REAL, "host": "bench-2"})
    assert judge(run, real(timed(FIVE))).ruling() == "incomparable"
    outcome = judge(run, real(timed(FIVE)), across=("host",))
    assert (outcome.ruling(), outcome.across, "host" in outcome.same) == ("pass", ("host",), False)


def test_the_system_under_test_may_differ_and_is_told() -> None:
    outcome = judge(virtual(exact(1773), subject={"release": "6.2"}), virtual(exact(1773)))
    assert (outcome.ruling(), outcome.differs) == ("pass", ("release: 6.1 -> 6.2",))


# ---- which results --------------------------------------------------------------------------------------------------


def test_a_missing_test_fails_and_a_new_one_is_named() -> None:
    other = key("SEM-P-ARC")
    outcome = judge(virtual(exact(1773), exact(5, other)), virtual(exact(1773), word("pass")))
    assert verdicts(outcome) == {"MUT-P-ARC path": "equal", "MUT-P-ARC p99.9": "unjudged"} | {
        "SEM-P-ARC status": "new",
        "THR-B-RR status": "missing",
    }
    assert outcome.ruling() == "fail"
    assert judge(virtual(exact(1773), exact(5, other)), virtual(exact(1773))).ruling() == "pass"


def test_only_tests_that_match() -> None:
    sides = virtual(exact(1773)), virtual(exact(1773), word("pass"))
    assert judge(*sides, tests=("mut-*",)).ruling() == "pass"
    assert judge(*sides, tests=("THR-*",)).ruling() == "fail"


def test_an_empty_base_passes_nothing() -> None:
    assert judge(virtual(exact(1773)), virtual()).ruling() == "undecided"
    assert judge(virtual(word("invalid")), virtual(word("invalid"))).ruling() == "undecided"


@pytest.mark.parametrize(
    ("base", "run", "verdict", "whole"),
    [
        ("pass", "pass", "equal", "pass"),
        ("pass", "fail", "failed", "fail"),
        ("pass", "not-supported", "missing", "fail"),
        ("pass", "not-permitted", "undecided", "undecided"),
        ("pass", "invalid", "undecided", "undecided"),
        ("pass", "inconclusive", "undecided", "undecided"),
        ("fail", "pass", "fixed", "pass"),
        ("fail", "fail", "equal", "pass"),
        ("not-permitted", "fail", "new", "undecided"),
        ("not-supported", "not-supported", "unjudged", "undecided"),
        ("ok", "invalid", "undecided", "undecided"),
        ("ok", "not-supported", "missing", "fail"),
        ("ok", "pass", "missing", "fail"),
        ("pass", "ok", "new", "undecided"),
    ],
)
def test_behaviour(base: str, run: str, verdict: str, whole: str) -> None:
    outcome = judge(virtual(word(run, reason="so it is")), virtual(word(base)))
    (one,) = outcome.judged
    assert (one.verdict, outcome.ruling()) == (verdict, whole)
    if run not in (base, "pass"):
        assert "so it is" in one.why


def test_a_test_that_came_to_nothing_has_no_parts_and_is_not_missing() -> None:
    whole = word("not-permitted", key("MUT-P-ARC", ""), "no real-time priority")
    outcome = judge(virtual(whole), virtual(exact(1773), exact(5, key(part="acquire"))))
    assert [(one.verdict, one.why) for one in outcome.judged] == [
        ("undecided", "ok -> not-permitted: no real-time priority")
    ] * 2


@pytest.mark.parametrize("status", ["pass", "ok"])
def test_a_test_that_was_measured_without_a_part_does_not_stand_in_for_it(status: str) -> None:
    at = key("THR-B-RR", "slice")
    outcome = judge(virtual(word(status)), virtual(exact(5, at), word("pass")))
    assert [one.verdict for one in outcome.judged if one.key == at] == ["missing"]


# ---- figures in real time -------------------------------------------------------------------------------------------


def moved(factor: float) -> tuple[float, ...]:
    return tuple(one * factor for one in FIVE)


def test_a_change_beyond_limit_and_noise_fails_and_a_smaller_one_does_not() -> None:
    base = real(timed(FIVE))
    for factor, verdict in ((1.3, "slower"), (0.7, "faster"), (1.04, "equal"), (1.0, "equal")):
        outcome = judge(real(timed(moved(factor))), base)
        assert set(verdicts(outcome).values()) == {verdict}, factor
        assert outcome.ruling() == ("fail" if factor == 1.3 else "pass")
    (one, _) = judge(real(timed(moved(1.3))), base).judged
    assert one.interval is not None
    assert 0.05 * 1000 < one.interval[0] < 300 < one.interval[1]


def test_noise_as_large_as_the_change_is_no_change() -> None:
    noisy = (900.0, 1100.0, 1000.0, 1250.0, 750.0)
    outcome = judge(real(timed(tuple(1.1 * one for one in noisy))), real(timed(noisy)))
    assert "slower" not in verdicts(outcome).values()


def test_where_a_doubling_could_not_be_seen_nothing_is_passed() -> None:
    wild = (100.0, 3000.0, 500.0, 5000.0, 90.0)
    outcome = judge(real(timed(wild, tails=FIVE)), real(timed(wild, tails=FIVE)))
    assert verdicts(outcome) == {"MUT-P-ARC median": "undecided", "MUT-P-ARC p99.9": "equal"}
    assert outcome.ruling() == "undecided"
    tail = judge(real(timed(FIVE, tails=wild)), real(timed(FIVE, tails=wild)))
    assert verdicts(tail) == {"MUT-P-ARC median": "equal", "MUT-P-ARC p99.9": "unjudged"}
    assert (tail.ruling(), tail.ruling(strict=True)) == ("pass", "undecided")


def test_of_a_rate_it_is_the_half_that_would_not_be_seen() -> None:
    at, wild = key("MSG-P-THR", "rate"), (600.0, 100.0, 1100.0, 250.0, 950.0)
    lines = [timed(values, at, unit="MB/s", tails=FIVE) for values in (wild, FIVE)]
    (one, _) = judge(real(lines[0]), real(lines[1]), confidence=0.98).judged
    assert one.interval is not None
    assert (one.interval[0] < -1050, one.interval[1] < 1050, one.verdict) == (True, True, "undecided")


def test_what_may_move_neither_way_takes_two_shares_of_the_confidence() -> None:
    at = key("THR-B-RR", "slice")
    assert judge(real(timed(FIVE, at)), real(timed(FIVE, at))).intervals == 4


def test_too_few_runs_decide_nothing() -> None:
    few = real(timed((1000.0,)), runs=1)
    outcome = judge(few, few)
    assert outcome.ruling() == "undecided"
    assert outcome.judged[0].why == "one run in the base, one run here: an interval needs 5 each"
    assert judge(real(timed(FIVE[:4])), real(timed(FIVE))).ruling() == "undecided"


def test_equal_figures_of_a_coarse_clock_are_known_to_half_a_step() -> None:
    base, run = real(timed((100.0,) * 5)), real(timed((110.0,) * 5))
    assert judge(run, base).ruling() == "pass"  # one step of 10 ns, although 10 % and without any spread
    assert judge(real(timed((150.0,) * 5)), base).ruling() == "fail"


@pytest.mark.parametrize(
    ("at", "unit", "factor", "verdict"),
    [
        (key("MSG-P-THR", "rate"), "MB/s", 1.5, "faster"),
        (key("MSG-P-THR", "rate"), "MB/s", 0.5, "slower"),
        (key("THR-B-RR", "slice"), "ns", 1.5, "changed"),
        (key("THR-B-RR", "slice"), "ns", 0.5, "changed"),
        (key("MEM-P-FTP", "thread"), "B", 1.5, "slower"),
    ],
)
def test_which_way_is_worse(at: Key, unit: str, factor: float, verdict: str) -> None:
    lines = [timed(values, at, unit=unit) for values in (moved(factor), FIVE)]
    outcome = judge(real(lines[0]), real(lines[1]))
    assert set(verdicts(outcome).values()) == {verdict}
    assert outcome.ruling() == ("pass" if verdict == "faster" else "fail")


def test_a_line_has_its_own_limits_and_the_user_those_of_all_others() -> None:
    run, base = real(timed(moved(1.3))), real(timed(FIVE))
    wide = real(timed(FIVE, limit="+50%", tail_limit="none"))
    assert verdicts(judge(run, wide)) == {"MUT-P-ARC median": "equal"}
    assert judge(run, base, limits=Limits("+50%", "+50%")).ruling() == "pass"
    assert verdicts(judge(run, wide, limits=Limits("+1%", "+1%"))) == {"MUT-P-ARC median": "equal"}
    off = real(timed(FIVE, limit="none", tail_limit="none"))
    assert (judge(run, off).judged, judge(run, off).ruling()) == ((), "undecided")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (
            {"n": 400},
            "fewer than half as many samples as in the base: measure both with the same --profile and --samples",
        ),
        (
            {"n": 100_000},
            "more than 4 times as many samples as in the base: measure both with the same --profile and --samples",
        ),
        ({"lost": 0.2}, "20 % of the samples were lost"),
        ({"unit": "us"}, "in us, and in ns in the base"),
    ],
)
def test_figures_that_cannot_stand_beside_each_other(changed: dict[str, object], why: str) -> None:
    outcome = judge(real(replace(timed(FIVE), **changed)), real(timed(FIVE)))  # type: ignore[arg-type]
    assert [(one.verdict, one.why) for one in outcome.judged] == [("undecided", why), ("unjudged", why)]


def test_a_percentile_that_the_run_does_not_have_is_not_judged() -> None:
    outcome = judge(real(replace(timed(FIVE), tail="p99")), real(timed(FIVE)))
    assert outcome.judged[1].why == "the run has p99"


def test_the_confidence_is_shared_by_all_that_is_judged() -> None:
    lines = [timed(FIVE, key(part=str(i))) for i in range(50)]
    alone, crowd = judge(real(lines[0]), real(lines[0])), judge(real(*lines), real(*lines))
    widths = [one.judged[0].interval for one in (alone, crowd)]
    assert (alone.intervals, crowd.intervals) == (2, 100)
    assert widths[0] is not None
    assert widths[1] is not None
    assert widths[1][1] > 1.5 * widths[0][1]


def test_a_maximum_is_told_and_not_judged() -> None:
    outcome = judge(real(timed(FIVE, maximum=1e9)), real(timed(FIVE)))
    assert outcome.ruling() == "pass"
    assert [(one.base, one.run) for one in outcome.maxima] == [(1e5, 1e9)]


def test_each_result_counts_once_by_the_gravest_that_is_said_of_it() -> None:
    base: Side = real(timed(FIVE), word("pass"))
    found = counts(judge(real(timed(FIVE, tails=moved(3.0)), word("pass")), base))
    assert {name: count for name, count in found.items() if count} == {"slower": 1, "equal": 1}


# ---- limits ---------------------------------------------------------------------------------------------------------


def test_limits() -> None:
    assert [check_limit(text, "") for text in ("5%", "+0", "+2.5", "none")] == ["+5%", "+0", "+2.5", "none"]
    assert (allowance("+5%", -200.0), allowance("+3", 7.0), allowance("+0", 7.0, 10.0), allowance("none", 1.0)) == (
        10.0,
        3.0,
        10.0,
        None,
    )
    for text in ("", "-3", "5 %", "nan", "1e9", "+inf", "5%%"):
        with pytest.raises(UsageError, match="is no limit: write"):
            check_limit(text, "--limit")
