"""Results in virtual time without a path: what unrelated changes do to them passes, what makes them longer does not.
The samples are of Debian's 6.12 PREEMPT_RT kernel, the quick profile, without and with loglevel=3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rtgauge.gate import judge
from rtgauge.gate.paths import path_of
from rtgauge.gate.reading import parse
from rtgauge.gate.spread import is_blind, joined, spread_of
from rtgauge.gate.text import advice, write
from rtgauge.gate.values import Judged, Key, Line, Side
from tests.gate.sides import exact, key, virtual

LAT = [264] * 3 + [266] * 5 + [267] * 2 + [268] * 5 + [270, 272, 272, 274, 996]
LAT_AGAIN = [264] * 2 + [265] + [266] * 5 + [268] * 4 + [269] * 3 + [270, 272, 272, 272, 993]
FIRST = [394, 394, 396, 396, 396, 398, 398, 399, 1123, *[1350] * 4, 1351, 1351, 1352, 1352, 1353, 1354, 1354]
FIRST_AGAIN = [394, 394, 395, *[396] * 6, 398, 1123, *[1350] * 5, 1351, 1351, 1351, 1352]
TICK = [395, 396, 399, 399, 401, 403, 672, 838, 904, 940, 1127, 1194, 1206, 1334, 1558, 1731, 1778, 1999, 2190, 2603]
TICK_AGAIN = [399, 401, 406, 406, 406, 688, 822, 1128, 1130, 1160, 1298, 1312, 1486, 1520, 1774, 1925, 2004, 2511, 2854]
MIX = [286, 286, 286, 73900, 74000, 74704, 75000, 75200, 76000, 76146]
OVER = [(float("-inf"), float("inf"))]


def line(values: list[int] | list[float], at: Key | None = None, unit: str = "instr") -> Line:
    found, more = np.array(values, dtype=float), unit == "1/s"
    return exact(
        None,
        at or key("IRQ-P-LAT"),
        unit=unit,
        n=len(values),
        medians=(float(np.median(found)),),
        paths=(path_of(found, OVER, more),),
        spread=spread_of(found, more),
        tail="",
        tails=(),
    )


def judged(run: Side, base: Side) -> Judged:
    (one,) = judge(run, parse(write(base), "base.txt")).judged
    return one


BATCH, RATE = key("SMP-P-SCL", "batch"), key("SMP-P-SCL", "rate")


@pytest.mark.parametrize(
    ("run", "base", "what"),
    [
        (line([2033029], BATCH), line([2033006], BATCH), "median"),
        (line([1830616], BATCH), line([1827307], BATCH), "median"),
        (line([34960.909], RATE, "1/s"), line([35024.219], RATE, "1/s"), "median"),
        (line([49958891, 49958918, 49958945]), line([49958918, 49958918, 49958891]), "median"),
        (line(LAT_AGAIN), line(LAT), "median"),
        (line(FIRST_AGAIN), line(FIRST), "p10"),
        (line(TICK_AGAIN), line(TICK), "p10"),
        (line(MIX[1:]), line(MIX), "min"),
    ],
)
def test_what_an_unrelated_change_does_is_equal(run: Line, base: Line, what: str) -> None:
    for one in (judged(virtual(run), virtual(base)), judged(virtual(base), virtual(run))):
        assert (one.what, one.verdict) == (what, "equal")


@pytest.mark.parametrize("values", [LAT, FIRST, TICK, MIX, [2033006], [5002299] * 3 + [5004897] * 2])
def test_what_makes_all_samples_longer_is_seen(values: list[int]) -> None:
    longer = virtual(line([267 * one / 100 for one in values]))
    assert judge(longer, virtual(line(values))).ruling() == "fail"
    assert judge(virtual(line(values)), longer).judged[0].verdict == "faster"


def test_of_interrupts_with_20_samples_a_tenth_is_seen_and_the_nearest_figures_are_told() -> None:
    one = judged(virtual(line([one + 30 for one in LAT])), virtual(line(LAT)))
    assert (one.what, one.verdict, one.limit) == ("median", "slower", "+2%")
    assert (one.base, one.run) == (270, 296)


def test_a_rate_is_worse_when_lower_and_a_property_either_way() -> None:
    rate = virtual(line([35024.0], RATE, "1/s"))
    assert judged(virtual(line([34000.0], RATE, "1/s")), rate).verdict == "slower"
    assert judged(virtual(line([36000.0], RATE, "1/s")), rate).verdict == "faster"
    at = key("THR-B-RR", "slice")
    for factor in (0.9, 1.1):
        assert judged(virtual(line([factor * 5e7], at)), virtual(line([5e7], at))).verdict == "changed"


def test_a_limit_that_is_wider_than_the_margin_counts() -> None:
    base = replace(line([1000], BATCH), limit="+10%")
    assert [judged(virtual(line([n], BATCH)), virtual(base)).verdict for n in (1100, 1101)] == ["equal", "slower"]
    assert judged(virtual(line([1021], BATCH)), virtual(line([1000], BATCH))).verdict == "slower"


def test_what_a_search_finds_moves_by_its_steps() -> None:
    """5501 to 7813 ns were found by runs of one kernel."""
    at = key("IRQ-S-SUS", "shortest-period")
    one = virtual(line([5501], at))
    assert [judged(virtual(line([n], at)), one).verdict for n in (7813, 9766)] == ["equal", "slower"]
    runs = [line([n], at) for n in (7813, 5501, 6877, 6251, 6501)]
    five = replace(runs[0], medians=tuple(run.medians[0] for run in runs), spread=joined([run.spread for run in runs]))
    assert judged(virtual(line([5501 * 2.67], at)), virtual(five, runs=5)).verdict == "slower"
    assert judged(virtual(line([8800], at)), virtual(five, runs=5)).verdict == "equal"


def test_ten_samples_make_a_path_and_fewer_do_not() -> None:
    for count, what in ((10, "path"), (9, "median")):
        values = [1540] * count
        assert judged(virtual(line([1541] * count)), virtual(line(values))).what == what


def test_a_base_on_which_nothing_can_be_seen_is_told_and_undecided() -> None:
    wild: dict[str, Any] = {"spread": ((100.0, 900.0),) * 3}
    base = virtual(replace(line(LAT), **wild), replace(line(TICK, key("IRQ-P-DLT")), limit="none", **wild))
    (note, _) = advice(base)
    assert note.startswith("a gate is undecided on IRQ-P-LAT release, whose samples differ so much")
    assert "limit=none" in note
    outcome = judge(virtual(line(LAT), line(TICK, key("IRQ-P-DLT"))), parse(write(base), "base.txt"))
    assert [(one.verdict, one.key.id) for one in outcome.judged] == [("undecided", "IRQ-P-LAT")]
    assert outcome.ruling() == "undecided"
    assert len(advice(virtual(line(LAT)))) == 1


def test_zero_is_a_figure() -> None:
    missed = line([0, 0], key("SCD-S-UTL", "missed"))
    assert not is_blind(missed, "less", "+0")
    assert judged(virtual(line([0, 0], missed.key)), virtual(missed)).verdict == "equal"
    assert judged(virtual(line([1, 1], missed.key)), virtual(missed)).verdict == "slower"


def test_a_baseline_without_spread_is_judged_by_its_medians() -> None:
    base = virtual(replace(line(LAT), spread=()))
    assert judged(virtual(line(LAT_AGAIN)), base).verdict == "equal"
    assert judged(virtual(line([2 * one for one in LAT])), base).verdict == "slower"
