from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rtgauge.errors import StoreError
from rtgauge.model import RunSpec
from rtgauge.pipeline import judge
from rtgauge.results import complaint_about, from_json, schema, to_json
from rtgauge.trace import read_trace
from tests.support.example import example_spec, example_trace
from tests.support.traces import build_trace, fake_series, fake_test

FINDING = {
    "kind": "negative",
    "text": "release grows with waiters",
    "because": [{"id": "SEM-P-SCL", "params": {"part": "release"}, "status": "ok"}],
}
AUDIT = {"check": "governor", "status": "warn", "summary": "powersave", "why": "it is slow", "fix": "performance"}


def content_of(data: bytes, spec: RunSpec, **more: Any) -> dict[str, Any]:
    trace = read_trace(data)
    made = to_json(judge(trace, spec), trace, spec, run="r1", target="local", created="2026-03-01T10:15:00Z", **more)
    found: dict[str, Any] = json.loads(json.dumps(made, allow_nan=False))
    return found


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return content_of(example_trace(), example_spec(), profile="quick", findings=[FINDING], audit=[AUDIT])


def entry(content: dict[str, Any], id: str, **params: Any) -> dict[str, Any]:
    found: dict[str, Any] = next(
        one for one in content["results"] if one["id"] == id and params.items() <= one["params"].items()
    )
    return found


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


def test_the_example_keeps_to_the_schema(example: dict[str, Any]) -> None:
    assert complaint_about(example) is None


def test_so_do_runs_without_anything() -> None:
    for data in (b"", build_trace(), build_trace([fake_test("SEM-P-ARN", series=[[]])]), build_trace(why="no clock")):
        assert complaint_about(content_of(data, example_spec())) is None


def test_the_fields_that_the_architecture_names(example: dict[str, Any]) -> None:
    found = entry(example, "THR-P-SLS", threads=2)
    assert {"id", "params", "environment", "status", "unit", "n", "lost", "min", "avg", "max"} <= set(found)
    assert {"percentiles", "first", "worst", "clusters", "period", "evidence"} <= set(found)
    assert found["environment"] == {"load": "none", "cache": "hot", "cpus": "one"}
    assert list(found["percentiles"]) == ["50", "99", "99.9"]
    assert set(found["worst"][0]) == {"value", "at", "cpu", "index"}
    assert found["stamps"] == {
        "start": "before the call",
        "stop": "after the call",
        "thread": "the measuring thread",
    }
    assert found["title"] == "switch latency"
    assert found["counters"] == {"minor_faults": 0, "timer_interrupts": 13}


def test_durations_are_written_in_their_one_form(example: dict[str, Any]) -> None:
    assert entry(example, "TMR-P-CYC")["params"] == {"interval": "1ms", "threads": 1}


def test_parts_have_entries_of_their_own(example: dict[str, Any]) -> None:
    assert entry(example, "SEM-P-SCL", part="release")["analysis"]["slope"]["verdict"] == "grows"
    assert entry(example, "SEM-P-SCL", part="acquire")["analysis"]["slope"]["verdict"] == "constant"
    checks, *parts = (one for one in example["results"] if one["id"] == "MEM-B-LEK")
    assert (checks["status"], checks["checks"][0]["name"]) == ("fail", "handles-back")
    assert [part["params"]["part"] for part in parts] == ["semaphore", "thread"]
    assert all("n" in part and not part["checks"] for part in parts)


def test_what_was_not_measured_has_no_numbers(example: dict[str, Any]) -> None:
    for one in example["results"]:
        if one["status"] in ("invalid", "not-permitted", "not-supported", "pass", "fail"):
            assert not {"n", "min", "max", "avg", "lost", "percentiles", "histogram"} & set(one)


def test_figures_too_small_are_given_raw(example: dict[str, Any]) -> None:
    found = entry(example, "MUT-P-ARN")
    assert (found["unmeasurable"], found["min"], found["max"]) == (True, 0.0, 1.0)


def test_a_clock_that_never_came_is_null() -> None:
    assert content_of(b"", RunSpec(jobs=()))["system"]["clock"] is None


def test_the_first_sample_lost_is_null() -> None:
    made = content_of(build_trace([fake_test("SEM-P-ARN", series=[fake_series([4, 5])])]), RunSpec(jobs=()))
    assert made["results"][0]["first"] == -16.0
    assert complaint_about(made) is None


def test_reading_back(example: dict[str, Any]) -> None:
    assert from_json(json.dumps(example)) == example


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("results", 0, "status"), "good"),
        (("results", 0, "id"), "../x"),
        (("results", 0, "n"), 0),
        (("results", 0, "surprise"), 1),
        (("results", 0, "max"), "3"),
        (("results", 0, "worst"), []),
        (("verdict", "ruling"), "maybe"),
        (("system", "clock", "width"), 128),
        (("audit", 0, "status"), "bad"),
        (("findings", 0, "kind"), "neutral"),
        (("surprise",), 1),
    ],
)
def test_what_the_schema_does_not_allow(example: dict[str, Any], path: tuple[Any, ...], value: object) -> None:
    damaged = copy.deepcopy(example)
    place: Any = damaged
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert complaint_about(damaged) is not None
    with pytest.raises(StoreError, match="damaged"):
        from_json(json.dumps(damaged))


def test_figures_come_all_or_not_at_all(example: dict[str, Any]) -> None:
    damaged = copy.deepcopy(example)
    del damaged["results"][0]["median"]
    assert complaint_about(damaged) is not None
    del damaged["results"][0]["n"]
    assert complaint_about(damaged) is not None


def test_an_invalid_result_must_have_no_number(example: dict[str, Any]) -> None:
    damaged = copy.deepcopy(example)
    damaged["results"][0]["status"] = "invalid"
    damaged["results"][0]["reason"] = "because"
    assert complaint_about(damaged) is not None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema": 2}', "[" * 100_000])
def test_what_is_no_results_file(text: str) -> None:
    with pytest.raises(StoreError):
        from_json(text)
