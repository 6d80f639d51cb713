"""The steps by which bands are found, each against its definition written out."""

from __future__ import annotations

import math
from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.stats import clusters
from tests.support.series import make_view

# ---- bins ----


def densest(ordered: list[float]) -> tuple[float, float]:
    span = max(1, len(ordered) // 4)
    if len(ordered) == 1:
        return ordered[0], 0.0
    first, last = min(
        ((ordered[i], ordered[i + span]) for i in range(len(ordered) - span)), key=lambda ends: ends[1] - ends[0]
    )
    return (first + last) / 2, last - first


@given(st.lists(st.integers(-1000, 10**6), min_size=1, max_size=60))
def test_the_densest_part_is_the_narrowest_quarter(values: list[int]) -> None:
    ordered = sorted(map(float, values))
    assert clusters._densest(np.array(ordered)) == densest(ordered)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 3, 6, 9, 12], 1),
        ([0, 3, 6, 9, 12, 15], 3),
        ([0, 3, 3, 3, 6, 9, 12], 1),
        ([0, 3, 3, 6, 9, 12, 12, 15], 3),
        ([5, 26, 47, 68, 69, 90], 1),
        ([5, 26, 47, 68, 70, 90], 2),
        ([7], 1),
    ],
)
def test_the_step_of_a_clock_shows_in_five_distances(values: list[int], expected: int) -> None:
    assert clusters._smallest_step(np.array(values, float)) == expected


def edges(ticks: list[int], resolution: int) -> list[int]:
    """Evenly spaced by the arcus sinus of the distance from the densest part in its width, on whole steps."""
    ordered = sorted(ticks)
    centre, width = densest(list(map(float, ordered)))
    apart = [later - earlier for earlier, later in pairwise(ordered) if later > earlier]
    step = max(resolution, min(apart) if len(apart) >= 5 else 1)
    width = max(width, step)
    low, high = (math.asinh((end - centre) / width) for end in (ordered[0], ordered[-1]))
    pieces = 1 + int((high - low) * 7)
    made = [ordered[0]]
    for i in range(1, pieces):
        exact = centre + width * math.sinh(low + (high - low) * i / pieces)
        snapped = made[0] + step * round((exact - made[0]) / step)
        if made[-1] < snapped <= ordered[-1]:
            made.append(snapped)
    return [*made, ordered[-1] + 1]


@pytest.mark.parametrize("resolution", [1, 10])
@pytest.mark.parametrize("seed", range(8))
def test_edges_are_the_definition(seed: int, resolution: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 400))
    heaps = [
        rng.normal(5000, 60, n),
        rng.pareto(1.2, n) * 900,
        rng.integers(0, 9, n) * 26,
        10**6 - rng.lognormal(8, 1, n),
    ]
    for ticks in heaps:
        whole = ticks.astype(np.int64).tolist()
        assert clusters._edges(make_view(whole, resolution=resolution)).tolist() == edges(whole, resolution)


def test_edges_of_samples_that_are_all_equal() -> None:
    assert clusters._edges(make_view([5] * 9)).tolist() == [5, 6]


def test_edges_of_the_extremes_of_64_bits() -> None:
    found = clusters._edges(make_view([-(2**63), 0, 0, 1, 2, 2**63 - 1])).tolist()
    assert (found[0], found[-1]) == (-(2**63), 2**63)
    assert {type(edge) for edge in found} == {int}
    assert all(earlier < later for earlier, later in pairwise(found))


def test_of_many_samples_some_give_the_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = np.random.default_rng(2).normal(5000, 60, 1000).astype(np.int64)
    ordered = np.sort(ticks)
    some = [int(ordered[i * 999 // 49]) for i in range(50)]
    monkeypatch.setattr(clusters, "_QUANTILES", 50)
    assert clusters._edges(make_view(ticks)).tolist() == edges(some, 1)


# ---- hollows ----


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30))
def test_counts_are_smoothed_over_five_bins(counts: list[int]) -> None:
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_valleys", lambda smooth: seen.append(smooth.tolist()) or [])
        assert clusters._hollows(np.array(counts), 5) == []
    weights = {-2: 1, -1: 2, 0: 3, 1: 2, 2: 1}
    n = len(counts)
    assert seen[0] == pytest.approx(
        [sum(w * counts[i + k] for k, w in weights.items() if 0 <= i + k < n) / 9 for i in range(n)]
    )


def test_the_weakest_hollow_goes_first_and_the_others_are_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []

    def strength(_counts: object, _smooth: object, cuts: list[int], i: int, smallest: int) -> float:
        judged.append((tuple(cuts), i, smallest))
        return {(3, 6, 9): [2.0, 0.5, 0.8], (3, 9): [1.0, 1.5]}[tuple(cuts)][i]

    monkeypatch.setattr(clusters, "_valleys", lambda _: [3, 6, 9])
    monkeypatch.setattr(clusters, "_strength", strength)
    assert clusters._hollows(np.arange(12), 7) == [3, 9]
    assert judged == [((3, 6, 9), 0, 7), ((3, 6, 9), 1, 7), ((3, 6, 9), 2, 7), ((3, 9), 0, 7), ((3, 9), 1, 7)]


def valleys(smooth: list[int]) -> list[int]:
    """Between two neighbouring local maxima, a plateau counting from its first bin, the middle one of the lowest."""
    runs = [(value, len(list(group))) for value, group in groupby(smooth)]
    starts = np.cumsum([0, *(length for _, length in runs)]).tolist()
    around = [-1, *(value for value, _ in runs), -1]
    tops = [start for start, (a, b, c) in zip(starts, zip(around, around[1:], around[2:])) if a < b > c and b > 0]  # noqa: B905
    found = []
    for left, right in pairwise(tops):
        least = min(smooth[left : right + 1])
        lowest = [i for i in range(left, right + 1) if smooth[i] == least]
        found.append(lowest[len(lowest) // 2])
    return found


@given(st.lists(st.integers(0, 4), min_size=1, max_size=25))
def test_valleys_are_between_neighbouring_heaps(smooth: list[int]) -> None:
    assert clusters._valleys(np.array(smooth, float)) == valleys(smooth)


@pytest.mark.parametrize(("rest", "expected"), [([], True), ([3, 3], True), ([3, 2, 9], True), ([3, 4, 1], False)])
def test_the_end_counts_as_lower(rest: list[int], expected: bool) -> None:
    assert clusters._falls_after(np.array([9, 1, 3, *rest], float), 2) is expected


def strength(counts: list[int], smooth: list[float], cuts: list[int], i: int, smallest: int) -> float:
    bounds = [0, *cuts, len(counts)]
    left, here, right = bounds[i : i + 3]
    if min(sum(counts[left:here]), sum(counts[here:right])) < smallest:
        return 0.0
    density = min(max(smooth[left:here]), max(smooth[here:right]))
    if not density:
        return 0.0
    limit = density / 4
    if smooth[here] >= limit and smooth[here - 1] >= limit:
        return limit / 2 / smooth[here]
    first = here
    while first > left and smooth[first - 1] < limit:
        first -= 1
    end = here
    while end < right and smooth[end] < limit:
        end += 1
    due, found = density * (end - first), sum(counts[first:end])
    if found >= due:
        return 0.0
    # The chance of at most `found` where `due` were expected is below e to the power of minus this.
    bound = due - found + (found * math.log(found / due) if found else 0)
    return bound / math.log(1e6)


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from([0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 30.0])), min_size=4, max_size=20
    ),
    st.data(),
)
def test_the_strength_of_a_hollow_is_the_definition(bins: list[tuple[int, float]], data: st.DataObject) -> None:
    counts, smooth = [one[0] for one in bins], [one[1] for one in bins]
    cuts = sorted(data.draw(st.sets(st.integers(1, len(bins) - 1), min_size=1, max_size=3)))
    i, smallest = data.draw(st.integers(0, len(cuts) - 1)), data.draw(st.integers(1, 40))
    found = clusters._strength(np.array(counts), np.array(smooth), cuts, i, smallest)
    assert found == pytest.approx(strength(counts, smooth, cuts, i, smallest), rel=1e-12)


@pytest.mark.parametrize(
    ("counts", "smooth", "expected"),
    [
        ([9, 0, 0, 0, 9], [8, 0, 0, 0, 8], 24 / math.log(1e6)),  # three empty bins where eight each were due
        ([9, 1, 0, 1, 9], [8, 1, 1, 1, 8], (24 - 2 + 2 * math.log(2 / 24)) / math.log(1e6)),
        ([9, 9, 6, 9, 9], [8, 8, 4, 8, 8], 0.25),  # not deep: half of what a quarter of the density is to it
        ([9, 9, 30, 9, 9], [8, 8, 1, 8, 8], 0.0),  # fuller than it looks
        ([9, 9, 8, 9, 9], [8, 8, 1, 8, 8], 0.0),  # as full as without a hollow
        ([9, 0, 0, 0, 4], [8, 0, 0, 0, 8], 0.0),  # too few above
        ([9, 0, 0, 0, 5], [8, 0, 0, 0, 8], 24 / math.log(1e6)),
        ([9, 9, 0, 9, 9], [8, 8, 2, 8, 8], 0.5),  # a quarter is not below a quarter
        ([9, 9, 6, 9, 9], [0.8, 0.8, 0.4, 0.8, 0.8], 0.25),
        ([9, 9, 9, 9, 9], [1, 8, 8, 8, 8], 0.125),  # what is low before it is another hollow
    ],
)
def test_how_sure_a_hollow_is(counts: list[int], smooth: list[float], expected: float) -> None:
    assert clusters._strength(np.array(counts), np.array(smooth, float), [2], 0, 5) == pytest.approx(expected)


# ---- bands ----


@pytest.mark.parametrize(
    ("n", "above", "expected"),
    [(99, 3, [96, 3]), (99, 2, [99]), (100, 3, [100]), (100, 4, [100]), (100, 5, [95, 5]), (3000, 5, [2995, 5])],
)
def test_a_band_has_five_samples_or_three_of_few(n: int, above: int, expected: list[int]) -> None:
    ticks = 1000 + np.random.default_rng(1).integers(0, 60, n)
    ticks[:above] = 50_000 + np.arange(above)
    assert [one["count"] for one in clusters.compute(make_view(ticks))] == expected
