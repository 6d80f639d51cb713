"""The published ratings, as printed; lost ones are told as lost."""

from __future__ import annotations

import pytest

from rtgauge.ratings import printed
from rtgauge.reference import rows


@pytest.mark.parametrize(
    ("system", "stars", "glyphs"),
    [("qnx-6.5", 5, "★★★★★"), ("ce7", 4.5, "★★★★½"), ("linux-2.6.33.7.2-rt30", 3, "★★★☆☆")],
)
def test_stars(system: str, stars: float, glyphs: str) -> None:
    found = printed(system, "atom-z530")
    assert (found.stars.value, found.stars.glyphs) == (stars, glyphs)
    assert found.stars.source == "cmp-atom-2012 3.1"
    lost = [one for one in found.categories if one.score is None]
    assert [one.name for one in lost] == ["ratings by category"]
    assert "lost" in lost[0].missing[0].what


def test_every_printed_row_is_told_with_its_source() -> None:
    told = 0
    for row in rows("ratings"):
        if row["kind"] == "criterion":
            continue
        found = printed(row["system"], row["platform"])
        sources = {f"{one.source}/{one.score}" for one in found.categories} | {
            f"{found.stars.source}/{found.stars.value}"
        }
        score = float(row["rating"]) if row["rating"] else None
        assert any(row["source"] in one and row["section"] in one and one.endswith(f"/{score}") for one in sources)
        told += 1
    assert told == 24


def test_one_printed_twice_is_one_rating_with_both_places() -> None:
    found = printed("vxworks-5.3.1", "pentium-mmx-200")
    assert {one.name: (one.score, one.source) for one in found.categories}["tools"] == (9, "vxworks-mmx-2001 1.4, 3.5")
    assert len(found.categories) == 8
    assert found.stars.value is None
    assert not found.empty


def test_all_platforms_without_one_and_nothing_where_there_is_nothing() -> None:
    assert {one.name for one in printed("ce7").categories} == {"ratings by category", "test results"}
    assert printed("ce7", "pentium2-233").stars.value is None
    assert printed("zephyr").empty
    assert printed("ce7", "elsewhere").empty
