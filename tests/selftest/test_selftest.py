"""The self-test on the engine, and that it fails when a test is blind or cries without a cause."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.errors import TargetError
from rtgauge.model import Trace
from rtgauge.selftest.expected import EXPECTED, Expectation, says
from rtgauge.selftest.measure import _told, faults, look
from rtgauge.selftest.page import page_with
from rtgauge.selftest.run import Case, Outcome, judge_correct, judge_fault, load_known, selftest

PAGE = Path(__file__).parent.parent.parent / "docs" / "selftest.md"


@pytest.fixture(scope="module")
def outcome(engine_fake: Path) -> Outcome:
    assert engine_fake.exists()
    return selftest()


@pytest.mark.slow
def test_nothing_is_missed_and_nothing_cries_without_a_cause(outcome: Outcome) -> None:
    assert outcome.correct.unexpected == {}
    assert [(case.fault, case.missing) for case in outcome.cases if case.missing] == []
    assert [(case.fault, case.unexpected) for case in outcome.cases if case.unexpected] == []
    assert all(case.caught_by for case in outcome.cases)
    assert len(outcome.cases) >= 30
    assert outcome.results > 100


@pytest.mark.slow
def test_the_documentation_shows_what_was_caught(outcome: Outcome) -> None:
    text = PAGE.read_text("utf-8")
    assert text == page_with(text, outcome), "write it anew: python -m rtgauge.selftest ."


def test_every_fault_has_an_expectation(engine_fake: Path) -> None:
    assert engine_fake.exists()
    assert sorted(faults()) == sorted(EXPECTED)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("tick-takes:35", "CLK-P-DUR clock-variant=plain: ticks.typical: 35000"),
        ("waiters-cost:55", "SEM-P-SCL kind=counting name=unnamed waiters=255 part=acquire: slope.slope: 55"),
        ("switch-late:7", "THR-P-SLS threads=2: max: 7800"),
        ("timer-late:30", "TMR-P-CYC threads=1 priospread=off policy=fifo interval=1ms: median: 32020"),
    ],
)
def test_the_figure_that_was_put_in_comes_out(engine_fake: Path, fault: str, said: str) -> None:
    assert engine_fake.exists()
    case = judge_fault(look(fault), load_known(), EXPECTED[fault.partition(":")[0]])
    assert said in [f"{name}: {text}" for name, text in case.said]
    assert (case.missing, case.unexpected) == ((), {})


def test_a_blind_test_and_a_false_alarm_are_seen(engine_fake: Path) -> None:
    assert engine_fake.exists()
    one = look("create-to-head")
    expected, known = EXPECTED["create-to-head"], load_known()
    assert judge_fault(one, known, expected).missing == ()
    blind = replace(one, seen=known)
    assert judge_fault(blind, known, expected).missing
    assert judge_fault(one, known, None).missing
    elsewhere = Expectation((says("SEM-B-REL *", "check priority", "^does not hold$"),))
    assert sorted(judge_fault(one, known, elsewhere).unexpected) == ["SMP-P-SCL", "THR-B-NEW"]


def test_another_figure_than_k_is_a_miss(engine_fake: Path) -> None:
    assert engine_fake.exists()
    one = look("tick-takes:20")
    expected, known = EXPECTED["tick-takes"], load_known()
    assert judge_fault(one, known, expected).missing == ()
    assert len(judge_fault(replace(one, fault="tick-takes:21"), known, expected).missing) == 2


def test_what_is_too_small_to_be_seen_is_within_the_bound(engine_fake: Path) -> None:
    """The second CPU alone is no ground for refusing the clock: a small offset is not, and the bound told holds it."""
    assert engine_fake.exists()
    clock = look("clock-differs:100").seen["clock"]
    assert clock["name"] == "fake-virtual"
    assert isinstance(clock["cpu_offset"], int)
    assert 100 <= clock["cpu_offset"] < 2000


def test_the_correct_system_has_to_be_as_known() -> None:
    known = load_known()
    assert judge_correct(known, known).unexpected == {}
    slower = {**known, "THR-P-SLS threads=2": {**known["THR-P-SLS threads=2"], "median": 830.0}}
    assert list(judge_correct(slower, known).unexpected) == ["THR-P-SLS"]
    without = {name: facts for name, facts in known.items() if name != "MUT-B-ARC protocol=none"}
    assert list(judge_correct(without, known).unexpected) == ["MUT-B-ARC"]


def test_known_results_are_good_ones() -> None:
    """The file was not written from a system that fails."""
    statuses = {facts["status"] for facts in load_known().values() if "status" in facts}
    assert {"ok", "pass"} <= statuses
    assert all(str(status).startswith("not-supported") for status in statuses - {"ok", "pass"})


@pytest.mark.parametrize(
    ("told", "asked"), [("leak:10", None), ("leak:10", "dies"), ("leak:10", "leak:9"), ("", "leak")]
)
def test_a_faulty_system_is_never_taken_for_another(told: str, asked: str | None) -> None:
    facts: dict[str, str | int] = {"os": "fake", **({"fault": told} if told else {})}
    trace = Trace("", "fake", {}, facts, None, ())
    with pytest.raises(TargetError):
        _told(trace, asked)


def test_the_command_answers_for_one_fault(engine_fake: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert engine_fake.exists()
    assert main(["selftest", "--fault", "sem-no-limit", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["missed"], content["false_alarms"]) == (0, 0)
    (fault,) = content["faults"]
    assert (fault["fault"], fault["caught_by"], fault["unexpected"]) == ("sem-no-limit", ["SEM-B-LCK"], [])


def test_the_command_fails_when_something_was_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = Case("none", "", (), (), ())
    missed = Outcome(right, 1, (Case("leak:10", "", (), (), ("nothing",)),))
    false = Outcome(right, 1, (Case("leak:10", "", (), (), (), {"THR-B-RR": ["slice"]}),))
    for wrong in (missed, false):
        monkeypatch.setattr("rtgauge.selftest.run.selftest", lambda *_, outcome=wrong: outcome)
        assert main(["selftest"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize("fault", ["lek", "leak:0", "leak:x", "leak:"])
def test_what_is_no_fault_is_wrong_usage(engine_fake: Path, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert engine_fake.exists()
    assert main(["selftest", "--fault", fault]) == 2
    assert capsys.readouterr().err.count("\n") == 1
