"""docs/audit-app.md says what there is."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from rtgauge.audit.app import judge
from rtgauge.registry import plugins
from tests.audit.app.observations import seen, untraced
from tests.audit.app.test_checks import CASES

TEXT = (Path(__file__).parents[3] / "docs/audit-app.md").read_text("utf-8")
ROWS = re.findall(r"^\| `([\w-]+)` \| (.+?) \| .+? \| (.+?) \| (warn|fail) \| (yes|) ?\|$", TEXT, re.M)


def test_the_table_has_every_check_and_no_other() -> None:
    assert [row[0] for row in ROWS] == list(plugins("rtgauge.audit.app", "check"))


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_is_true(row: tuple[str, str, str, str, str]) -> None:
    name, title, rule, worst, events = row
    topic = import_module(f"rtgauge.audit.app.{name.replace('-', '_')}").TOPIC
    assert (title, rule.strip("`").replace("–", "")) == (topic.check, topic.guideline)
    found = {status for check, _, status, _ in CASES if check == name.replace("-", "_")}
    assert ("fail" if "fail" in found else "warn") == worst
    without = {each.check: each.status for each in judge(untraced()).findings}
    observed = {each.check: each.status for each in judge(seen()).findings}
    changes = without[title] != observed[title] or title == "priority inversion"
    assert changes == bool(events)


def test_the_names_of_app_are_those_of_the_json() -> None:
    listed = re.search(r"`app` \(([^)]*)\)", TEXT)
    assert listed
    assert listed[1].replace("\n", " ").split(", ") == list(judge(seen()).app)
