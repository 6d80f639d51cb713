"""Ratings and points side by side."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rtgauge.compare import align, assessment, measured, to_json
from rtgauge.compare.page import sections
from rtgauge.compare.terminal import lines
from rtgauge.compare.values import Column
from rtgauge.errors import StoreError
from rtgauge.ratings import Category, Missing, Part, Ratings, Stars
from rtgauge.report.formats import html, md
from tests.compare.columns import content, measured_column, references
from tests.compare.test_align import switch

LACKS = Missing("a stated deadline", "rtgauge evaluate --deadline 100us")
RATED = Ratings(
    Stars(3.5, "three and a half stars", (Part("results", 3.5, "all within 40 us", "the worst result counts"),)),
    (
        Category("POSIX coverage", 2.5, "measured", "16 of 67 found", "10 times the share"),
        Category("price", 7, "opinion", "low", source="a user"),
    ),
)
WITHHELD = Ratings(
    Stars(None, "withheld", missing=(LACKS,)),
    (
        Category("POSIX coverage", None, "measured", "not rated", "10 times the share", missing=(LACKS,)),
        Category("price", None, "opinion", "not rated", missing=(Missing("an opinion"),)),
        Category("tools", None, "opinion", "not rated", missing=(Missing("an opinion"),)),
    ),
)


def rated(name: str, ratings: Ratings, **facts: Any) -> Column:
    return replace(measured_column(name, [switch(1000.0)], **facts), ratings=ratings)


def test_ratings_stand_side_by_side() -> None:
    (grid,) = assessment.ratings(align([rated("a", RATED), rated("b", WITHHELD)]))
    assert grid.rows == (
        ("stars", "★★★½☆ 3.5 of 5", "withheld"),
        ("POSIX coverage", "2.5 of 10", "not rated"),
        ("price", "7 of 10, opinion", "no opinion"),
    )


def test_each_rating_has_its_rule_and_each_missing_one_its_reason() -> None:
    made = align([rated("a", RATED), rated("b", WITHHELD)])
    told = [one.text for one in assessment.basis(made)]
    assert "POSIX coverage of a: 2.5 of 10: 16 of 67 found (10 times the share)" in told
    assert "stars: results of a: 3.5 of 5: all within 40 us (the worst result counts)" in told
    assert assessment.withheld(made) == (
        "stars of b: withheld: missing: a stated deadline (rtgauge evaluate --deadline 100us)",
        "POSIX coverage of b: not rated: missing: a stated deadline (rtgauge evaluate --deadline 100us)",
        "price, tools of b: no opinion: missing: an opinion",
    )
    for page in (md.page(sections(made, charts=False)), html.page(sections(made, charts=True))):
        assert "16 of 67 found (10 times the share)" in page
    assert "price, tools of b: no opinion" in "\n".join(lines(made))


def test_another_system_changes_no_rating() -> None:
    two = to_json(align([rated("a", RATED), rated("b", WITHHELD)]))["systems"][0]["ratings"]
    three = to_json(align([rated("a", RATED), rated("b", WITHHELD), rated("c", RATED)]))["systems"][0]["ratings"]
    assert two == three
    assert two["stars"]["value"] == 3.5


def test_a_rating_across_what_is_not_equal_is_refused() -> None:
    columns = [rated("a", RATED, tick_ns=1_000_000), rated("b", RATED, tick_ns=4_000_000)]
    made = align(columns)
    text = "\n".join(lines(made))
    assert text.startswith("== Not equal\n")
    assert "tick     1 ms  4 ms" in text
    assert "★" not in text
    assert "Ratings of systems that are ranked against no others are not shown: a, b." in text
    assert [one["ratings"] for one in to_json(made)["systems"]] == [None, None]
    page = html.page(sections(made, charts=True))
    assert page.index("not equal in what should be") < page.index("Conclusion")
    across = align(columns, across=True)
    assert "★★★½☆ 3.5 of 5" in "\n".join(lines(across))
    assert "Ranked all the same, since --across was given." in "\n".join(lines(across))


def test_groups_have_a_table_each() -> None:
    columns = [rated(name, RATED, tick_ns=tick) for name, tick in (("a", 10**6), ("b", 10**6), ("c", 4 * 10**6))]
    (grid,) = assessment.ratings(align(columns))
    assert (grid.title, grid.head) == ("Ratings of a, b", ("rating", "a", "b"))


def test_published_systems_show_their_printed_ratings() -> None:
    made = align(references("qnx-6.5", "ce7@atom-z530", "linux-2.6.33.7.2-rt30"))
    (grid,) = assessment.ratings(made)
    assert grid.rows[0] == ("stars", "★★★★★ 5 of 5, published", "★★★★½ 4.5 of 5, published", "★★★☆☆ 3 of 5, published")
    assert assessment.ratings(align(references("solaris-8-1rt", "solaris-8-2proc"))) == ()


def test_points_of_published_verdicts() -> None:
    (lynx,) = references("lynxos-3.0.1")
    assert [one.kind for one in lynx.points] == ["negative", "negative", "positive"]
    assert lynx.points[0].text == (
        "MUT-P-INV from low-acquire, kind mutex, mid-work 10ms, protocol inherit fails: "
        "no priority inheritance for pthread mutexes."
    )
    assert lynx.points[0].because[0]["id"] == "MUT-P-INV"
    (linux,) = references("linux-2.6.33.7.2-rt30")
    assert any("passes with a remark" in one.text and one.kind == "negative" for one in linux.points)
    (without,) = references("linux-6.1.35-rt")
    assert without.points == ()


def test_points_of_a_run_are_its_findings() -> None:
    found = [
        {"kind": "positive", "text": "Good.", "because": []},
        {"kind": "negative", "text": "Bad.", "because": [{"id": "THR-P-SLS", "params": {}, "status": "ok"}]},
    ]
    column = measured.column("a", [({**content(switch(1.0)), "findings": found}, {"run": "a"}, "complete")])
    assert [(one.kind, one.text) for one in column.points] == [("negative", "Bad."), ("positive", "Good.")]
    made = align([column, measured_column("b", [switch(2.0)])])
    assert "== Points against and for a\n- Bad.\n+ Good.\n" in "\n".join(lines(made))
    assert to_json(made)["systems"][0]["points"][0]["because"][0]["id"] == "THR-P-SLS"


@pytest.mark.parametrize(
    "damage", [{"findings": [{}]}, {"findings": 3}, {"system": 3}, {"verdict": 7}, {"results": [3]}, {"audit": [[]]}]
)
def test_a_run_that_is_made_up_breaks_nothing(damage: dict[str, Any]) -> None:
    made_up = {"schema": 1, **content(switch(1.0)), **damage}
    with pytest.raises(StoreError, match="damaged"):
        measured.column("a", [(made_up, {"run": "a", "deadline_ns": 5}, "complete")])


def test_json_is_plain() -> None:
    made = to_json(align([rated("a", RATED), *references("qnx-6.5")]))
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert made["parity"]["drift"][0] == {
        "name": "processor",
        "values": {"a": None, "reference:qnx-6.5@atom-z530": "Intel Atom Z530"},
    }
    assert made["parity"]["groups"] == [["a"], ["reference:qnx-6.5@atom-z530"]]
