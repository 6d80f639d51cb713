"""What `rtgauge show` writes of results: those of one reason together, figures of batches, figures for readers."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge.cli.show import _each, _evidence, _overview, _row, histogram
from tests.findings.results import behaviour, timed


def lacking(params: dict[str, Any], reason: str = "creating it: no such thing") -> dict[str, Any]:
    return {"id": "SEM-P-ARN", "params": params, "status": "not-supported", "reason": reason}


def test_results_of_one_reason_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    parts = ("acquire", "release")
    results = [timed("SEM-P-ARN", {"kind": "counting", "part": p}) for p in parts]
    results += [lacking({"kind": "binary", "part": p}) for p in parts]
    results += [lacking({"kind": "event", "part": "acquire"}, "another")]
    single = _overview(results)
    out = capsys.readouterr().out.splitlines()
    assert "SEM-P-ARN kind=binary: 2 results not-supported: creating it: no such thing" in out
    assert "SEM-P-ARN kind=event part=acquire: not-supported: another" in out
    assert sum("binary" in line for line in out) == 1
    assert single == [*results[:2], results[4]]


def test_a_run_of_which_nothing_was_permitted_has_no_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    denied = [{**lacking({"threads": t}, "RTPRIO is 0"), "status": "not-permitted"} for t in (2, 10)]
    assert _overview(denied) == []
    assert capsys.readouterr().out == "SEM-P-ARN: 2 results not-permitted: RTPRIO is 0\n"


def test_a_batch_gives_the_figure_of_one_operation() -> None:
    many = timed("SEM-P-ARN", {"batch": 100}, min=400.0, median=440.0)
    assert "440 ns (4.4 ns each)" in _row(many)
    assert _each(many) == "one of 100 operations: min 4 ns, median 4.4 ns"
    assert not any("each" in cell for cell in _row(timed("SEM-P-ARN", {"batch": 1})))
    assert _each(timed("SEM-P-ARN", {"batch": 1})) == ""
    assert _each(behaviour("SEM-B-LCK", "pass")) == ""


def test_an_unmeasurable_operation_has_no_figures_but_the_largest_and_the_first() -> None:
    row = _row(timed("SEM-P-ARN", {}, unmeasurable=True, resolution=10.0, lost=0))
    assert row[4:] == ["< 10 ns", "-", "2 us", "< 10 ns", "< 10 ns", "< 10 ns", "1.2 us", "0"]


def test_what_is_only_counted_has_no_unit() -> None:
    assert _row(timed("MEM-B-LEK", {}, unit="1", median=4.0))[7] == "4"


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [(4_000_000, "ns", "4 ms"), (2048, "B", "2 KB"), (26, "ticks", "26 ticks"), (7, "", "7"), ("no", "", "no")],
)
def test_evidence_is_written_for_readers(value: int | str, unit: str, shown: str) -> None:
    assert _evidence({"name": "x", "value": value, "unit": unit}) == shown


def test_a_wide_histogram_has_edges_in_units_of_their_own() -> None:
    bins = [[100.0 * 1.2**i, 100.0 * 1.2 ** (i + 1), 1] for i in range(60)]
    rows = list(histogram({"unit": "ns", "histogram": bins}))
    assert rows[0].split(" .. ")[0].strip() == "100 ns"
    assert "ms" in rows[-1]
