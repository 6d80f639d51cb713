"""Virtual time: the path to the instruction, and the tail by replicas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rtgauge.gate import judge
from rtgauge.gate.paths import path_of
from rtgauge.gate.values import Judged, Line, Path, Side
from tests.gate.sides import exact, key, virtual


def path(run: Side, base: Side) -> Judged:
    return judge(run, base).judged[0]


@pytest.mark.parametrize(("now", "verdict"), [(1774, "slower"), (1772, "faster"), (1773, "equal")])
def test_one_instruction_is_seen(now: int, verdict: str) -> None:
    one = path(virtual(exact(now)), virtual(exact(1773)))
    assert (one.what, one.verdict, one.base, one.run, one.difference) == ("path", verdict, 1773, now, now - 1773)


def test_a_limit_in_instructions_and_in_percent() -> None:
    run = virtual(exact(1810))
    assert path(run, virtual(exact(1773, limit="+37"))).verdict == "equal"
    assert path(run, virtual(exact(1773, limit="+36"))).verdict == "slower"
    assert path(run, virtual(exact(1773, limit="+3%"))).verdict == "equal"


def replicas(*values: float | None, share: float = 0.99) -> Line:
    paths = tuple(exact(one, share=share).paths[0] for one in values)
    shown = tuple(float(one or 0) for one in values)
    return exact(1773, medians=shown, tails=shown, paths=paths)


def test_a_run_is_worse_where_it_is_beyond_every_replica() -> None:
    base = virtual(replicas(1773, 1780), runs=2)
    assert path(virtual(exact(1780)), base).verdict == "equal"
    assert path(virtual(exact(1781)), base).verdict == "slower"
    assert path(virtual(exact(1772)), base).verdict == "faster"
    assert path(virtual(replicas(1773, 1900), runs=2), base).verdict == "equal"
    assert path(virtual(replicas(1800, 1900), runs=2), base).difference == 20


def test_a_path_that_was_left_for_many_values_fails_by_its_median() -> None:
    run = exact(None, medians=(1836.0,), paths=(Path(None, 0.0, ((1773.0, 0.02), (1800.0, 0.02))),))
    one = path(virtual(run), virtual(exact(1773)))
    assert (one.what, one.verdict, one.difference) == ("median", "slower", 63)


def test_without_a_clear_path_nothing_passes() -> None:
    half = ((1773.0, 0.5), (1810.0, 0.49))
    one = path(virtual(exact(None, medians=(1773.0,), paths=(Path(None, 0.0, half),))), virtual(exact(1773)))
    assert one.verdict == "undecided"
    over = ((1773.0, 0.497), (1810.0, 0.495))  # half is left: not enough to call the path another
    one = path(virtual(exact(None, medians=(1810.0,), paths=(Path(None, 0.0, over),))), virtual(exact(1773)))
    assert one.verdict == "undecided"
    assert judge(virtual(exact(1773, paths=())), virtual(exact(1773))).ruling() == "undecided"


def test_samples_that_leave_the_path_are_seen_where_replicas_say_how_many_do() -> None:
    base, run = virtual(replicas(*[1773] * 5), runs=5), virtual(replicas(*[1773] * 5, share=0.6), runs=5)
    one = path(run, base)
    assert (one.verdict, one.why) == ("slower", "fewer samples take the path of 1773: 99 % -> 60 %")
    assert path(virtual(exact(1773, share=0.6)), base).verdict == "equal"  # one run: the phase of the tick
    assert path(run, virtual(exact(1773))).verdict == "equal"
    assert path(virtual(replicas(*[1773] * 5, share=0.95), runs=5), base).verdict == "equal"


def test_of_two_clusters_the_one_that_counts_may_follow_the_phase() -> None:
    base = exact(2573, share=0.72)
    run = exact(1773, paths=(Path(1773.0, 0.45, ((1773.0, 0.45), (2573.0, 0.4))),))
    assert path(virtual(run), virtual(base)).verdict == "equal"
    gone = exact(1773, paths=(Path(1773.0, 0.75, ((1773.0, 0.75), (2573.0, 0.1))),))
    assert path(virtual(gone), virtual(base)).verdict == "faster"


def test_the_tail_needs_replicas_that_differ() -> None:
    base = virtual(exact(1773, tails=(2500.0, 2510.0, 2490.0, 2505.0, 2495.0)), runs=5)
    later = virtual(exact(1773, tails=(3500.0, 3510.0, 3490.0, 3505.0, 3495.0)), runs=5)
    assert [one.verdict for one in judge(later, base).judged] == ["equal", "slower"]
    assert [one.verdict for one in judge(base, base).judged] == ["equal", "equal"]
    identical = virtual(exact(1773, tails=(3500.0,) * 5), runs=5, varied=False)
    tail = judge(identical, base).judged[1]
    assert (tail.verdict, "one run here" in tail.why) == ("unjudged", True)


# ---- the path of samples --------------------------------------------------------------------------------------------

EVERY = [(float("-inf"), float("inf"))]


def test_the_path_is_the_mode_of_the_undisturbed_cluster() -> None:
    values = np.array([1773.0] * 40 + [1775.0] * 10 + [2573.0] * 50)
    found = path_of(values, [(1773.0, 1775.0), (2573.0, 2573.0)])
    assert (found.value, found.share, found.taken) == (1773.0, 0.4, ((2573.0, 0.5), (1773.0, 0.4), (1775.0, 0.1)))
    assert path_of(values, [(1773.0, 1775.0), (2573.0, 2573.0)], more_is_better=True).value == 2573.0


def test_a_small_cluster_below_is_not_the_path() -> None:
    values = np.array([1500.0] * 5 + [1773.0] * 95)
    assert path_of(values, [(1500.0, 1500.0), (1773.0, 1773.0)]).value == 1773.0


@pytest.mark.parametrize("values", [[1.0] * 50 + [2.0] * 45, list(map(float, range(100)))], ids=["two", "many"])
def test_where_no_value_stands_out_there_is_no_path(values: list[float]) -> None:
    assert path_of(np.array(values), EVERY).value is None


def test_of_a_comb_the_path_is_the_shortest_tooth() -> None:
    values = np.array([421.0 + 5 * (i % 8) for i in range(100)] + [3030.0])
    assert path_of(values, [(421.0, 456.0), (3030.0, 3030.0)]).value == 421.0
    assert path_of(values + 1, [(422.0, 457.0), (3031.0, 3031.0)]).value == 422.0
    assert path_of(values, EVERY, more_is_better=True).value == 456.0
    side_by_side = [np.array([3548.0 + 2 * (i % teeth) for i in range(1000)]) for teeth in (10, 40)]
    assert [path_of(one, EVERY).value for one in side_by_side] == [None, 3548.0]
    assert path_of(np.array([398.0 + i % 22 for i in range(1000)]), EVERY).value is None


@pytest.mark.parametrize(
    "counts", [[12] * 4, [4] * 30, [3, *[20] * 8], [*[12] * 8, *[1] * 30]], ids=["few", "thin", "rare", "between"]
)
def test_what_may_be_a_comb_by_chance_is_none(counts: list[int]) -> None:
    values = np.repeat(100.0 + 5 * np.arange(len(counts)), counts)
    assert path_of(values, EVERY).value is None


def test_values_that_do_not_lie_evenly_are_no_comb() -> None:
    assert path_of(np.repeat([3197.0, 3209.0, 3221.0, 3227.0, 3239.0, 3251.0], 20), EVERY).value is None


def test_a_run_without_a_path_that_still_takes_that_of_the_base_is_equal() -> None:
    base = virtual(exact(3197, share=0.72))
    for share, what in ((0.37, "path"), (0.35, "median")):
        run = exact(None, medians=(3209.0,), paths=(Path(None, 0.0, ((3197.0, share), (3209.0, 0.2))),))
        assert (path(virtual(run), base).what, path(virtual(run), base).verdict) == (what, "equal")


def test_of_several_ways_which_the_most_take_is_no_path() -> None:
    """As addresses or the tick say: deleting a thread takes 62 % of the samples 67603, or 50 % of them 67616."""
    run = virtual(exact(67616, paths=(Path(67616.0, 0.5, ((67616.0, 0.5), (67603.0, 0.08))),)))
    for base in (virtual(exact(67603, share=0.62)), virtual(replicas(*[67603] * 5, share=0.62), runs=5)):
        base = replace(base, lines={at: replace(line, medians=(67603.0,)) for at, line in base.lines.items()})
        assert (path(run, base).what, path(run, base).verdict) == ("median", "equal")
    assert (path(run, virtual(exact(67603, share=0.71))).what) == "path"


def test_a_comb_in_both_is_compared_to_the_instruction() -> None:
    def comb(first: float) -> Side:
        values = np.array([first + 5 * (i % 8) for i in range(100)])
        return virtual(exact(1, paths=(path_of(values, EVERY),)))

    assert path(comb(421), comb(421)).verdict == "equal"
    assert (path(comb(422), comb(421)).verdict, path(comb(422), comb(421)).difference) == ("slower", 1)


@pytest.mark.parametrize("values", [[], [1.0, float("nan")], [float("inf")]])
def test_samples_that_are_none(values: list[float]) -> None:
    with pytest.raises(ValueError, match="not finite"):
        path_of(np.array(values), EVERY)


def test_paths_of_rates_are_worse_when_lower() -> None:
    at = key("MSG-P-THR", "rate")
    assert path(virtual(exact(900, at, unit="MB/s")), virtual(exact(1000, at, unit="MB/s"))).verdict == "slower"
