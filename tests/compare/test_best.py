"""Which of several figures is the best, where it is told apart."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rtgauge.compare.best import best
from rtgauge.compare.values import Figure, Histogram, Key, Row

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


@pytest.mark.parametrize(("beyond", "n", "found"), [(10, 1000, (0,)), (9, 1000, None), (10, 90, None), (0, 1000, None)])
def test_a_maximum_that_many_samples_of_the_other_exceed_is_the_best(
    beyond: int, n: int, found: tuple[int, ...] | None
) -> None:
    """Of equally many samples the ten largest are all of one side by chance once in 1024 times."""
    cells = (measured(n=n, spread=0.2), measured(n=n, spread=8.0))
    bins = ((80.0, 110.0, n - beyond - 1), (119.0, 122.0, 1), (126.1, 130.0, beyond))  # 5 % beyond 120 is 126
    for unit, scale in (("ns", 1.0), ("us", 0.001)):
        its = Histogram(unit, tuple((low * scale, high * scale, count) for low, high, count in bins))
        row_ = Row(Key("THR-P-SLS"), cells)
        assert best(row_, ("one", "one"), [True, True], [None, its]).get("max") == found
        assert "max" not in best(row_, ("one", "one"), [True, False], [None, its])


def test_settings_and_calibration_have_no_best() -> None:
    figures = (avg("2"), avg("1"))
    assert best(row(*figures, part="set-up"), ALL) == {}
    assert best(row(*figures, id_="CAL-P-TRC"), ALL) == {}


def test_each_ground_has_its_own() -> None:
    assert best(row(avg("2"), avg("1"), avg("3")), ("x", "y", "x")) == {"avg": (0,)}


def measured(
    runs: int = 1, avg: float = 100.0, n: int = 1000, unit: str = "ns", spread: float = 0.01
) -> tuple[Figure, ...]:
    """A cell of runs that scatter by a thousandth, with samples `spread` around the average."""
    figures = {"avg": avg, "min": avg * (1 - spread), "max": avg * (1 + spread)}
    scatter = [1 + 0.001 * (i % 2) for i in range(runs)]
    told = [
        Figure(name, repr(value), unit, values=tuple(value * x for x in scatter)) for name, value in figures.items()
    ]
    return (*told, Figure("n", str(n), "count"))


def marked(*cells: tuple[Figure, ...], exact: bool = True) -> Mapping[str, tuple[int, ...]]:
    return best(Row(Key("THR-P-SLS"), cells), ("one",) * len(cells), [exact] * len(cells))


def test_single_runs_are_told_apart_only_beyond_what_moves_them() -> None:
    assert marked(measured(avg=100), measured(avg=110)) == {"avg": (0,), "max": (0,)}
    assert marked(measured(avg=100), measured(avg=103)) == {}  # a boot parameter does as much
    assert marked(measured(avg=100, spread=0.2), measured(avg=110, spread=0.2)) == {}  # the samples overlap
    assert marked(measured(avg=100, n=20), measured(avg=130, n=20)) == {}  # too few
    assert marked(measured(avg=100), measured(avg=110), exact=False) == {}  # real time: nobody knows
    assert marked(measured(avg=100), measured(avg=110), measured(avg=111)) == {"avg": (0,), "max": (0,)}
    assert marked(measured(avg=100), measured(avg=100), measured(avg=111)) == {"avg": (0, 1), "max": (0, 1)}


def test_repeated_runs_are_told_apart_by_their_interval() -> None:
    assert marked(measured(5), measured(5, 110), exact=False) == {"avg": (0,), "max": (0,)}
    assert marked(measured(5), measured(5, 100.5), exact=False) == {}  # less than a hundredth
    assert marked(measured(2), measured(2, 100.8), exact=False) == {}


def test_a_maximum_of_few_samples_is_not_the_best_beside_many() -> None:
    assert marked(measured(5, n=250), measured(5, 130, n=100_000)) == {"avg": (0,)}
    assert marked(measured(5, n=100_000), measured(5, 130, n=250)) == {"avg": (0,), "max": (0,)}
    rates = measured(5, 130, n=100_000, unit="1/s"), measured(5, 100, n=250, unit="1/s")
    assert marked(*rates) == {"avg": (0,)}  # of rates the largest is the better one
