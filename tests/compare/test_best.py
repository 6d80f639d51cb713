"""Which of several figures is the best, where that is certain."""

from __future__ import annotations

import pytest

from rtgauge.compare.best import best
from rtgauge.compare.values import Figure, Key, Row

ALL = ("one", "one", "one")


def row(*figures: Figure | None, id_: str = "THR-P-SLS", part: str = "") -> Row:
    return Row(Key(id_, part=part), tuple(() if one is None else (one,) for one in figures))


def avg(text: str, unit: str = "us", qualifier: str = "") -> Figure:
    return Figure("avg", text, unit, qualifier)


@pytest.mark.parametrize(
    ("figures", "found"),
    [
        ((avg("2"), avg("1"), avg("3")), (1,)),
        ((avg("2"), avg("1999", "ns"), avg("3")), (1,)),
        ((avg("2"), avg("2"), avg("3")), (0, 1)),
        ((avg("2"), avg("2"), avg("2.0")), None),
        ((avg("10", qualifier="<"), avg("8"), avg("30")), None),  # it may be anything below 10
        ((avg("10", qualifier="<"), avg("18"), avg("30")), (0,)),
        ((avg("10", qualifier=">"), avg("8"), avg("30")), (1,)),
        ((avg("10", qualifier=">"), avg("12"), None), None),
        ((avg("10", qualifier="approx"), avg("12"), None), (0,)),
        ((avg("10"), None, None), None),
        ((avg("10"), avg("12", "MB/s"), None), None),
        ((avg("10", "MB/s"), avg("12", "MB/s"), None), (1,)),
        ((avg("10", "count"), avg("12", "count"), None), None),
    ],
)
def test_the_best_is_certain(figures: tuple[Figure | None, ...], found: tuple[int, ...] | None) -> None:
    assert best(row(*figures), ALL).get("avg") == found


def test_settings_and_calibration_have_no_best() -> None:
    figures = (avg("2"), avg("1"))
    assert best(row(*figures, part="set-up"), ALL) == {}
    assert best(row(*figures, id_="CAL-P-TRC"), ALL) == {}


def test_each_ground_has_its_own() -> None:
    assert best(row(avg("2"), avg("1"), avg("3")), ("x", "y", "x")) == {"avg": (0,)}
