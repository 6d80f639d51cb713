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


def test_many_kinds_of_what_a_system_does_not_have_are_counted() -> None:
    def run(kinds: int) -> str:
        absent = [
            example.result(f"T{kind}-P-ABC", {"n": n}, status="not-supported", reason=f"there is no thing {kind}")
            for kind in range(kinds)
            for n in range(3)
        ]
        return str(section(example.view([(one, None) for one in absent])))

    assert "there is no thing 4" in run(5)
    assert "12 more not-supported, for 4 other reasons" in run(8)
    assert "there is no thing 7" not in run(8)
