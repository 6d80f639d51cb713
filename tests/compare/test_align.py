"""What stands in one row, what is best, and how far measured figures lie apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from scipy import stats

from rtgauge.compare import align, to_json
from rtgauge.compare.differences import welch
from rtgauge.compare.values import Column, Row
from rtgauge.compare.why import nothing_comparable
from tests.compare.columns import measured_column, references
from tests.findings.results import behaviour, timed

TWO = {"threads": 2}


def switch(avg: float, **more: Any) -> dict[str, Any]:
    return timed("THR-P-SLS", TWO, avg=avg, median=avg, percentiles={"50": avg}, **{"max": avg + 900.0, **more})


def one(rows: tuple[Row, ...], id_: str) -> Row:
    (found,) = [row for row in rows if row.key.id == id_ and all(row.cells)]
    return found


def test_a_run_stands_beside_what_is_published() -> None:
    made = align([measured_column("a", [switch(1000.0)]), *references("qnx-6.5")])
    row = one(made.rows, "THR-P-SLS")
    assert dict(row.key.params) == {"threads": "2"}
    assert {figure.text for figure in row.cells[1] if figure.statistic == "avg"} == {"0.4"}
    assert row.notes == ()  # nothing is assumed but that there was no load
    assert row.best == {}  # another platform
    assert made.differences == ()


def test_what_is_not_printed_is_said() -> None:
    params = {"source": "timer", "level": "primary", "from": "thread"}
    made = align([measured_column("a", [timed("IRQ-P-LAT", params, avg=1.0)]), *references("qnx-6.5")])
    (note,) = one(made.rows, "IRQ-P-LAT").notes
    assert note == "not printed of reference:qnx-6.5@atom-z530: level, source"


def test_a_figure_that_may_be_of_several_results_stays_alone() -> None:
    results = [
        timed("MSG-P-LAT", {"peers": "thread", "size": size}, avg=1.0, environment={"load": "none", "cache": "hot"})
        for size in (1, 128)
    ]
    made = align([measured_column("a", results), *references("lynxos-3.0.1")])
    alone = [row for row in made.rows if row.key.id == "MSG-P-LAT" and row.owners == (1,)]
    assert any("not printed, so several results could be meant: size" in row.notes for row in alone)
    assert not [row for row in made.rows if row.key.id == "MSG-P-LAT" and all(row.cells)]


def test_a_result_without_figures_is_not_meant() -> None:
    params = {"protocol": "inherit", "part": "acquire", "batch": 1}
    results = [
        timed("MUT-P-ARN", {**params, "kind": "mutex"}, avg=70.0),
        {"id": "MUT-P-ARN", "params": {**params, "kind": "native"}, "status": "not-supported", "reason": "none"},
    ]
    made = align([measured_column("a", results), *references("qnx-6.5")])
    assert dict(one(made.rows, "MUT-P-ARN").key.params)["kind"] == "mutex"


def test_batches_are_not_single_operations() -> None:
    params = {"kind": "counting", "name": "unnamed", "part": "acquire"}
    made = align(
        [measured_column("a", [timed("SEM-P-ARN", {**params, "batch": 100}, avg=1.0)]), *references("qnx-6.5")]
    )
    assert not [row for row in made.rows if row.key.id == "SEM-P-ARN" and all(row.cells)]


def test_a_check_stands_beside_its_published_verdict() -> None:
    test = behaviour("THR-B-NEW", "fail", ("lower", "property", True), ("equal", "property", False))
    made = align([measured_column("a", [test]), *references("ce7@pentium2-233")])
    rows = [row for row in made.rows if row.key.id == "THR-B-NEW"]
    words = {row.key.check: [figure.text for cell in row.cells for figure in cell] for row in rows}
    assert words["lower"] == ["pass", "pass"]
    assert words["equal"] == ["fail", "pass"]
    assert words["higher"] == ["pass"]  # which the run did not check


def test_what_was_not_checked_is_a_remark() -> None:
    test = behaviour("MUT-B-ARC", "pass", unchecked=[{"name": "chained", "why": "no time"}])
    (cell,) = measured_column("a", [test]).cells.values()
    assert (cell[0].text, cell[0].note) == ("pass with remark", "not checked: chained")


def test_other_parameters_and_loads_are_other_rows() -> None:
    loaded = {**switch(1000.0), "environment": {"load": "heavy", "cache": "hot", "cpus": "one"}}
    made = align([measured_column("a", [switch(1000.0)]), measured_column("b", [loaded])])
    assert made.shared == ()
    reason = nothing_comparable(made)
    assert reason is not None
    assert "load=none" in reason
    assert "load=heavy" in reason


def test_where_cpus_differ_the_configuration_says_so() -> None:
    other = {**switch(1000.0), "environment": {"load": "none", "cache": "hot", "cpus": "all"}}
    assert len(align([measured_column("a", [switch(1000.0)]), measured_column("b", [other])]).shared) == 1


def test_one_run_each_has_no_interval() -> None:
    made = align([measured_column("a", [switch(1000.0)]), measured_column("b", [switch(1100.0)])])
    found = {one.statistic: one for one in made.differences}
    assert found["avg"].difference == 100.0
    assert found["avg"].ratio == pytest.approx(1.1)
    assert found["avg"].interval is None
    assert {one.basis for one in made.differences} == {"one run each"}


def test_repeats_give_an_interval() -> None:
    base, other = (1000.0, 1010.0, 990.0), (1100.0, 1120.0, 1090.0, 1110.0)
    made = align(
        [
            measured_column("a", *([switch(value)] for value in base)),
            measured_column("b", *([switch(value)] for value in other)),
        ]
    )
    found = next(one for one in made.differences if one.statistic == "avg")
    wanted = stats.ttest_ind(other, base, equal_var=False).confidence_interval(0.95)
    assert found.difference == pytest.approx(105.0)
    assert found.interval == pytest.approx((wanted.low, wanted.high))
    assert found.basis == "4 against 3 runs"
    row = made.rows[found.row]
    assert {one.text for one in row.cells[1] if one.statistic == "max"} == {"2020.0"}  # the largest of all runs
    assert to_json(made)["differences"][0]["interval"] is not None


def test_repeats_without_spread() -> None:
    assert welch((5.0, 5.0), (3.0, 3.0)) == (2.0, 2.0)


def test_a_series_against_one_run_has_no_interval() -> None:
    made = align([measured_column("a", [switch(1.0)], [switch(2.0)]), measured_column("b", [switch(3.0)])])
    assert {one.interval for one in made.differences} == {None}
    assert {one.basis for one in made.differences} == {"1 against 2 runs: no interval without repeats of both"}


def test_what_the_clock_cannot_measure_is_never_best() -> None:
    short = switch(5.0, unmeasurable=True)
    made = align([measured_column("a", [short]), measured_column("b", [switch(9.0)])])
    assert one(made.rows, "THR-P-SLS").best == {}
    assert made.differences == ()
    runs = {name: [[switch(avg)]] * 2 for name, avg in (("a", 500.0), ("b", 900.0))}
    ok = align([measured_column(name, *every) for name, every in runs.items()])
    assert one(ok.rows, "THR-P-SLS").best == {"avg": (0,), "max": (0,)}


def test_the_gravest_of_several_runs_counts() -> None:
    runs = [[behaviour("THR-B-NEW", status)] for status in ("pass", "fail", "pass")]
    (cell,) = measured_column("a", *runs).cells.values()
    assert (cell[0].text, cell[0].note) == ("fail", "1 of 3 runs")


def test_the_configuration_tells_virtual_from_real() -> None:
    column = measured_column("a", [switch(1.0)], version="#1 SMP PREEMPT_RT")
    assert (column.configuration["time"], column.configuration["preemption model"]) == ("real", "PREEMPT_RT")
    made = align([column, *references("linux-6.1.35-rt")])
    model = next(one for one in made.settings if one.name == "preemption model")
    assert model.values == ("PREEMPT_RT", "Fully Preemptible Kernel (real-time)")


def virtual(name: str, engine: str) -> Column:
    column = measured_column(name, *[[switch(1000.0 if name == "a" else 1100.0)]] * 2)
    return replace(column, configuration={**column.configuration, "time": "virtual", "engine": engine})


def test_virtual_time_is_compared_between_equals_only() -> None:
    same = align([virtual("a", "e1"), virtual("b", "e1")])
    assert len(same.differences) == 3
    assert one(same.rows, "THR-P-SLS").best["avg"] == (0,)
    other = align([virtual("a", "e1"), virtual("b", "e2")])
    assert other.differences == ()
    assert one(other.rows, "THR-P-SLS").best == {}
    assert other.notes[0].startswith("b and a differ in engine,")
    mixed = align([virtual("a", "e1"), measured_column("b", [switch(1.0)])])
    assert mixed.differences == ()
    assert mixed.notes[0].startswith("b and a differ in time,")


def test_what_was_lost_and_how_long_is_told() -> None:
    column = measured_column("a", [switch(1.0, lost=2, exposure_s=1.5)], [switch(2.0, lost=1, exposure_s=2.0)])
    ((*_, n, lost, exposure),) = column.cells.values()
    assert [(one.statistic, one.text) for one in (n, lost, exposure)] == [
        ("n", "2000"),
        ("lost", "3"),
        ("exposure", "3.5"),
    ]


def test_repeats_that_scatter_alike_have_no_best() -> None:
    def column(name: str, *values: float) -> Column:
        return measured_column(name, *([switch(value)] for value in values))

    near = align([column("a", 1000.0, 1100.0, 1200.0), column("b", 1010.0, 1110.0, 1210.0)])
    assert one(near.rows, "THR-P-SLS").best == {}
    far = align([column("a", 1000.0, 1100.0, 1200.0), column("b", 2010.0, 2110.0, 2210.0)])
    assert one(far.rows, "THR-P-SLS").best == {"avg": (0,), "max": (0,)}
