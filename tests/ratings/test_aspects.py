"""What keeps ratings from standing side by side."""

from __future__ import annotations

from typing import Any

from rtgauge.ratings import ASPECTS, aspects, comparable
from rtgauge.requirements import of_deadline
from rtgauge.requirements.stored import to_json
from tests.ratings.runs import MS, content, finding, manifest


def run(tick: int = 4_000_000, **facts: Any) -> dict[str, Any]:
    made = content()
    made["system"]["facts"] |= {"cpu_model": "A", "tick_ns": tick} | facts
    return made


def test_what_a_run_tells() -> None:
    made = run(3_998_839)
    made["audit"].append(finding("preemption model", "ok") | {"summary": "PREEMPT_RT"})
    assert aspects(made, manifest()) == {
        "time": "real", "processor": "A", "tick": "4 ms", "preemption model": "PREEMPT_RT", "load": "heavy",
        "deadline": "1ms",
    }  # fmt: skip


def test_runs_alike_are_comparable() -> None:
    assert comparable(aspects(run(3_998_839), manifest()), aspects(run(4_001_200), manifest())) == []


def test_each_difference_is_named_with_both_values() -> None:
    virtual = run(1_000_000, cpu_model="B", version="#1 SMP PREEMPT_RT", time="virtual")
    virtual["spec"]["environment"]["load"] = "none"
    found = comparable(aspects(run(), manifest()), aspects(virtual, manifest(100_000)))
    assert [line.partition(":")[0] for line in found] == list(ASPECTS)
    assert "tick: 4 ms against 1 ms" in found
    assert "time: real against virtual" in found


def test_what_only_one_tells_does_not_match() -> None:
    assert comparable(aspects(run(), manifest()), aspects(run(), manifest(None))) == ["deadline: 1ms against unknown"]
    assert comparable(aspects({}, {}), aspects({}, {})) == []
    foreign = {"imported": {"format": "f"}}
    assert aspects(foreign, {})["time"] == "unknown"


def test_a_deadline_is_the_same_however_it_was_given() -> None:
    stored = manifest(None) | {"requirements": [to_json(of_deadline(MS))]}
    assert aspects(run(), stored)["deadline"] == "1ms"
    assert aspects(run(), stored | {"deadline_ns": MS})["deadline"] == "1ms"
    other = {"requirements": [{"test": "IRQ-P-LAT", "load": "heavy", "max": "20us"}]}
    assert aspects(run(), other)["deadline"] == "IRQ-P-LAT load=heavy 20us"
