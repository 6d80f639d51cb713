"""Activations that a late periodic thread skipped stand beside, and in, the figures of a comparison."""

from __future__ import annotations

from typing import Any

from rtgauge.compare import align, tables, to_json
from rtgauge.repeats.skipped import skipped, with_skipped
from tests.compare.columns import measured_column
from tests.findings.results import timed


def periodic(overruns: int) -> dict[str, Any]:
    every: dict[str, Any] = {
        "overruns": overruns,
        "entered": overruns,
        "n": 1000 + overruns,
        "min": 900.0,
        "avg": 1100.0,
    }
    every |= {"median": 1001.0, "max": 2000.0, "percentiles": {"50": 1001.0, "99": 1800.0}}
    params = {"interval": "1ms", "threads": 1}
    return timed("TMR-P-CYC", params, avg=1000.0, synthetic=every if overruns else {**every, "avg": 1000.0, "n": 1000})


def test_figures_count_what_did_not_run() -> None:
    entry = periodic(4)
    assert with_skipped(entry, {"avg": 1000.0, "p99": 1500.0, "p99.9": 1900.0}) == {
        "avg": 1100.0,
        "p99": 1800.0,
        "p99.9": 1900.0,  # of so many the result tells none
    }
    assert (skipped(entry), skipped(timed("THR-P-SLS"))) == (4, None)
    assert with_skipped(timed("THR-P-SLS"), {"avg": 1.0}) == {"avg": 1.0}


def test_the_number_of_skipped_stands_in_the_table() -> None:
    made = align([measured_column("late", [periodic(4)]), measured_column("good", [periodic(0)])])
    for full in (True, False):
        told = {line[1]: line[2:] for line in tables.overview(made, full).rows}
        assert told["skipped"] == ("4", "0")
        assert told["avg us"] == ("1.1", "1")
        assert tables.SKIPPED in tables.overview(made, full).notes
    assert "lost" not in told
    (row,) = to_json(made)["rows"]
    assert [one["value"] for one in row["figures"] if one["statistic"] == "skipped"] == [4, 0]
    none = tables.overview(align([measured_column(name, [periodic(0)]) for name in "ab"]))
    assert "skipped" not in {line[1] for line in none.rows}
    assert none.notes == ()


def test_repeats_skip_together() -> None:
    made = align([measured_column("late", [periodic(4)], [periodic(3)]), measured_column("good", [periodic(0)])])
    assert {line[1]: line[2:] for line in tables.overview(made).rows}["skipped"] == ("7", "0")
