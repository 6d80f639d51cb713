"""docs/ratings.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from rtgauge.ratings import ASPECTS, names, rules
from rtgauge.requirements.rates import needed

PAGE = Path(__file__).parents[2] / "docs" / "ratings.md"
CATEGORIES = {
    names.BEHAVIOUR: rules.BEHAVIOUR_SCORE_RULE,
    names.PERFORMANCE: rules.PERFORMANCE_RULE,
    names.TESTS: rules.TESTS_RULE,
    names.CONFIGURATION: rules.CONFIGURATION_SCORE_RULE,
    names.ARCHITECTURE: rules.ARCHITECTURE_RULE,
    names.RICHNESS: rules.RICHNESS_RULE,
    names.POSIX: rules.POSIX_RULE,
}


def text() -> str:
    return " ".join(PAGE.read_text("utf-8").split())


def test_the_rules_are_those_of_the_code() -> None:
    for name, rule in rules.STARS:
        if name != "results":
            assert f"**{name}**: {rule}" in text()
    assert list(CATEGORIES) == list(names.MEASURED)
    for name, rule in CATEGORIES.items():
        assert f"**{name}**: {rule}" in text()
    assert rules.CHECKLIST_RULE in text()


def test_the_table_of_results_is_the_one_of_the_code() -> None:
    rows = re.findall(r"^\| ([0-9.]+) \| (none|any) \| (\S+) \| (\S*) *\|$", PAGE.read_text("utf-8"), re.M)
    assert rows == [
        (
            f"{level.stars:g}",
            "none" if level.clean else "any",
            f"{level.bound:g}",
            "" if level.share is None else f"{level.share:.0%}",
        )
        for level in rules.LEVELS
    ]


def test_the_numbers_of_activations_are_those_of_the_bounds() -> None:
    for level in rules.LEVELS:
        if level.clean:
            assert str(needed(0, level.bound)) in text()


def test_names_are_those_of_the_code() -> None:
    assert ", ".join(names.opinions()) in text()
    for aspect in ASPECTS:
        assert aspect in text().partition("## Side by side")[2]
