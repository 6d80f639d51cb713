"""What results of one test are called, and which of them are told in one line."""

from __future__ import annotations

from typing import Any

from rtgauge.findings.folding import folds, told
from rtgauge.findings.naming import common, label, shared, together
from tests.findings.results import behaviour, timed


def lacking(id_: str, params: dict[str, Any], reason: str = "no such thing", **values: Any) -> dict[str, Any]:
    return {"id": id_, "params": params, "status": "not-supported", "reason": reason, **values}


def test_only_parameters_that_differ_within_the_test_are_named() -> None:
    results = [timed("SEM-P-ARC", {"kind": "counting", "waiters": 128, "part": p}) for p in ("acquire", "release")]
    assert label(results[0], [*results, timed("THR-P-SLS", {"part": "x"})]) == "SEM-P-ARC (part acquire)"
    assert common(results) == {"kind": "counting", "waiters": 128}
    assert label(results[0], results[:1]) == "SEM-P-ARC"


def test_what_only_unsupported_results_lack_is_not_named() -> None:
    results = [
        timed("SEM-P-ARC", {"kind": "counting", "part": "acquire"}),
        timed("SEM-P-ARC", {"kind": "counting", "part": "release"}),
        lacking("SEM-P-ARC", {"kind": "binary", "part": "acquire"}),
    ]
    assert label(results[0], results) == "SEM-P-ARC (part acquire)"


def test_a_load_tells_results_apart() -> None:
    loads = [timed("CLK-P-GET", {"path": "user"}, environment={"load": load}) for load in ("none", "heavy")]
    assert label(loads[1], loads) == "CLK-P-GET (load heavy)"


def test_results_of_one_reason_are_one_fold_named_by_what_they_share() -> None:
    wide = [
        timed("SEM-P-ARN", {"kind": "counting", "name": n, "part": p}) for n in ("a", "b") for p in ("take", "give")
    ]
    narrow = [
        lacking("SEM-P-ARN", {"kind": "binary", "name": n, "part": p}) for n in ("a", "b") for p in ("take", "give")
    ]
    other = lacking("SEM-P-ARN", {"kind": "event", "name": "a", "part": "take"}, reason="another one")
    found = folds([*wide, *narrow, other])
    assert [(fold.label, len(fold.indices)) for fold in found] == [
        ("kind binary", 4),
        ("kind event, name a, part take", 1),
    ]
    assert found[0].indices == (4, 5, 6, 7)


def test_several_values_of_a_parameter_are_all_named() -> None:
    every = [timed("CAL-P-CPU", {"run": r, "part": p}) for r in ("first", "later") for p in ("code", "read", "write")]
    assert together(every[1:3], every) == "run first, part read or write"
    assert shared(every[1:3], every) == (("run", ("first",)), ("part", ("read", "write")))
    assert together(every, every) == ""


def test_figures_checks_and_evidence_to_be_judged_are_never_folded() -> None:
    invalid = {"id": "MUT-P-ARC", "params": {}, "status": "invalid", "reason": "wrong order"}
    kept = [timed("THR-P-SLS"), behaviour("SEM-B-REL", "fail", ("a", "property", False)), {**invalid, "evidence": [{}]}]
    assert folds(kept) == ()
    assert len(folds([invalid])) == 1


def test_what_else_could_not_be_checked_is_told_with_the_fold() -> None:
    results = [
        lacking("CAL-P-CPU", {}, reason="it is touched before", unchecked=[{"name": "data", "why": "too small"}])
    ]
    (fold,) = folds(results)
    assert list(told(fold, results)) == ["it is touched before", "data: too small"]
    results[0]["unchecked"][0]["why"] = "it is touched before"
    assert list(told(fold, results)) == ["it is touched before"]
