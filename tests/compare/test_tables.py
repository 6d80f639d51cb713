"""How a comparison reads."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rtgauge.compare import align, tables
from rtgauge.compare.quantity import digits, in_unit, normal, shown_unit
from rtgauge.compare.terminal import lines
from rtgauge.compare.values import Figure
from rtgauge.compare.words import cell_text
from tests.compare.columns import measured_column, references
from tests.compare.test_align import switch

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


def test_the_unit_of_a_line() -> None:
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


def test_bars_have_the_length_of_their_figures() -> None:
    made = align([measured_column("a", [switch(1000.0)]), measured_column("b", [switch(4000.0)])])
    assert [(system, length) for _, system, _, length in tables.bars(made, "THR-P-SLS", "avg")] == [
        ("a", 0.25),
        ("b", 1.0),
    ]
