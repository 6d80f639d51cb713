"""The first screen: what a run does not prove."""

from __future__ import annotations

from typing import Any

from rtgauge.report.sections.summary import section
from tests.report import example

LOAD = {"name": "cpu", "implementation": "engine", "args": "", "unit": "ns", "wanted": 2, "achieved": 1, "note": None}


def told(**values: Any) -> str:
    return str(section(example.view([(example.result("MUT-B-ARC", status="pass", **values), None)])))


def test_a_load_that_did_not_reach_its_degree_is_told() -> None:
    words = "1 beside a load that did not reach its degree"
    assert words in told(loads=[{**LOAD, "reached": True}, {**LOAD, "reached": False}])
    assert words not in told(loads=[{**LOAD, "reached": True}])


def test_events_that_could_not_be_recorded_are_told() -> None:
    line = {"name": "events_unavailable", "value": "not for this user", "unit": ""}
    words = "1 without a cause of the worst samples: not for this user"
    assert words in told(evidence=[line])
    assert words not in told(evidence=[])
