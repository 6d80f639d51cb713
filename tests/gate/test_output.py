"""How the gate reads: for people, as JSON, as JUnit's XML."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from rtgauge.gate import judge
from rtgauge.gate.export import to_json, to_junit
from rtgauge.gate.terminal import lines
from rtgauge.gate.values import Key, Line, Outcome, Side
from tests.gate.sides import VIRTUAL, exact, key, real, timed, virtual, word

FIVE = (1000.0, 1010.0, 990.0, 1005.0, 995.0)


def text(outcome: Outcome) -> list[str]:
    return list(lines(outcome, ["last"], ["base line.txt"]))


def without_tails(side: Side) -> Side:
    return replace(side, lines={at: replace(line, tail="", tails=()) for at, line in side.lines.items()})


def many(change: float = 0.0) -> Side:
    others = [exact(100 + i, key("SEM-P-ARC", str(i))) for i in range(46)]
    return without_tails(virtual(exact(1773 + change), *others))


def test_it_reads_as_promised() -> None:
    base = replace(many(), file=True)
    first, second, third = text(judge(many(37), base))
    assert first.startswith("FAIL  1 slower, 0 faster, 46 equal, 0 missing   base ")
    assert first.endswith(" (same QEMU, engine, configuration)")
    assert second == "MUT-P-ARC release   1773 -> 1810 instr   +37 slower   limit +0"
    assert third == "accept: rtgauge gate last --against 'base line.txt' --accept \"reason\""
    (only,) = text(judge(many(), base))
    assert only.startswith("PASS  0 slower, 0 faster, 47 equal, 0 missing   base ")


def test_an_incomparable_base_is_one_line_and_a_way_out() -> None:
    other = virtual(exact(1), identity={**VIRTUAL, "QEMU": "ee" * 32})
    first, second = text(judge(other, virtual(exact(1), file=True)))
    told = "INCOMPARABLE  QEMU differs: abababababab in the base, eeeeeeeeeeee in the run   base "
    assert first.startswith(told)
    assert second.startswith("accept: ")


def test_real_time_shows_the_interval_over_all_results() -> None:
    outcome = judge(real(timed([1.3 * one for one in FIVE])), real(timed(FIVE)))
    first, median, tail, last = text(outcome)
    assert first.startswith("FAIL  1 slower, 0 faster, 0 equal, 0 missing   base ")
    assert first.endswith("(same host, engine, configuration)")
    assert median.startswith("MUT-P-ARC release median   1000 -> 1300 ns   +30 % (+2")
    assert median.endswith(" %) slower   limit +5%")
    assert tail.startswith("MUT-P-ARC release p99.9    2000 -> 2600 ns")
    assert last == "accept: keep the run as the base, e.g. as text: rtgauge gate last --write FILE"


def test_reasons_that_are_shared_are_told_once() -> None:
    few = real(*(timed((1.0,), key(part=str(i))) for i in range(9)), runs=1)
    first, *rest = text(judge(few, few))
    assert first.startswith("UNDECIDED  0 slower, 0 faster, 0 equal, 0 missing, 9 undecided   base ")
    why = "and 8 more: one run in the base, one run here: an interval needs 5 each"
    assert rest == [
        f"undecided: MUT-P-ARC 0 median {why}",
        f"not judged: MUT-P-ARC 0 p99.9 {why}",
        "to decide: measure both sides again, with `rtgauge run TARGET --repeat 5`",
    ]


def test_behaviour_news_maxima_and_the_system_under_test() -> None:
    run = virtual(
        word("fail", reason="does not hold"), exact(5, key("SEM-P-ARC")), exact(1773, maximum=1e9), subject={"os": "b"}
    )
    base = virtual(word("pass"), exact(1773), subject={"os": "a"})
    found = text(judge(without_tails(run), without_tails(base)))
    assert found[1] == "THR-B-RR   pass -> fail: does not hold   failed"
    assert found[2] == "SEM-P-ARC release   ok   new"
    assert found[3].startswith("not judged: largest sample of MUT-P-ARC release 2573 -> 1000000000 instr (3.89e+05 ")
    assert found[4] == "under test: os: a -> b"


def test_what_was_not_measured_is_not_offered_to_be_accepted() -> None:
    base = replace(without_tails(virtual(exact(1773), word("pass"))), file=True)
    *_, last = text(judge(without_tails(virtual(exact(1773))), base))
    assert last.startswith("missing: measure what the base has, or judge less (--tests)")
    *_, before, last = text(judge(without_tails(virtual(exact(1810))), base))
    assert (before.startswith("missing: "), last.startswith("accept: ")) == (True, True)


def test_a_long_list_is_cut_and_says_so() -> None:
    gone = virtual(*(exact(1, key(part=str(i))) for i in range(30)))
    found = text(judge(virtual(), gone))
    assert sum(line.endswith("missing") for line in found) == 20
    assert "... and 10 more (--json has all)" in found


def test_environments_are_shown_where_they_differ() -> None:
    loads = [Key("A-P-B", (), (("cache", "hot"), ("load", load))) for load in ("none", "heavy")]
    base = without_tails(virtual(*(exact(5, at) for at in loads)))
    run = without_tails(virtual(exact(5, loads[0]), exact(6, loads[1])))
    assert "A-P-B load=heavy   5 -> 6 instr   +1 slower   limit +0" in text(judge(run, base))


def hostile() -> tuple[Side, Side]:
    at = Key("X\x1b[2J\u202e\ufffe", (("part", "<b>&\x00\ud800"),), ())
    figure: Line = timed([one * 1e26 for one in FIVE], at)
    return real(replace(figure, medians=tuple(2 * one for one in figure.medians))), real(figure, word("pass"))


@pytest.mark.parametrize("strict", [False, True])
def test_json_is_whole_and_finite(strict: bool) -> None:
    for outcome in (judge(*hostile()), judge(real(), virtual()), judge(real(timed((0.0,) * 5)), real(timed(FIVE)))):
        content = to_json(outcome, strict, 1)
        assert json.loads(json.dumps(content, allow_nan=False)) == content
    one = to_json(judge(many(37), many()), strict, 1)
    assert (one["ruling"], one["counts"]["slower"], one["limits"]) == ("fail", 1, {"main": "+0", "tail": "+5%"})
    (slower,) = (result for result in one["results"] if result["verdict"] == "slower")
    assert {name: slower[name] for name in ("id", "what", "base", "run", "difference", "limit", "interval")} == {
        "id": "MUT-P-ARC", "what": "path", "base": 1773, "run": 1810, "difference": 37, "limit": "+0", "interval": None,
    }  # fmt: skip


def test_junit_has_a_case_for_each_statistic() -> None:
    base = virtual(exact(1773), word("pass"), exact(7, key("SEM-P-ARC")))
    run = virtual(exact(1810), word("invalid", reason="<no>"), exact(7, key("SEM-P-ARC")), exact(1, key("NEW-P-X")))
    suite = ElementTree.fromstring(to_junit(judge(run, base), ["last"], ["base"], strict=False))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6", "failures": "1", "errors": "1", "skipped": "3",
    }  # fmt: skip
    (failure,) = suite.iter("failure")
    assert failure.get("message") == "slower: 1773 -> 1810 instr, limit +0"
    strict = ElementTree.fromstring(to_junit(judge(run, base), ["last"], ["base"], strict=True))
    assert strict.get("errors") == "3"


def test_junit_of_what_is_incomparable_or_hostile_is_well_formed() -> None:
    suite = ElementTree.fromstring(to_junit(judge(real(), virtual()), ["last"], ["base"], strict=False))
    assert (suite.get("tests"), suite.get("errors")) == ("1", "1")
    ElementTree.fromstring(to_junit(judge(*hostile()), ["\x1b"], ["b"], strict=False))
