import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge import units
from rtgauge.errors import UsageError


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("100us", 100_000),
        ("100µs", 100_000),
        ("1.5s", 1_500_000_000),
        ("10m", 600_000_000_000),
        ("10 min", 600_000_000_000),
        ("1ms", 1_000_000),
        ("2h", 7_200_000_000_000),
        ("7ns", 7),
        (" 0.001us ", 1),
        ("0s", 0),
    ],
)
def test_durations(text: str, ns: int) -> None:
    assert units.parse_duration(text) == ns


@pytest.mark.parametrize("text", ["100", "1.5", "", "us", "-1us", "1e3us", "1us2", "1 0us", "1.us", "9" * 50 + "s"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(UsageError, match="ns, us, ms, s, m, h"):
        units.parse_duration(text, "--deadline")


def test_a_bare_number_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"--deadline '100' has no unit: say which \(ns, us, ms, s, m, h\)"):
        units.parse_duration("100", "--deadline")


@pytest.mark.parametrize("text", ["1day", "1US", "3x"])
def test_unknown_units_name_the_legal_ones(text: str) -> None:
    with pytest.raises(UsageError, match=r"unknown unit .* legal are ns, us"):
        units.parse_duration(text)


@pytest.mark.parametrize("text", ["0.5ns", "0.0001us", "999999999h"])
def test_durations_that_cannot_be_kept(text: str) -> None:
    with pytest.raises(UsageError, match="whole number of nanoseconds"):
        units.parse_duration(text)


@given(st.integers(0, 2**62))
def test_the_canonical_form_means_the_same(ns: int) -> None:
    assert units.parse_duration(units.canonical_duration(ns)) == ns


@pytest.mark.parametrize(
    ("ns", "text"),
    [(0, "0ns"), (1, "1ns"), (1000, "1us"), (1500, "1500ns"), (10**9, "1s"), (60 * 10**9, "1m"), (3600 * 10**9, "1h")],
)
def test_the_canonical_form(ns: int, text: str) -> None:
    assert units.canonical_duration(ns) == text


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0 ns"),
        (3751.2, "3.75 us"),
        (-20.0, "-20 ns"),
        (0.25, "0.25 ns"),
        (999.4, "999 ns"),
        (999.6, "1 us"),
        (999_999.9, "1 ms"),
        (12_345_678, "12.3 ms"),
        (3_600_000_000_000, "3600 s"),
    ],
)
def test_times_for_people(ns: float, text: str) -> None:
    assert units.format_ns(ns) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1536, "B", "1.5 KB"), (5, "1", "5 1"), (2, "", "2"), (3000, "ns", "3 us"), (3 << 30, "B", "3 GB")],
)
def test_values(value: float, unit: str, text: str) -> None:
    assert units.format_value(value, unit) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.5, "500 ms"), (119, "119 s"), (125, "2 min 5 s"), (12_000, "3 h 20 min")]
)
def test_spans(seconds: float, text: str) -> None:
    assert units.format_seconds(seconds) == text


def test_examples_in_the_documentation() -> None:
    assert doctest.testmod(units).failed == 0
