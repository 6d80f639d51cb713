"""What holds for every result and every requirement."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rtgauge.requirements import from_json, judge, judged_to_json, to_json
from rtgauge.requirements.match import canonical
from rtgauge.requirements.model import GRAVEST
from rtgauge.requirements.rates import lower, upper
from tests.requirements.results import required, result

FIGURES = ("max", "avg", "median", "p50", "p99", "p99.9")
samples = st.lists(st.integers(0, 40).map(float), min_size=1, max_size=1500).map(lambda values: values * 3)
lost = st.sampled_from([0, 0, 0, 5, None])
limits = st.integers(1, 45)
rates = st.sampled_from([1e-9, 1e-4, 0.003, 0.02, 0.3, 0.9])


def ruling(made: dict[str, Any], **keys: Any) -> str:
    return judge(required(**keys), [made]).ruling


@settings(max_examples=60, deadline=None)
@given(samples, lost, st.sampled_from(FIGURES), limits, limits)
def test_a_tighter_limit_never_makes_not_met_met(
    values: list[float], missing: int | None, figure: str, one: int, other: int
) -> None:
    made, (tight, wide) = result(values, lost=missing), sorted((one, other))
    if ruling(made, **{figure: f"{wide}ns"}) == "not met":
        assert ruling(made, **{figure: f"{tight}ns"}) == "not met"
    if ruling(made, **{figure: f"{tight}ns"}) == "met":
        assert ruling(made, **{figure: f"{wide}ns"}) == "met"


@settings(max_examples=60, deadline=None)
@given(samples, lost, limits, limits, rates, rates)
def test_a_tighter_limit_or_rate_never_makes_not_met_met(
    values: list[float], missing: int | None, one: int, other: int, rate: float, another: float
) -> None:
    made = result(values, lost=missing)
    (tight, wide), (rare, often) = sorted((one, other)), sorted((rate, another))
    if ruling(made, max=f"{wide}ns", miss_rate=often) == "not met":
        assert ruling(made, max=f"{tight}ns", miss_rate=rare) == "not met"
    if ruling(made, max=f"{tight}ns", miss_rate=rare) == "met":
        assert ruling(made, max=f"{wide}ns", miss_rate=often) == "met"


@settings(max_examples=60, deadline=None)
@given(samples, limits, rates, st.integers(1, 100))
def test_lost_samples_never_help(values: list[float], limit: int, rate: float, missing: int) -> None:
    keys = {"max": f"{limit}ns", "miss_rate": rate}
    if ruling(result(values, lost=missing), **keys) == "met":
        assert ruling(result(values), **keys) == "met"
    assert ruling(result(values, lost=missing), max=f"{limit}ns") != "met"


@settings(max_examples=40, deadline=None)
@given(samples, st.lists(st.sampled_from(FIGURES), min_size=1, unique=True), limits)
def test_another_requirement_never_makes_it_better(values: list[float], figures: list[str], limit: int) -> None:
    made = result(values)
    each = [ruling(made, **{figure: f"{limit}ns"}) for figure in figures]
    together = ruling(made, **dict.fromkeys(figures, f"{limit}ns"))
    assert GRAVEST.index(together) == min(GRAVEST.index(one) for one in each)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(samples, lost, limits, rates)
def test_what_is_stored_is_json_and_reads_back(
    values: list[float], missing: int | None, limit: int, rate: float
) -> None:
    made = required(max=f"{limit}ns", miss_rate=rate, params={"interval": "1ms"})
    judged = judge(made, [result(values, lost=missing)])
    told = json.loads(json.dumps(judged_to_json(judged), allow_nan=False))
    assert from_json([told["requirement"]]) == (made,)
    assert told["results"][0]["samples"] == len(values)
    assert from_json([to_json(made)]) == (made,)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 10**12), st.integers(0, 50), st.floats(0.5, 0.999999))
def test_bounds_lie_around_the_seen_rate(n: int, misses: int, confidence: float) -> None:
    misses = min(misses, n)
    low, high = lower(misses, n, confidence), upper(misses, n, confidence)
    assert 0 <= low <= 1
    assert low < high <= 1 or (low <= high and confidence < 0.6)
    assert high >= misses / n * (1 - 1e-8) or confidence < 0.7


@given(st.integers(1, 10**15))
def test_a_duration_is_the_same_in_every_unit(ns: int) -> None:
    assert canonical(f"{ns}ns") == canonical(canonical(f"{ns}ns"))
    assert canonical(f"{ns}us") == canonical(f"{1000 * ns}ns")
