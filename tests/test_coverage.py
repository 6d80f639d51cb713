"""Levels, profiles and totals out of single answers: against the published totals, and where answers are missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rtgauge.coverage import Answer, answers_of, profiles, published, richness, standards
from rtgauge.reference import rows
from rtgauge.report.sections.coverage import section
from rtgauge.report.view import RunView

PORT = Path(__file__).parent.parent / "engine/ports/posix"

# Counts and percentages as they were published for VxWorks 5.3.1.
PUBLISHED = {
    "thread": (15, 94),
    "clock": (4, 57),
    "interval timer": (6, 100),
    "fixed-block partition": (8, 73),
    "variable-block pool": (9, 82),
    "interrupt handling": (3, 38),
    "counting semaphore": (7, 70),
    "binary semaphore": (7, 100),
    "mutex": (11, 92),
    "condition variable": (0, 0),
    "event flags": (0, 0),
    "POSIX signals": (9, 100),
    "message queue": (13, 81),
    "mailbox": (0, 0),
}


def test_totals_and_percentages_are_the_published_ones() -> None:
    assert {one.name: (one.yes, one.percent) for one in richness(published("vxworks-5.3.1"))} == PUBLISHED


def every(answer: Answer) -> dict[str, Answer]:
    return {row["slug"]: answer for row in rows("posix_features")}


def test_levels_follow_from_the_answers() -> None:
    assert {one.level for one in standards(every("yes"))} == {"full"}
    assert {one.level for one in standards(every("no"))} == {"none"}
    assert {one.level for one in standards({})} == {"unknown"}
    mixed = every("yes") | {"mutex-ceiling": "no", "timers": "unchecked", "fifo-files": "not applicable"}
    found = {one.name: one for one in standards(mixed)}
    assert (found["1003.1c"].level, found["1003.1c"].missing) == ("partial", ("mutex priority ceiling",))
    assert (found["1003.1b"].level, found["1003.1b"].unknown) == ("unknown", ("timers",))
    assert (found["1003.1a"].level, found["1003.1a"].present, found["1003.1a"].of) == ("full", 14, 14)


def met(answers: dict[str, Answer]) -> dict[str, bool | None]:
    return {one.name: one.met for one in profiles(answers)}


def test_a_profile_is_met_when_nothing_of_it_is_missing() -> None:
    assert met(every("yes")) == dict.fromkeys(("PSE51", "PSE52", "PSE53", "PSE54"), True)
    assert met(every("yes") | {"file-system": "no"}) == {"PSE51": True, "PSE52": False, "PSE53": True, "PSE54": False}
    assert met(every("yes") | {"multiple-processes": "no"})["PSE53"] is False
    assert met(every("yes") | {"semaphores": "unchecked"}) == dict.fromkeys(("PSE51", "PSE52", "PSE53", "PSE54"))
    assert profiles(every("yes") | {"mutex-ceiling": "no"})[0].missing == ("mutex priority ceiling",)


def test_what_was_not_tried_is_in_no_percentage() -> None:
    clock = richness({"clock": "yes", "clock-get-resolution": "yes", "clock-set-time-of-day": "unchecked"})[1]
    assert (clock.name, clock.present, clock.yes, clock.no, clock.unchecked, clock.percent) == (
        "clock",
        "yes",
        1,
        0,
        6,
        100,
    )
    assert richness({})[0].percent is None


def result(**answers: bool) -> dict[str, object]:
    checks = [{"name": "answers-repeat", "role": "property", "holds": True, "what": ""}]
    checks += [{"name": name.replace("_", "-"), "role": "report", "holds": yes} for name, yes in answers.items()]
    unchecked = [
        {"name": "memory-locking", "why": "not applicable: no meaning here"},
        {"name": "timers", "why": "not permitted"},
    ]
    return {"id": "API-B-PSX", "params": {}, "status": "pass", "checks": checks, "unchecked": unchecked}


def test_answers_are_read_from_a_stored_result() -> None:
    assert answers_of(result(pipes=True, spawn=False)) == {
        "pipes": "yes",
        "spawn": "no",
        "memory-locking": "not applicable",
        "timers": "unchecked",
    }


def test_the_report_has_the_tables_where_there_are_answers() -> None:
    found = section(RunView({"results": [result(pipes=True, spawn=False)]}))
    assert found is not None
    levels = {row[0].text: row[1].text for row in found.part.blocks[0].rows}  # type: ignore[union-attr]
    assert (levels["1003.1a"], levels["1003.1d"], levels["1003.21"]) == ("unknown", "none", "unknown")
    assert section(RunView({"results": []})) is None
    assert section(RunView({"results": [result() | {"status": "not-supported"}]})) is None


@pytest.mark.parametrize(("table", "prefix"), [("posix_features", "POSIX"), ("api_features", "API")])
def test_slugs_are_names_of_one_feature(table: str, prefix: str) -> None:
    slugs = [row["slug"] for row in rows(table)]
    assert len(set(slugs)) == len(slugs) > 60
    assert all(re.fullmatch(r"[a-z0-9-]+", slug) for slug in slugs)
    text = "".join(path.read_text() for path in PORT.glob("features_*.c"))
    tried = set(re.findall(rf"\[RTG_{prefix}_(\w+)\]", text))
    numbers = {slug.replace("-", "_").upper() for slug in slugs}
    assert tried <= numbers
    if prefix == "POSIX":  # of the services, those in no table have no call
        assert tried == numbers
