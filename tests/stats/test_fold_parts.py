"""Each step of the search for a period as its definition in plain Python, on few loops; and its limits."""

from __future__ import annotations

import math
from statistics import median
from typing import Any

import numpy as np
import pytest

from rtgauge.stats import fold as module
from rtgauge.stats.fold import Guess, fold, guess, parts

SEEDS = range(6)
Loops = tuple[np.ndarray, np.ndarray, np.ndarray]


def loops(seed: int, n: int = 700, period: float = 5.3, noise: float = 0.15, from_s: float = 100.0) -> Loops:
    """Loops about 1 long, with pauses; those that hold an instant are disturbed, and some others."""
    rng = np.random.default_rng(seed)
    length = rng.uniform(0.9, 1.1, n)
    pause = rng.uniform(0, 0.05, n) + (rng.random(n) < 0.01) * rng.uniform(0, 60, n)
    begin = from_s + np.cumsum(length + pause) - length
    end = begin + length
    return begin, end, np.array(held(begin, end, period, 0.7)) & (rng.random(n) < 0.8) | (rng.random(n) < noise)


def held(begin: np.ndarray, end: np.ndarray, period: float, phase: float) -> list[bool]:
    return [
        math.floor((to - phase) / period) > math.floor((at - phase) / period)
        for at, to in zip(begin.tolist(), end.tolist(), strict=True)
    ]


# ---- the phase ------------------------------------------------------------------------------------------------------


def phase_by_definition(found: Loops, period: float, length: float) -> tuple[float, float]:
    phases = math.ceil(period / length * 4)
    step = period / phases
    all_there, hit = [0] * phases, [0] * phases
    for begin, end, disturbed in zip(*(column.tolist() for column in found), strict=True):
        for instant in range(math.floor(begin / step) + 1, math.floor(min(end, begin + period) / step) + 1):
            all_there[instant % phases] += 1
            hit[instant % phases] += disturbed
    shares = [h / a if a and 2 * a >= max(all_there) else -1.0 for h, a in zip(hit, all_there, strict=True)]
    best = max(range(phases), key=lambda i: shares[i])
    return shares[best], best * step


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("period", [5.3, 2.01, 9.7])
def test_the_phase_with_the_largest_share(seed: int, period: float) -> None:
    begin, end, disturbed = loops(seed, n=12 if seed % 2 else 150, from_s=0.0)
    end[5] += 40 * (seed == 3)  # one that lasts for many periods
    for length in (1.0, 0.6):
        assert module._best_phase(begin, end, disturbed, period, length) == pytest.approx(
            phase_by_definition((begin, end, disturbed), period, length)
        )


def test_a_loop_of_many_periods_counts_once_and_takes_no_memory() -> None:
    begin, end = np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 4.0, 1e18])
    disturbed = np.array([False, True, False, False, True])
    assert module._best_phase(begin, end, disturbed, 2.0, 1.0) == (2 / 3, 0.0)


def test_a_phase_that_few_loops_hold_does_not_win() -> None:
    begin = np.array([0.0, 4.0, 8.0, 12.0, 1.0])
    order = np.argsort(begin)
    disturbed = np.array([True, True, False, True, True])[order]  # the last one alone at its phase
    assert module._best_phase(begin[order], begin[order] + 1, disturbed, 4.0, 1.0) == (0.75, 0.25)
    begin = np.array([0.0, 4.0, 1.0])  # half of the most is enough
    order = np.argsort(begin)
    disturbed = np.array([True, False, True])[order]
    assert module._best_phase(begin[order], begin[order] + 1, disturbed, 4.0, 1.0) == (1.0, 1.25)


# ---- the calmest stretches ------------------------------------------------------------------------------------------


def calmest_by_definition(begin: np.ndarray, disturbed: np.ndarray, span: float) -> list[float]:
    stretches: dict[int, list[int]] = {}
    for i, at in enumerate(begin.tolist()):
        stretches.setdefault(math.floor((at - float(begin[0])) / span), []).append(i)
    fullest = max(map(len, stretches.values()))

    def share(which: list[int]) -> float:
        hit = sum(disturbed[which].tolist())
        return hit / len(which) if hit and 2 * len(which) >= fullest else 2.0

    order = sorted(stretches.values(), key=share)[:8]
    usable = [which for which in order if share(which) <= 1] or order
    return [float(begin[which[0]]) for which in sorted(usable)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("span", "noise"), [(9.0, 0.3), (40.0, 0.1), (5.0, 0.01), (3000.0, 0.1)])
def test_the_calmest_stretches(seed: int, span: float, noise: float) -> None:
    begin, _, _ = loops(seed)
    disturbed = np.random.default_rng(seed).random(len(begin)) < noise
    assert module._calmest(begin, disturbed, span) == calmest_by_definition(begin, disturbed, span)


def test_stretches_without_a_disturbed_loop_or_with_few_loops_are_not_calm() -> None:
    begin = np.array([0, 1, 2, 3, 10, 11, 12, 13, 20, 30, 31], float)
    disturbed = np.array([0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1], bool)
    assert module._calmest(begin, disturbed, 10.0) == [0.0, 30.0]
    assert module._calmest(begin, disturbed & False, 10.0) == [0.0, 10.0, 20.0, 30.0]
    assert module._calmest(begin[8:9], disturbed[8:9], 10.0) == [20.0]


def test_a_pause_of_ages_is_not_searched() -> None:
    begin = np.array([0.0, 1.0, 1e15, 1e15 + 1])
    assert module._calmest(begin, np.array([True, False, True, True]), 8.0) == [0.0, 1e15]


# ---- the first guess ------------------------------------------------------------------------------------------------


def guess_by_definition(found: Loops, period: float) -> Guess:
    begin, end, disturbed = found
    length = median((end - begin).tolist())
    span = 32 * period
    zeros = calmest_by_definition(begin, disturbed, span)
    inside = [(begin >= zero) & (begin < zero + span) for zero in zeros]
    usual = [float(np.mean(disturbed[which])) for which in inside]
    error, tries = length / 2 / span, [0]
    for i in range(1, math.ceil(0.08 * span / length) + 1):
        tries.append((i + 1) // 2 * (1 if i % 2 else -1))
    best = None
    for count in tries:
        candidate = period * (1 + count * error)
        phases = [
            phase_by_definition((begin[w] - z, end[w] - z, disturbed[w]), candidate, length)
            for z, w in zip(zeros, inside, strict=True)
        ]
        if best is None or sum(p[0] for p in phases) > sum(p[0] for p in best[1]):
            best = candidate, phases
    assert best is not None
    above = [share - u for (share, _), u in zip(best[1], usual, strict=True)]
    clearest = above.index(max(above))
    return Guess(sum(above) / len(above), best[0], best[1][clearest][1], zeros[clearest], span)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("error", [0.985, 1.0, 1.012])
def test_the_first_guess(seed: int, error: float) -> None:
    found = loops(seed)
    seen, due = guess(*found, 5.3 * error), guess_by_definition(found, 5.3 * error)
    assert vars(seen) == {name: pytest.approx(value, rel=1e-12) for name, value in vars(due).items()}


def test_the_periods_that_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []
    monkeypatch.setattr(module, "_best_phase", lambda *args: (tried.append(args[3]) or 0.0, 0.0))
    begin = np.arange(40.0) * 2  # half a loop of 2 more or less at the end of 32 periods of 10, up to 2 % of 320
    assert guess(begin, begin + 2, begin == 8, 10.0).period == 10
    due = [0.0, *(sign * i for i in range(1, 7) for sign in (1, -1)), 7.0]
    assert tried == pytest.approx([10 + each / 32 for each in due])


@pytest.mark.parametrize("period", [0.5, 1.0, 400.5, 1e18, -3.0, math.nan])
def test_a_period_of_too_few_or_too_many_loops_is_left_alone(period: float) -> None:
    begin = np.arange(3.0, 5000.0)
    left = guess(begin, begin + 1, begin % 50 == 0, period)
    assert (left.contrast, left.phase, left.zero, left.span) == (0.0, 0.0, 3.0, math.inf)
    assert left.period == pytest.approx(period, nan_ok=True)
    assert fold(begin, begin + 1, begin % 50 == 0, left) == pytest.approx((period, 3.0), nan_ok=True)


def test_loops_that_take_no_time_tell_nothing() -> None:
    begin = np.arange(20.0)
    assert guess(begin, begin, begin % 4 == 0, 4.0).span == math.inf


def test_the_limits_of_what_is_looked_for() -> None:
    begin = np.arange(5000.0)
    assert guess(begin, begin + 1, begin % 400 == 0, 400.0).contrast > 0.9
    assert guess(begin, begin + 1, begin % 2 == 0, 1.01).span == pytest.approx(32 * 1.01)


# ---- all loops ------------------------------------------------------------------------------------------------------


def fold_by_definition(found: Loops, first: Guess) -> tuple[float, float]:
    begin, end, disturbed = found
    length, usual = median((end - begin).tolist()), float(np.mean(disturbed))
    period, phase, span = first.period, first.phase, first.span
    start, stop = begin - first.zero, end - first.zero

    def score(which: np.ndarray, period: float, phase: float) -> float:
        at = np.array(held(start[which], stop[which], period, phase), bool)
        return int(np.sum(disturbed[which][at])) - usual * int(np.sum(at))

    def by_size(most: int) -> list[float]:
        return [0.0, *(sign * i / 4 for i in range(1, most + 1) for sign in (-1, 1))]

    inside = (begin >= first.zero) & (begin < first.zero + span)
    while True:
        tries = [(period + d * length * period / span, phase + s * length) for d in by_size(6) for s in by_size(2)]
        scores = [score(inside, *one) for one in tries]
        period, phase = tries[scores.index(max(scores))]
        if np.all(inside):
            break
        span *= 2
        inside = (begin >= first.zero - span) & (begin < first.zero + span)
    fitted = fit_by_definition((start + length / 2)[disturbed], length, period, phase)
    if score(inside, *fitted) > score(inside, period, phase):
        period, phase = fitted
    return period, first.zero + math.fmod(phase, period)


def fit_by_definition(middle: np.ndarray, length: float, period: float, phase: float) -> tuple[float, float]:
    for _ in range(3):
        points = [(round((at - phase) / period), at) for at in middle.tolist()]
        near = [(k, at) for k, at in points if abs(at - phase - k * period) < length]
        if len({k for k, _ in near}) < 2:
            break
        period, phase = map(float, np.polyfit(*zip(*near, strict=True), 1))
    return period, phase


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("error", "shift", "zero"), [(1.0, 0.0, 100.0), (1.002, 0.3, 260.0), (0.9985, -0.4, 420.0)])
def test_period_and_phase_over_all_loops(seed: int, error: float, shift: float, zero: float) -> None:
    found = loops(seed, n=500)
    zero = float(found[0][np.searchsorted(found[0], zero)])
    first = Guess(0.5, 5.3 * error, math.fmod(0.7 + shift - zero, 5.3), zero, 32 * 5.3)
    assert fold(*found, first) == pytest.approx(fold_by_definition(found, first), rel=1e-9)


def test_what_is_tried_over_a_stretch(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[float, float]] = []

    def holds(*args: Any) -> np.ndarray:
        tried.append(args[2:])
        return np.zeros(len(args[0]), bool)

    monkeypatch.setattr(module, "holds_instant", holds)
    begin = np.arange(50.0) * 2
    first = Guess(0.5, 10.0, 3.0, 0.0, 320.0)
    assert fold(begin, begin + 2, begin < 0, first) == (10.0, 3.0)  # of equal ones the first
    drifts = [0.0, *(sign * i / 4 for i in range(1, 7) for sign in (-1, 1))]
    shifts = [0.0, -0.25, 0.25, -0.5, 0.5]
    due = [(10 + drift * 2 / 32, 3 + shift * 2) for drift in drifts for shift in shifts]
    assert tried[: len(due)] == [pytest.approx(each) for each in due]
    assert tried[len(due) :] == [(10.0, 3.0)] * 2  # and the fit, which has no point


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fit(seed: int) -> None:
    begin, _, disturbed = loops(seed, n=300)
    middle = begin[disturbed] + 0.5
    assert module._fitted(middle, 1.0, 5.31, 0.9) == pytest.approx(fit_by_definition(middle, 1.0, 5.31, 0.9), rel=1e-9)


def test_a_fit_needs_two_instants() -> None:
    assert module._fitted(np.array([]), 1.0, 5.0, 0.5) == (5.0, 0.5)
    assert module._fitted(np.array([5.25, 5.75]), 1.0, 5.0, 0.5) == (5.0, 0.5)
    assert module._fitted(np.array([5.25, 10.75, 13.0]), 1.0, 5.0, 0.5) == (5.5, -0.25)
    assert module._fitted(np.array([0.5, 5.5, 11.5]), 1.0, 5.0, 0.5) == (5.0, 0.5)  # a loop away is not near


# ---- a multiple of the period ---------------------------------------------------------------------------------------


def disturbed_at(*instants: int, n: int = 24) -> np.ndarray:
    return np.isin(np.arange(n), instants)


@pytest.mark.parametrize(
    ("disturbed", "number"),
    [
        (disturbed_at(0, 12), 1),
        (disturbed_at(0, 6, 12, 18), 2),
        (disturbed_at(0, 4, 8, 12, 16, 20), 3),
        (disturbed_at(0, 4, 12, 16), 1),  # one of the two between was not
        (disturbed_at(0, 8, 12, 20), 1),
        (disturbed_at(0, 12, 6), 2),  # just half as often
        (disturbed_at(*range(24)), 1),
        (disturbed_at(), 1),
        (disturbed_at(6, 18), 1),  # more often between than at it
        (disturbed_at(6, 18, 1, 2, 3, 4, 5), 1),
        (disturbed_at(0, 12, 6, 1, 2, 3, 4, 5), 1),  # half as often, but less than half as much more than others
    ],
)
def test_what_a_period_is_a_multiple_of(disturbed: np.ndarray, number: int) -> None:
    begin = np.arange(24.0)
    assert parts(begin, begin + 1, disturbed, 12.0, 0.5) == number


def test_fewer_than_half_of_what_the_instants_have_is_too_little() -> None:
    begin = np.arange(36.0)
    assert parts(begin, begin + 1, disturbed_at(0, 12, 24, 6, n=36), 12.0, 0.5) == 1
    assert parts(begin, begin + 1, disturbed_at(0, 12, 24, 6, 18, n=36), 12.0, 0.5) == 2


def test_a_single_loop_at_the_instants_counts_as_one() -> None:
    begin = np.arange(18.0)
    assert parts(begin, begin + 1, disturbed_at(6, 0, 1, n=18), 12.0, 6.5) == 1  # one of the two between, and another


def test_a_period_that_no_loop_holds_is_of_one_part() -> None:
    begin = np.arange(5.0)
    assert parts(begin, begin + 1, begin > 2, 1000.0, -100.0) == 1
