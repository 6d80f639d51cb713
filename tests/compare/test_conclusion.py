"""Sentences made from the data, each by a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rtgauge.compare import align, measured, to_json
from rtgauge.compare.assessment import NO_CONCLUSION, conclusion
from rtgauge.compare.conclusion import RULES
from rtgauge.compare.values import Column, Comparison
from tests.compare.columns import content, measured_column, references
from tests.compare.test_align import switch
from tests.findings.results import behaviour

ROOT = Path(__file__).resolve().parents[2]


def told(made: Comparison, rule: str) -> list[str]:
    return [one.text for one in made.conclusion if one.rule == rule]


def judged(name: str, deadline: int | None, ruling: str, reason: str = "why", **more: Any) -> Column:
    told = {**content(switch(1000.0)), "verdict": {"ruling": ruling, "reason": reason}, **more}
    return measured.column(name, [(told, {"run": name, "host": "here", "deadline_ns": deadline}, "complete")])


def test_who_keeps_the_deadline() -> None:
    columns = [judged("a", 100_000, "pass"), judged("b", 100_000, "fail"), judged("c", None, "pass")]
    assert told(align(columns), "deadline") == [
        "Deadline 100 us: met by a; not met by b (why); not stated for c.",
    ]
    other = align([judged("a", 100_000, "inconclusive"), judged("b", 200_000, "pass")])
    assert told(other, "deadline") == [
        "Deadline 100 us: inconclusive for a (why); not stated for b.",
        "Deadline 200 us: met by b; not stated for a.",
    ]
    assert told(align([judged("a", None, "pass"), judged("b", None, "fail")]), "deadline") == []


def test_requirements_that_were_judged() -> None:
    one = {"requirement": {"name": "brake", "test": "TMR-P-CYC"}, "ruling": "not met", "reason": "too long"}
    deadline = {"requirement": {"where": "--deadline"}, "ruling": "met", "reason": ""}
    made = align([judged("a", 100_000, "fail", requirements=[deadline, one]), judged("b", None, "pass")])
    assert told(made, "deadline") == [
        "Deadline 100 us: met by a; not stated for b.",
        "Brake: not met by a (too long); not stated for b.",
    ]


def test_the_gravest_of_repeats_counts() -> None:
    runs = [
        (
            {**content(switch(1.0)), "verdict": {"ruling": word, "reason": "why"}},
            {"deadline_ns": 5, "run": word},
            "complete",
        )
        for word in ("pass", "fail", "pass")
    ]
    column = measured.column("s", runs)
    (found,) = column.judged
    assert (found.ruling, found.reason) == ("not met", "in 1 of 3 runs: why")
    assert column.notes == ("points and ratings are those of run fail, one with the gravest verdict of 3",)


def test_the_published_comparison_is_concluded_again() -> None:
    made = align(references("qnx-6.5", "ce7@atom-z530", "linux-2.6.33.7.2-rt30"))
    assert told(made, "best") == [
        "The best average of 7 key tests: qnx-6.5 in 6, ce7 in 1; "
        "the best maximum of 7 key tests: qnx-6.5 in 6, ce7 in 1."
    ]
    assert told(made, "behaviour")[2] == (
        "linux-2.6.33.7.2-rt30 fails 1 of 7 judged properties: "
        "SEM-P-ARC release, kind counting, name unnamed, waiters 128, tick."
    )
    (best,) = [one for one in made.conclusion if one.rule == "best"]
    assert {made.rows[i].key.id for i in best.rows} >= {"THR-P-SLS", "IRQ-P-LAT"}


def test_what_is_not_equal_is_not_ranked() -> None:
    columns = references("lynxos-3.0.1", "solaris-8-1rt", "solaris-8-2proc")
    made = align(columns)
    (best,) = told(made, "best")
    assert best.startswith("Among solaris-8-1rt, solaris-8-2proc: the best average of 3 key tests: ")
    assert told(made, "not comparable") == [
        "Not ranked against each other: lynxos-3.0.1 apart from solaris-8-1rt, solaris-8-2proc (not equal: processor)."
    ]
    across = align(columns, across=True)
    assert "lynxos-3.0.1 in 3" in told(across, "best")[0]
    assert told(across, "not comparable") == []


def test_equal_figures_have_no_best() -> None:
    made = align([measured_column("a", [switch(1000.0)]), measured_column("b", [switch(1000.0)])])
    assert told(made, "best") == [
        "The best average of 1 key test: none in 1 (equal, or not told apart); "
        "the best maximum of 1 key test: none in 1 (equal, or not told apart); "
        "of one run each few can be told apart, `--repeat 5` tells."
    ]
    repeated = align([runs("a", 1000.0, 1000.0), runs("b", 1000.0, 1000.0)])
    assert "--repeat" not in told(repeated, "best")[0]


def fails(*names: str) -> list[dict[str, Any]]:
    return [behaviour(name, "fail") for name in names]


def test_which_behaviours_fail() -> None:
    many = ("THR-B-NEW", "THR-B-RR", "SEM-B-LCK", "SEM-B-REL", "MUT-B-ARC", "IRQ-B-NST", "MSG-B-BLK")
    passing = [behaviour("THR-B-NEW", "pass"), behaviour("THR-B-RR", "not-supported")]
    made = align([measured_column("a", fails(*many)), measured_column("b", passing)])
    assert told(made, "behaviour") == [
        "a fails 7 of 7 judged properties: IRQ-B-NST; MSG-B-BLK; MUT-B-ARC; SEM-B-LCK; SEM-B-REL and 2 more.",
        "b passes the one judged property.",
    ]


def runs(name: str, *values: float) -> Column:
    return measured_column(name, *([switch(value)] for value in values))


def test_differences_need_repeats() -> None:
    single = align([runs("a", 1000.0), runs("b", 1100.0)])
    assert told(single, "changes") == [
        "b against a: one run each; whether a difference is more than chance cannot be told."
    ]
    repeated = align([runs("a", 1000.0, 1001.0, 1002.0), runs("b", 1100.0, 1101.0, 1102.0)])
    assert told(repeated, "changes") == [
        "b against a: of 3 figures with an interval 3 are larger and 0 smaller by more than whole runs scatter; "
        "by chance alone about 0.15 would be."
    ]


def test_nothing_permits_a_conclusion() -> None:
    size = {"id": "MEM-P-FTP", "params": {"part": "kernel"}, "status": "ok", "unit": "B", "n": 1}
    figures = {"min": 1.0, "max": 1.0, "avg": 1.0}
    other = measured_column("a", [{**size, **figures}])
    made = align([other, replace(references("lynxos-3.0.1")[0], cells=other.cells)], across=True)
    assert made.conclusion == ()
    assert conclusion(made) == (NO_CONCLUSION,)
    assert to_json(made)["conclusion"] == []


def test_what_stands_alone() -> None:
    made = align([runs("a", 1.0), measured_column("b", fails("THR-B-NEW"))])
    assert told(made, "not comparable") == [
        "Nothing that a has stands beside anything of the others.",
        "Nothing that b has stands beside anything of the others.",
    ]


def test_every_rule_is_documented() -> None:
    page = (ROOT / "docs" / "compare.md").read_text("utf-8")
    missing: Sequence[str] = [name for name in RULES if f"| {name} |" not in page]
    assert not missing
