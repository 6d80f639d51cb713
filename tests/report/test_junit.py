"""JUnit XML: its structure, what passes and what does not, and that nothing passes by absence."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from rtgauge.report import RunView, render
from tests.report.example import big_run, result, timed, view
from tests.report.hostile import HOSTILE, evil_run
from tests.report.junit import complaints


def root_of(run: RunView) -> ElementTree.Element:
    text = render(run, "junit")
    assert isinstance(text, str)
    assert list(complaints(text)) == []
    return ElementTree.fromstring(text.encode())


def outcome(run: RunView, suite: str, place: int = 0) -> tuple[str, str]:
    """(element, message) of a case; ("", "") for one that passed."""
    (found,) = [one for one in root_of(run).iter("testsuite") if one.get("name") == suite]
    case = list(found.iter("testcase"))[place]
    inner = [one for one in case if one.tag != "properties"]
    return (inner[0].tag, inner[0].get("message", "")) if inner else ("", "")


def test_a_big_run_has_a_case_for_each_result_and_right_sums() -> None:
    run = big_run()
    root = root_of(run)
    suites = {str(suite.get("name")): suite for suite in root.iter("testsuite")}
    for id_, entries in run.groups:
        assert suites[id_].get("tests") == str(len(entries))
    assert root.get("tests") == str(len(run.entries) + 1)  # and one for the run itself
    assert (root.get("failures"), root.get("errors"), root.get("skipped")) == ("1", "2", "1")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("ok", ""),
        ("pass", ""),
        ("fail", "failure"),
        ("invalid", "error"),
        ("not-permitted", "error"),
        ("inconclusive", "error"),
        ("not-supported", "skipped"),
        ("never heard of", "error"),
    ],
)
def test_only_what_was_shown_passes(status: str, kind: str) -> None:
    run = view([(result("MUT-B-ARC", status=status, reason="why it is so"), None)])
    assert outcome(run, "MUT-B-ARC") == (kind, "why it is so" if kind else "")


def test_a_case_without_a_reason_still_says_what_it_is() -> None:
    assert outcome(view([(result("MUT-B-ARC", status="invalid"), None)]), "MUT-B-ARC") == ("error", "invalid")


def test_a_maximum_stands_with_its_exposure_and_quantity() -> None:
    root = root_of(view([timed("THR-P-SLS", {"threads": 2}, np.arange(1.0, 99.0))]))
    (case,) = [one for one in root.iter("testcase") if one.get("classname") == "rtgauge.THR-P-SLS"]
    told = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert told["max"] == "98.0"
    assert told["n"] == "98"
    assert told["unit"] == "ns"
    assert float(told["exposure_s"] or "nan") == pytest.approx(0.0097, abs=1e-4)
    assert told["param.threads"] == "2"
    assert case.get("name") == "threads=2"


def test_what_is_not_known_is_absent_and_never_zero() -> None:
    entry, samples = timed("THR-P-SLS", {}, np.arange(1.0, 99.0), lost=None, median=None)
    root = root_of(view([(entry, samples)]))
    told = {one.get("name") for one in root.iter("property")}
    assert "max" in told
    assert not {"lost", "median"} & told


def test_a_case_is_named_the_same_whatever_else_the_run_holds() -> None:
    heavy = {"load": "heavy", "cache": "hot", "cpus": "one"}
    one = [(result("MUT-P-ARC", {"part": "lock"}, environment=heavy), None)]
    two = [*one, (result("MUT-P-ARC", {"part": "unlock"}, environment=heavy), None)]
    for entries in (one, two):
        names = [case.get("name") for case in root_of(view(list(entries))).iter("testcase")]
        assert names[1] == "part=lock load=heavy"


def test_cases_of_one_name_are_told_apart() -> None:
    run = view([(result("MUT-P-ARC", {"part": "lock"}), None), (result("MUT-P-ARC", {"part": "lock"}), None)])
    names = [case.get("name") for case in root_of(run).iter("testcase")]
    assert names[1:] == ["part=lock", "part=lock (2)"]


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"state": "interrupted"}, "the run is interrupted"),
        ({"state": "broken", "why": "the engine died"}, "the engine died"),
        ({"left_out": "3 tests: no time"}, "3 tests: no time"),
    ],
)
def test_a_run_that_was_cut_short_does_not_pass(about: dict[str, Any], words: str) -> None:
    whole = view([(result("MUT-B-ARC", status="pass"), None)])
    assert outcome(whole, "run") == ("", "")
    kind, message = outcome(RunView(whole.results, {**whole.manifest, **about}, whole.series), "run")
    assert kind == "error"
    assert words in message


def test_an_empty_run_does_not_pass() -> None:
    assert outcome(RunView({"results": []}), "run") == ("error", "the run holds no results")


def test_problems_of_a_run_are_an_error() -> None:
    run = view([(result("MUT-B-ARC", status="pass"), None)], problems=["a block is damaged"])
    assert outcome(run, "run") == ("error", "a block is damaged")


@pytest.mark.parametrize(
    ("ruling", "kind"), [("met", ""), ("not met", "failure"), ("inconclusive", "error"), ("invalid", "error")]
)
def test_each_requirement_is_a_case(ruling: str, kind: str) -> None:
    judged = {
        "name": "TMR-P-CYC max 100us",
        "requirement": {"test": "TMR-P-CYC", "max": "100us"},
        "ruling": ruling,
        "reason": "the largest is 98 us",
        "samples": 1000,
        "exposure_s": 1.5,
        "rate": {"low": 0.0, "high": 0.003, "confidence": 0.95, "by": "binomial"},
        "more": None,
        "results": [],
    }
    run = view([(result("MUT-B-ARC", status="pass"), None)], requirements=[judged])
    assert outcome(run, "requirements")[0] == kind
    (case,) = [one for one in root_of(run).iter("testcase") if one.get("classname") == "rtgauge.requirements"]
    told = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert case.get("name") == "TMR-P-CYC max 100us"
    assert (told["samples"], told["exposure_s"], told["rate.high"]) == ("1000", "1.5", "0.003")
    assert told["requirement.max"] == "100us"


def test_the_verdict_of_a_run_with_nothing_but_a_deadline_is_a_case() -> None:
    verdict = {"ruling": "fail", "reason": "later than 1 ms", "details": []}
    run = view([(result("MUT-B-ARC", status="pass"), None)], verdict=verdict)
    assert [one.get("name") for one in root_of(run).iter("testsuite")] == ["run", "MUT-B-ARC"]
    run = RunView(run.results, {**run.manifest, "deadline_ns": 1_000_000}, run.series)
    assert outcome(run, "requirements") == ("failure", "later than 1 ms")


def test_hostile_texts_are_legal_xml() -> None:
    root_of(evil_run())
    for text in (*HOSTILE, "\ud800", "\uffff", "]]>", "\x0b\x1f\x85"):
        run = view([(result("MUT-B-ARC", {text: text}, status="fail", reason=text), None)], run=text, target=text)
        root_of(run)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0, None, "x"])
def test_a_time_that_is_none_counts_as_no_time(seconds: Any) -> None:
    root = root_of(view([(result("MUT-B-ARC", status="pass", exposure_s=seconds), None)]))
    assert root.get("time") == "0.000000"


def test_the_checker_finds_what_is_wrong() -> None:
    """The tests above would pass on a checker that sees nothing."""
    text = str(render(big_run(), "junit"))
    for old, new in (
        ('failures="1"', 'failures="0"'),
        ("<testcase ", '<testcase odd="1" '),
        ("<failure ", "<fault /><failure "),
        ("<properties>", "<testsuite /><properties>"),
    ):
        assert old in text
        assert list(complaints(text.replace(old, new, 1))), (old, new)
