"""Each step of telling the ticks as its definition in plain Python, on few loops; and its limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rtgauge.stats import ticks as module
from rtgauge.stats.fold import Guess
from rtgauge.stats.ticks import Told, compute, tell
from tests.support.series import make_samples, make_view

SEEDS = range(5)


# ---- lengths that are tried -----------------------------------------------------------------------------------------


def test_levels_leave_a_few_times_as_many_loops_as_ticks_can_hit() -> None:
    lengths = np.arange(101, 301)  # the median loop of 201 ns is 0.01 of the period
    assert module._levels(make_view(lengths), 201e-7) == [300 - 24, 300 - 12, 300 - 6, 300 - 3]
    assert module._levels(make_view(lengths), 201e-9 * 24) == [300 - 100, 300 - 50, 300 - 25, 300 - 12]
    assert module._levels(make_view(lengths), 201e-9 * 23) == [300 - 52, 300 - 26, 300 - 13]  # 12 of 23 are too many
    assert module._levels(make_view(lengths, scale=0.5), -201e-7) == []


def test_no_level_without_a_longer_loop() -> None:
    assert module._levels(make_view([5] * 7 + [9, 9, 9]), 5e-9 * 4) == [5]  # 3.75 of 10
    assert module._levels(make_view([5] * 7 + [9, 9, 9]), 5e-9 * 6) == [5]  # 2.5 and 5 of 10
    assert module._levels(make_view([5] * 7 + [8, 9, 10]), 5e-9 * 15) == [5, 8, 9]
    assert module._levels(make_view([5] * 7 + [9, 9, 10]), 5e-9 * 5) == [5]
    assert module._levels(make_view([5] * 9 + [9]), 5e-9 * 15) == [5]
    assert module._levels(make_view([5]), 5e-9 * 15) == []
    assert module._levels(make_view([0] * 8 + [9] * 2), 5e-9) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_the_length_that_tells_loops_at_ticks_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    at, other = np.sort(rng.integers(3, 12, 15)), np.sort(rng.integers(0, 9, 40))

    def contrast(length: int) -> float:
        return sum(v > length for v in at.tolist()) / len(at) - sum(v > length for v in other.tolist()) / len(other)

    lengths = sorted({*at.tolist(), *other.tolist()})
    best = max(lengths, key=lambda length: (round(contrast(length), 9), -length))
    assert module._best_level(at, other) == (best, pytest.approx(contrast(best)))


# ---- which loops ----------------------------------------------------------------------------------------------------


def told(monkeypatch: pytest.MonkeyPatch, period: float = 50e-9, phase: float = 15e-9, **view: Any) -> tuple[Any, Any]:
    """What is told of loops where the search finds these, and what the search was asked: (guess, fold, parts)."""
    asked: tuple[list[Any], ...] = ([], [], [])

    def guess(*args: Any) -> Guess:
        asked[0].append(args)
        return Guess({5: 0.3, 6: 0.9, 7: 0.5}.get(int(args[2].sum()), 0.0), 1.0, 2.0, 3.0, 4.0)

    monkeypatch.setattr(module, "guess", guess)
    monkeypatch.setattr(module, "fold", lambda *args: asked[1].append(args) or (period, phase))
    monkeypatch.setattr(module, "parts", lambda *args: asked[2].append(args) or 2)
    monkeypatch.setattr(module, "_levels", lambda *_: [12, 13, 14])
    lengths = np.array([10, 10, 20, 10, 13, 10, 20, 14, 14, 15, 16, 20])
    found = tell(make_view(lengths, **({"starts": np.arange(12) * 20, "tick_ns": 50} | view)))
    return found, asked


def test_what_is_searched_and_what_is_made_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found, (guesses, folds, divided) = told(monkeypatch)
    lengths = np.array([10, 10, 20, 10, 13, 10, 20, 14, 14, 15, 16, 20])
    begin = np.arange(12) * 20e-9
    assert [args[3] for args in guesses] == [50 / 1e9] * 3
    for args, level in zip(guesses, (12, 13, 14), strict=True):
        assert args[0].tolist() == pytest.approx(begin.tolist())
        assert args[1].tolist() == pytest.approx((begin + lengths * 1e-9).tolist())
        assert args[2].tolist() == (lengths > level).tolist()
    best = (lengths > 13).tolist()
    assert sum(best) == 7  # so 0.5
    assert [args[2].tolist() for args in folds] == [best]
    assert [args[3] for args in folds] == [Guess(0.5, 1.0, 2.0, 3.0, 4.0)]
    assert [(args[2].tolist(), *args[3:]) for args in divided] == [(best, 50e-9, 15e-9)]
    assert divided[0][0] is folds[0][0]
    assert divided[0][1] is folds[0][1]
    due = np.floor((begin + lengths * 1e-9 - 15e-9) / 25e-9) > np.floor((begin - 15e-9) / 25e-9)
    assert found.at_tick.tolist() == due.tolist()
    assert 0 < due.sum() < 12
    level, contrast = module._best_level(np.sort(lengths[due]), np.sort(lengths[~due]))
    assert found.disturbed.tolist() == (lengths > level).tolist()
    assert found.contrast == contrast


def test_where_all_loops_or_none_hold_an_instant_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, period=1e-9)[0] is None
    assert told(monkeypatch, period=1.0, phase=0.4)[0] is None


@pytest.mark.parametrize("tick_ns", [None, 0])
def test_without_a_tick_period_nothing_is_searched(monkeypatch: pytest.MonkeyPatch, tick_ns: int | None) -> None:
    assert told(monkeypatch, tick_ns=tick_ns) == (None, ([], [], []))


def test_loops_that_begin_together_are_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, starts=np.arange(12) // 2 * 40)[0] is not None
    assert told(monkeypatch, starts=np.r_[0, np.arange(11)])[0] is not None
    assert told(monkeypatch, starts=np.r_[1, np.arange(11)])[0] is None


@pytest.mark.parametrize("least", [0, 1])
def test_a_loop_may_be_shorter_than_the_clock_shows(least: int) -> None:
    lengths = np.where(np.arange(800) % 8 == 7, 30, 10)
    lengths[3] = least
    assert tell(make_view(lengths, starts=np.arange(800) * 30, tick_ns=240)) is not None
    lengths[3] = -1
    assert tell(make_view(lengths, starts=np.arange(800) * 30, tick_ns=240)) is None


@pytest.mark.parametrize("tick_ns", [1, -5, 4_000_000, 2**62])
@pytest.mark.parametrize("lengths", [[2**62] * 5, [1, 2**62, 3, 4] * 50, [0] * 10, [100] * 200 + [2**62], [5], [5, 6]])
def test_lengths_at_the_ends_of_the_range_are_answered(lengths: list[int], tick_ns: int) -> None:
    found = compute(make_view(lengths, tick_ns=tick_ns))
    assert 0 <= found["hits"] <= len(lengths)


def test_a_stamp_at_the_end_of_time_is_answered() -> None:
    lengths = [100_000, 100_000, 120_000] * 400
    starts = [*range(0, 1199 * 200_000, 200_000), 2**63]
    assert compute(make_view(lengths, starts=starts, tick_ns=4_000_000))["clean"] == 100_000


def test_32_bits_are_enough_for_a_limit_beyond_them() -> None:
    found = compute(make_view([2**31 - 1] * 60 + [5] * 40))
    assert (found["clean"], found["hits"], found["clean_spread"]) == (2**31 - 1, 0, 2**31 - 6)


# ---- the figures ----------------------------------------------------------------------------------------------------

LENGTHS = np.array(
    [100, 104, 98, 150, 107, 170, 100, 112, 133, 100, 101, 108, 160, 99, 109, 141, 100, 100, 103, 190, 110]
)
AUX = np.array([0, 0, 1, 0, 0, 1, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0])


def described(hit: list[int], clean: int, scale: float) -> dict[str, Any]:
    if not hit:
        return {"hits": 0, "typical": None, "worst": None}
    typical = sorted(hit)[(len(hit) + 1) // 2 - 1]
    return {"hits": len(hit), "typical": (typical - clean) * scale, "worst": (max(hit) - clean) * scale}


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(("overhead", "resolution"), [(0, 1), (7, 1), (7, 3)])
def test_the_figures(monkeypatch: pytest.MonkeyPatch, known: bool, overhead: int, resolution: int) -> None:
    at_tick, disturbed = np.arange(21) % 4 == 3, LENGTHS > 130
    monkeypatch.setattr(module, "tell", lambda _: Told(at_tick, disturbed, 0.12345678912) if known else None)
    view = make_view(LENGTHS, aux=AUX, overhead=overhead, resolution=resolution, scale=0.25)
    rows = list(zip(LENGTHS.tolist(), AUX.tolist(), at_tick.tolist(), disturbed.tolist(), strict=True))
    base = sorted(length for length, _, tick, _ in rows if not (known and tick))
    clean, fast = base[(len(base) + 1) // 2 - 1], base[-(-len(base) // 20) - 1]
    end = clean + 4 * max(clean - fast, resolution)
    seconds = (sum(LENGTHS.tolist()) - 21 * overhead) * 1e-9
    hit = [(length, aux) for length, aux, tick, hurt in rows if (tick and hurt if known else length > end)]
    other = [length for length, _, tick, hurt in rows if known and hurt and not tick]
    by_aux = {"0": described([length for length, aux in hit if not aux], clean, 0.25)}
    for number in (1, 2):
        by_aux[str(number)] = described(
            [length for length, aux, *_ in rows if aux == number and length > end], clean, 0.25
        )
    assert compute(view) == {
        "clean": (clean - overhead) * 0.25,
        "clean_spread": (max(length for length in LENGTHS.tolist() if length <= end) - 98) * 0.25,
        "rate_hz": pytest.approx(len(hit) / seconds),
        **described([length for length, _ in hit], clean, 0.25),
        "by_aux": by_aux,
        "others": {"rate_hz": pytest.approx(len(other) / seconds), **described(other, clean, 0.25)},
        "contrast": 0.123456789 if known else None,
    }


def test_a_loop_at_the_limit_is_clean() -> None:
    found = compute(make_view([100] * 30 + [104] + [105]))  # 4 of the resolution above the median
    assert (found["hits"], found["worst"], found["clean_spread"]) == (1, 5, 4)


@pytest.mark.parametrize("overhead", [10, 11])
def test_loops_that_took_no_time_have_no_rate(overhead: int) -> None:
    found = compute(make_view([10] * 40, overhead=overhead))
    assert (found["rate_hz"], found["others"]["rate_hz"]) == (None, None)


def test_a_clock_that_counts_down_has_a_rate() -> None:
    samples = make_samples(LENGTHS)
    object.__setattr__(samples, "tick_s", -samples.tick_s)
    found = compute(module.View(samples, *vars_of(make_view(LENGTHS))))
    assert found["rate_hz"] == compute(make_view(LENGTHS))["rate_hz"] > 0


def vars_of(view: Any) -> list[Any]:
    return [value for name, value in vars(view).items() if name != "samples"]
