from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.report import display

GAP = display.NARROW


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (18, "ns", f"18{GAP}ns"),
        (18.5, "ns", f"18.50{GAP}ns"),
        (999, "ns", f"999{GAP}ns"),
        (1_000, "ns", f"1.000{GAP}µs"),
        (26_475, "ns", f"26.48{GAP}µs"),
        (2_300_000, "ns", f"2.300{GAP}ms"),
        (7.2e9, "ns", f"7.200{GAP}s"),
        (-40, "ns", f"−40{GAP}ns"),
        (-0.0, "ns", f"0{GAP}ns"),
        (4096, "B", f"4.000{GAP}KiB"),
        (12, "switches", f"12{GAP}switches"),
        (12, "", "12"),
        (None, "ns", "–"),
        (math.nan, "ns", "–"),
    ],
)
def test_quantity(value: float | None, unit: str, shown: str) -> None:
    assert display.quantity(value, unit) == shown


def test_scale_shows_all_figures_of_a_row_in_one_unit() -> None:
    scale = display.scale_for(1_159, "ns")
    assert (scale.unit, scale.show(1_101), scale.show(26_475)) == ("µs", "1.101", "26.475")


@given(st.floats(1, 1e12))
def test_quantity_keeps_three_digits(value: float) -> None:
    number, unit = display.quantity(value, "ns").rsplit(GAP, 1)
    factor = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]
    assert float(number.replace(GAP, "")) * factor == pytest.approx(value, rel=0.005)


@pytest.mark.parametrize(("value", "shown"), [(0.25, "0.25"), (61.4, "61.4"), (600, "10.0"), (90_000, "25.0")])
def test_seconds(value: float, shown: str) -> None:
    assert display.seconds(value).split(GAP)[0] == shown


def test_count_groups_digits() -> None:
    assert display.count(1234567) == f"1{GAP}234{GAP}567"
    assert display.count(None) == "–"


def test_anchor_is_safe_whatever_it_is_made_from() -> None:
    assert display.anchor("t", 'THR"><script>', "a b") == "t-thr-script-a-b"
    assert display.anchor("t", "\x00") == "t-x"


def test_plain_leaves_no_control_or_direction_signs() -> None:
    assert display.plain("a\x1b[31mb\x00\u202ec\n\td\x9b") == "a\ufffd[31mb\ufffd\ufffdc  d\ufffd"
    assert display.plain("Grüße, µs ≥ 1") == "Grüße, µs ≥ 1"


@pytest.mark.parametrize(("values", "is_wide"), [((1, 9), False), ((1, 11), True), ((0, 100), False), ((), False)])
def test_wide(values: tuple[float, ...], is_wide: bool) -> None:
    assert display.wide(values) is is_wide


@pytest.mark.parametrize(
    ("value", "unit", "shown"), [(4962, "1/1000", "4.962"), (4, "1", "4"), (1005, "1/1000", "1.005")]
)
def test_parts_of_one_and_counts_have_no_unit(value: int, unit: str, shown: str) -> None:
    assert display.quantity(value, unit) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("563 us late", "563 µs late"), ("interval 500us", "interval 500µs"), ("a user, us, status", "a user, us, status"),
     ("thus 5 users", "thus 5 users")],
)  # fmt: skip
def test_micro_touches_units_alone(text: str, shown: str) -> None:
    assert display.micro(text) == shown


def test_each_is_the_share_of_one_operation() -> None:
    assert display.each(440.0, "ns", 100) == f"4.400{GAP}ns per operation"
    assert display.each(440.0, "ns", 1) == ""
    assert display.each(None, "ns", 100) == ""


@pytest.mark.parametrize(
    ("text", "shown"), [("it holds.", "It holds"), ("Stamp", "Stamp"), ("and so ...", "And so ..."), ("", "")]
)
def test_sentence(text: str, shown: str) -> None:
    assert display.sentence(text) == shown
