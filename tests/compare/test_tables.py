"""How a comparison reads."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from rtgauge.compare import align, bars, tables
from rtgauge.compare.quantity import digits, in_unit, normal, shown_unit
from rtgauge.compare.terminal import lines
from rtgauge.compare.values import Figure
from rtgauge.compare.words import cell_text, measured_text
from tests.compare.columns import measured_column, references
from tests.compare.test_align import switch
from tests.findings.results import behaviour

PRINTED = {"source": "somewhere", "value": "3.70"}


@pytest.mark.parametrize(
    ("number", "unit", "wanted"),
    [("2", "us", "2000"), ("1.5", "ms", "1500000"), ("1", "h", "3600000000000"), ("9", "KB", "9216")],
)
def test_units_are_exact(number: str, unit: str, wanted: str) -> None:
    assert normal(Decimal(number), unit) == Decimal(wanted)


def test_digits() -> None:
    assert digits(Decimal("13000.0"), measured=False) == "13000"
    assert digits(Decimal("1234.5678"), measured=True) == "1235"
    assert digits(Decimal("1.23456"), measured=True) == "1.235"
    assert digits(in_unit(Decimal("0.1"), "us", "ns"), measured=False) == "100"


def test_a_figure_in_a_sentence_has_the_digits_of_the_tables() -> None:
    assert [measured_text(value, "ns") for value in (2_456_123.0, 3_650.0, 13_942.0)] == [
        "2.456 ms",
        "3.65 us",
        "13.94 us",
    ]
    assert [measured_text(*one) for one in ((4096.0, "B"), (3.0, "count"))] == ["4096 B", "3"]


def test_the_unit_of_a_line() -> None:
    assert shown_unit(("ns",), Decimal(2_456_000), Decimal(13_940)) == "us"  # 2456 beside 13.94
    assert shown_unit(("ns",), Decimal(2_456_000_000), Decimal(13_940)) == "ms"  # the largest stays short
    assert shown_unit(("ns",), Decimal(2_456_000), Decimal(313_000)) == "ms"
    assert shown_unit(("ns", "us"), Decimal(13000)) == "us"
    assert shown_unit(("s",), Decimal(51000)) == "us"
    assert shown_unit(("MB/s",), Decimal(3)) == "MB/s"
    assert shown_unit(("ns", "count"), Decimal(3)) == ""


def test_a_figure_keeps_its_digits_qualifier_and_doubt() -> None:
    one = Figure("max", "3.70", "us", qualifier="approx", note="unclear", printed=PRINTED)
    assert cell_text([one], "max", "us") == "~3.70*"
    assert cell_text([one, one], "max", "us") == "~3.70*"
    assert cell_text([one, Figure("max", "4", "us", "<", printed=PRINTED)], "max", "us") == "~3.70* / < 4"
    assert cell_text([one], "avg", "us") == "–"


def test_measured_figures_stand_in_the_printed_unit() -> None:
    made = align([measured_column("a", [switch(1234.0)]), *references("qnx-6.5")])
    (grid,) = tables.per_test(made, full=False)
    assert [line[:4] for line in grid.rows] == [
        ("threads 2", "avg us", "1.234", "0.4"),
        ("threads 2", "max us", "2.134", "2.8"),
        ("threads 2", "samples", "1000", "–"),
        ("threads 2", "exposure s", "1", "–"),
    ]


def test_differences_are_told_with_their_basis() -> None:
    text = "\n".join(lines(align([measured_column("a", [switch(1000.0)]), measured_column("b", [switch(1500.0)])])))
    assert "== Differences: b against a" in text
    assert "+500 ns (x1.5, one run each)" in text
    repeated = [
        measured_column(name, [switch(1000.0 + add)], [switch(1002.0 + add)]) for name, add in (("a", 0), ("b", 9))
    ]
    assert "95 % interval +2.92 ns to +15.1 ns; 2 against 2 runs" in "\n".join(lines(align(repeated)))
    same = align([measured_column("a", [switch(1000.0)]), measured_column("b", [switch(1000.0)])])
    assert "3 figures are equal (one run each)" in "\n".join(lines(same))


def test_many_systems_go_by_short_names_and_a_ratio_is_never_one_beside_a_difference() -> None:
    names = ("20261122-131902-lab-8889d9", "20261122-131902-lab-ded599", "20261122-132409-lab-0f280a")
    made = align([measured_column(name, [switch(avg)]) for name, avg in zip(names, (1e6, 1e6 + 1, 2e6), strict=True)])
    grid = tables.unsettled(made)
    assert tables.differences(made).rows == ()  # one run each: nothing is told apart
    assert {line[2] for line in grid.rows} == {"lab-ded599 against lab-8889d9", "lab-0f280a against lab-8889d9"}
    assert ("avg", "+1 ns (x1.000001, one run each)") in {(line[1], line[3]) for line in grid.rows}
    assert tables.largest_unsettled(made, 1).rows[0][3].startswith("+1 ms (x2, ")
    assert tables.largest_unsettled(made, 1).notes == ("and 5 smaller ones: in the other formats",)


def test_what_no_system_has_is_one_line_for_each_reason() -> None:
    def lacks(id_: str, reason: str = "no such thing", **params: Any) -> dict[str, Any]:
        return {**behaviour(id_, "not-supported"), "params": params, "reason": reason}

    common = [lacks("CAL-P-CPU", size=1), lacks("CAL-P-CPU", size=2), lacks("FS-P-WR"), lacks("SMP-P-MTX", "one CPU")]
    both = ([*common, lacks("THR-B-NEW")], [*common, behaviour("THR-B-NEW", "pass")])
    grid = tables.behaviour(align([measured_column(name, found) for name, found in zip("ab", both, strict=True)]))
    assert [line[0] for line in grid.rows] == ["THR-B-NEW"]  # one has it
    assert grid.notes[-2:] == (
        "not-supported by all, 3 results: no such thing: CAL-P-CPU (2), FS-P-WR",
        "not-supported by all, 1 result: one CPU: SMP-P-MTX",
    )


def test_labels_of_an_axis_have_room() -> None:
    made = align([measured_column(name, [switch(avg)]) for name, avg in (("a", 1e5), ("b", 789_000.0))])
    drawn = bars.bars(made, "THR-P-SLS", "avg")
    assert drawn is not None
    assert [text for _, text in drawn.ticks] == ["0", "200 us", "400 us", "", "800 us"]


def test_bars_share_an_axis_with_its_unit() -> None:
    made = align([measured_column("a", *[[switch(1000.0)]] * 2), measured_column("b", *[[switch(3600.0)]] * 2)])
    drawn = bars.bars(made, "THR-P-SLS", "avg")
    assert drawn is not None
    assert [(system, length, best) for _, system, _, length, best in drawn.bars] == [
        ("a", 0.25, True),
        ("b", 0.9, False),
    ]
    assert drawn.ticks == ((0.0, "0"), (0.25, "1 us"), (0.5, "2 us"), (0.75, "3 us"), (1.0, "4 us"))


@pytest.mark.parametrize(
    ("largest", "end", "last"),
    [(0.9, 1.0, 1.0), (12.0, 15.0, 15.0), (639191.0, 800000.0, 800000.0), (1e-3, 1e-3, 1e-3)],
)
def test_an_axis_ends_at_a_round_number(largest: float, end: float, last: float) -> None:
    got, ticks = bars._axis(largest)
    assert (got, ticks[0], ticks[-1]) == (pytest.approx(end), 0, pytest.approx(last))
    assert 3 <= len(ticks) <= 6


def test_a_figure_printed_twice_is_one_bar() -> None:
    drawn = bars.bars(align(references("qnx-6.5", "ce7@atom-z530")), "CLK-P-DUR", "max")
    assert drawn is not None
    assert [system for _, system, *_ in drawn.bars] == ["qnx-6.5", "ce7"]


def test_a_doubt_about_several_figures_is_told_once() -> None:
    made = align(references("lynxos-3.0.1", "solaris-8-1rt", "solaris-8-2proc"))
    (grid,) = [grid for grid in tables.per_test(made) if grid.title == "SYN-P-RTT"]
    (note,) = [note for note in grid.notes if "microseconds assumed" in note]
    assert note.startswith("* unit not printed; microseconds assumed (lynxos-3.0.1, solaris-8-1rt, solaris-8-2proc: ")
    assert note.count(", avg;") == 4
    assert note.count(", max") == 4


def test_nothing_to_draw() -> None:
    made = align([measured_column("a", [switch(0.0, max=0.0)]), measured_column("b", [switch(0.0, max=0.0)])])
    assert bars.bars(made, "THR-P-SLS", "max") is None
