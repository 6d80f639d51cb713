"""The version of the catalogue: digests of what tests say of themselves."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge import plan
from rtgauge.definitions import DIGITS, FAMILIES, catalogue_version, definition_of, definitions
from tests.report.example import descriptor


def test_every_family_has_its_words_in_the_order_of_the_plan() -> None:
    assert list(FAMILIES) == list(plan.FAMILIES)


def test_a_digest_is_short_and_stays_the_same() -> None:
    assert definition_of(descriptor("CLK-P-GET")) == definition_of(descriptor("CLK-P-GET"))
    assert len(definition_of(descriptor("CLK-P-GET"))) == DIGITS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", "CLK-P-DUR"),
        ("question", "another"),
        ("params", [{"name": "path", "kind": "choice", "legal": "user"}]),
        ("series", []),
    ],
)
def test_what_defines_a_test_changes_its_digest(name: str, value: Any) -> None:
    assert definition_of({**descriptor("CLK-P-GET"), name: value}) != definition_of(descriptor("CLK-P-GET"))


def test_where_a_stamp_is_defines_a_test() -> None:
    one, other = descriptor("CLK-P-GET"), descriptor("CLK-P-GET")
    other["series"][0]["stop"] = "somewhere else"
    assert definition_of(one) != definition_of(other)


@pytest.mark.parametrize(("name", "value"), [("samples", [1, 2, 3]), ("about_ns", 7), ("title", "another")])
def test_what_does_not_define_a_test_does_not(name: str, value: Any) -> None:
    assert definition_of({**descriptor("CLK-P-GET"), name: value}) == definition_of(descriptor("CLK-P-GET"))


def test_the_version_of_a_catalogue_does_not_depend_on_the_order() -> None:
    one, two = descriptor("CLK-P-GET"), descriptor("CLK-P-DUR")
    first, second = definitions({"descriptors": [one, two, one]}), definitions({"descriptors": [two, one]})
    assert list(first) == ["CLK-P-GET", "CLK-P-DUR"]
    assert catalogue_version(first) == catalogue_version(second)
    assert catalogue_version(definitions({"descriptors": [one]})) != catalogue_version(first)


def test_a_run_without_descriptions_has_no_version() -> None:
    assert catalogue_version(definitions({})) is None
    assert catalogue_version(definitions({"descriptors": None})) is None


def test_damaged_descriptions_are_no_error() -> None:
    assert definitions({"descriptors": [{}, {"id": 7}, {"id": "A", "params": [3], "series": ["x"]}]}).keys() == {"A"}
