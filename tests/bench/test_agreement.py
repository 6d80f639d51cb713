"""The rule of the verdict, and the table."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

import agreement
from _comparisons import COMPARISONS
from _engine import UnmeasuredError, job_for
from _figure import alternate
from _readings import Pair, Reading, judge, ratio_of, reading_of, typical
from _side_by_side import Comparison, Measured
from rtgauge.model import Descriptor, ParamInfo
from tests.bench.conftest import BENCH


def entry() -> Comparison:
    return next(e for e in COMPARISONS if e.name == "switch")


def pairs(ratio: float) -> list[Pair]:
    """The machine gets slower all the while; the ratio stays."""
    return [
        (Reading(10, speed * ratio, 2 * speed * ratio, 3 * speed * ratio), Reading(20, speed, 2 * speed, 3 * speed))
        for speed in (100.0, 150.0, 400.0)
    ]


def test_the_ratio_is_taken_pair_by_pair() -> None:
    assert ratio_of(pairs(1.1), "median") == pytest.approx(1.1)
    assert ratio_of(pairs(0.5), "min") == pytest.approx(0.5)
    assert ratio_of([], "avg") is None
    assert ratio_of([(Reading(1, avg=3.0), Reading(1))], "avg") is None
    assert ratio_of([(Reading(1, min=3.0), Reading(1, min=0.0))], "min") is None


def test_what_is_typical_of_several_readings() -> None:
    assert typical([ours for ours, _ in pairs(1.0)]) == Reading(30, 100.0, 300.0, 450.0)
    assert typical([Reading(5, avg=2.0), Reading(5, avg=4.0)]) == Reading(10, None, None, 3.0)
    assert reading_of(np.array([4.0, 1.0, 2.0])) == Reading(3, 1.0, 2.0, pytest.approx(7 / 3))
    assert Reading(5, 1.0, None, 2.0).times(2) == Reading(5, 2.0, None, 4.0)


@pytest.mark.parametrize(
    ("ratio", "flaws", "verdict"),
    [
        (1.0, (), "agrees"),
        (0.8, (), "agrees"),
        (1.2, (), "agrees"),
        (0.79, (), "does not agree"),
        (1.21, (), "does not agree"),
        (1.0, ("no switch",), "does not agree"),
        (None, ("no switch",), "does not agree"),
        (None, (), "not measured"),
        (float("nan"), (), "does not agree"),
    ],
)
def test_the_verdict(ratio: float | None, flaws: tuple[str, ...], verdict: str) -> None:
    assert judge(ratio, (0.8, 1.2), flaws) == verdict


def test_each_goes_first_in_turn() -> None:
    calls: list[str] = []

    def ours() -> int:
        calls.append("ours")
        return len(calls)

    def theirs() -> int:
        calls.append("theirs")
        return len(calls)

    assert alternate(ours, theirs, 3) == [(1, 2), (4, 3), (5, 6)]
    assert calls == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]


def test_a_conclusion_says_why() -> None:
    good = agreement.conclude(entry(), Measured({"threads": 1}, pairs(1.0), "2.40"))
    assert (good.verdict, good.reason, good.pairs, good.ratio, good.ratio_min) == ("agrees", "", 3, 1.0, 1.0)
    assert good.ours is not None
    assert good.ours.n == 30
    bad = agreement.conclude(entry(), Measured({}, pairs(2.0), "2.40"))
    assert (bad.verdict, bad.reason) == ("does not agree", "the ratio is not within 0.85 to 1.15")
    flawed = agreement.conclude(entry(), Measured({}, pairs(1.0), "2.40", ("a", "b")))
    assert (flawed.verdict, flawed.reason) == ("does not agree", "a; b")
    none = agreement.conclude(entry(), None, "it is not here")
    assert (none.verdict, none.reason, none.ours, none.version) == ("not measured", "it is not here", None, None)


def test_the_exit_code() -> None:
    good, bad = (agreement.conclude(entry(), Measured({}, pairs(ratio), "1")) for ratio in (1.0, 3.0))
    none = agreement.conclude(entry(), None, "why")
    assert agreement.exit_code([good, none]) == 0
    assert agreement.exit_code([good, bad, none]) == 1
    assert agreement.exit_code([none]) == 3  # nothing was shown


@pytest.mark.parametrize("chosen", COMPARISONS, ids=lambda e: e.name)
def test_a_test_that_the_engine_does_not_have_is_not_measured(chosen: Comparison) -> None:
    result = agreement.examine(chosen, {})
    assert (result.verdict, result.reason) == ("not measured", f"the engine has no {chosen.test}")
    assert json.loads(json.dumps(result.as_dict()))["ratio"] is None
    assert agreement.line(result).endswith(f"not measured: the engine has no {chosen.test}")


def descriptor() -> Descriptor:
    params = (
        ParamInfo("size", "number", "1 64 4096", "1..65536", "bytes"),
        ParamInfo("peers", "choice", "thread process", "thread process", "who"),
        ParamInfo("pause", "duration", "1ms", "1us..1s", "between two"),
    )
    return Descriptor("MSG-P-LAT", "t", "q", (), (100, 200, 300), 1000, 1, params, ())


def test_a_job_takes_the_first_values_where_none_is_named() -> None:
    tests = {"MSG-P-LAT": descriptor()}
    job = job_for(tests, "MSG-P-LAT", {"peers": "process"})
    assert (job.samples, dict(job.params)) == (100, {"size": 1, "peers": "process", "pause": 1_000_000})
    with pytest.raises(UnmeasuredError, match="no parameter partners"):
        job_for(tests, "MSG-P-LAT", {"partners": "2"})
    with pytest.raises(UnmeasuredError, match="legal are thread, process"):
        job_for(tests, "MSG-P-LAT", {"peers": "cpu"})


def test_names_are_unique_and_limits_hold_one_order() -> None:
    names = [e.name for e in COMPARISONS]
    assert len(set(names)) == len(names)
    for e in COMPARISONS:
        assert 0 < e.within[0] < e.within[1]
        assert e.definition
        assert e.why
        assert "theirs" in e.definition.lower() or e.definition.startswith("the same")


def test_the_page_tells_every_comparison_and_its_limits() -> None:
    page = (BENCH.parent / "docs" / "agreement.md").read_text()
    table, _, figures = page.partition("## The kernel's events")
    rows = dict(re.findall(r"^\| `([\w-]+)` \|(.*)\|$", table, re.M))
    assert set(re.findall(r"^\| `([\w-]+)` \|", figures, re.M)) <= set(rows)
    assert set(rows) == {e.name for e in COMPARISONS}
    for e in COMPARISONS:
        assert e.test in rows[e.name]
        assert e.instrument in rows[e.name]
        assert f"{e.within[0]:g} to {e.within[1]:g}" in rows[e.name]


def test_the_command_tells_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(agreement, "offered", dict)
    monkeypatch.setattr(agreement, "missing_rights", lambda: ["real-time scheduling is not permitted"])
    monkeypatch.setattr(sys, "argv", ["agreement.py", "--json", "--only", "switch"])
    assert agreement.main() == 3
    said = capsys.readouterr()
    assert said.err == "agreement: real-time scheduling is not permitted\n"
    assert [row["name"] for row in json.loads(said.out)] == ["switch"]
