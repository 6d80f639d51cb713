"""The measured categories."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge import coverage
from rtgauge.ratings import Category, names, rate, rules
from tests.ratings.runs import KEY, behaviour, content, cyclic, manifest


def category(name: str, *results: dict[str, Any], **more: Any) -> Category:
    return next(one for one in rate(content(results, **more), manifest()).categories if one.name == name)


def answers(id_: str, holds: dict[str, bool], what: str = "found by trying: so", **more: Any) -> dict[str, Any]:
    checks = [{"name": name, "role": "report", "holds": yes, "what": what} for name, yes in holds.items()]
    return behaviour(id_) | {"checks": checks, "unchecked": []} | more


def test_all_measured_categories_are_there_in_their_order() -> None:
    found = rate({}, {}).categories
    assert [one.name for one in found if not one.opinion] == list(names.MEASURED)
    assert all(one.score is None and one.missing for one in found)


def test_behaviour_is_the_share_that_passes() -> None:
    key = [behaviour(id_) for id_ in KEY]
    assert category(names.BEHAVIOUR, *key).score == 10
    assert category(names.BEHAVIOUR, *key, behaviour("MSG-B-BLK", "fail")).score == 8
    assert category(names.BEHAVIOUR, *key, behaviour("MSG-B-BLK", "not-permitted")).score == 8
    assert category(names.BEHAVIOUR, *key, behaviour("MSG-B-BLK", "not-supported")).score == 10
    assert category(names.BEHAVIOUR, *key, behaviour("MUT-B-ARC", "fail")).score == 5  # not 8
    assert category(names.BEHAVIOUR, *key[1:]).score is None
    assert category(names.BEHAVIOUR, *key, behaviour("API-B-PSX", "fail")).score == 10  # is rated elsewhere


def test_test_results_are_the_lower_of_behaviour_and_performance() -> None:
    key = [behaviour(id_) for id_ in KEY]
    assert category(names.PERFORMANCE, cyclic(50_000), *key).score == 8
    assert category(names.TESTS, cyclic(50_000), *key).score == 8
    assert category(names.TESTS, cyclic(), *key, behaviour("MSG-B-BLK", "fail")).score == 8
    found = category(names.TESTS, *key)
    assert found.score is None
    assert names.PERFORMANCE in found.missing[0].what


def test_architecture_counts_what_was_tried_whole_and_what_is_declared_half() -> None:
    items = [item for item, _ in rules.ARCHITECTURE]
    levels = {"evidence": [{"name": "priority-levels", "value": 32, "unit": ""}]}
    assert category(names.ARCHITECTURE, answers("SYS-B-ARC", dict.fromkeys(items, True), **levels)).score == 10
    none = {"evidence": [{"name": "priority-levels", "value": 31, "unit": ""}]}
    assert category(names.ARCHITECTURE, answers("SYS-B-ARC", dict.fromkeys(items, True), **none)).score == 8.7
    declared = answers("SYS-B-ARC", {"mmu": True, "protection": False}, "declared: so")
    assert category(names.ARCHITECTURE, declared).score == 0.6  # half of one of eight, rounded down
    assert "not known" in category(names.ARCHITECTURE, declared).missing[0].what
    assert category(names.ARCHITECTURE, behaviour("SYS-B-ARC", "invalid")).score is None


@pytest.mark.parametrize(("name", "id_"), [(names.RICHNESS, coverage.RICHNESS), (names.POSIX, coverage.POSIX)])
def test_features_are_shares_of_the_list_and_what_was_not_tried_is_not_there(name: str, id_: str) -> None:
    table = "api_features" if id_ == coverage.RICHNESS else "posix_features"
    slugs = [row["slug"] for row in coverage.rows(table) if row.get("feature")]
    assert category(name, answers(id_, dict.fromkeys(slugs, True))).score == 10
    assert category(name, answers(id_, dict.fromkeys(slugs, False))).score == 0
    half = category(name, answers(id_, dict.fromkeys(slugs[: len(slugs) // 2], True)))
    assert half.score == pytest.approx(5, abs=0.1)
    assert "could not be tried" in half.missing[0].what
    without = answers(id_, dict.fromkeys(slugs[:10], True))
    without["unchecked"] = [{"name": slug, "why": "not applicable"} for slug in slugs[10:]]
    assert category(name, without).score == 10
    assert category(name, behaviour(id_, "invalid")).score is None


def test_a_score_is_rounded_down() -> None:
    assert [rules.score_of_share(yes, of) for yes, of in ((1, 3), (999, 1000), (7, 10), (0, 5))] == [3.3, 9.9, 7.0, 0]


def test_configuration_is_twice_its_stars() -> None:
    assert category(names.CONFIGURATION, audit=["warn"] * 3).score == 8
    assert category(names.CONFIGURATION, audit=[]).score is None
