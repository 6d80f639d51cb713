"""The tail of a series: what is told where the conditions hold, and what is refused where one does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from numpy.typing import NDArray

from rtgauge.extremes import Tail, from_json, level, of_samples, order, rate_above, tail_of, to_json
from rtgauge.extremes.levels import _clopper_pearson
from rtgauge.extremes.scan import scan
from rtgauge.results import schema
from tests.support.series import make_samples

N = 20_000
Floats = NDArray[np.float64]


def exponential(n: int = N, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).exponential(size=n)


@pytest.fixture(scope="module")
def tail() -> Tail:
    return tail_of(exponential(), name="TMR-P-CYC")


def broken(tail: Tail) -> set[str]:
    return {one.name for one in tail.conditions if not one.holds}


# ---- where the conditions hold --------------------------------------------------------------------------------------


def test_each_condition_is_told_with_its_figures(tail: Tail) -> None:
    assert tail.refused is None
    assert [one.name for one in tail.conditions] == [
        "complete", "samples", "resolution", "independence", "peaks", "stationarity", "no period", "one tail", "fit",
        "stability", "weight", "second opinion",
    ]  # fmt: skip
    assert all(one.holds and one.what for one in tail.conditions)


@pytest.mark.parametrize("probability", [1e-5, 1e-6, 1e-9])
def test_a_level_lies_in_its_interval_and_so_does_the_true_one(tail: Tail, probability: float) -> None:
    found = level(tail, probability)
    assert found.low <= found.estimate <= found.high
    assert found.low <= -np.log(probability) <= found.high


def test_rarer_levels_are_higher_and_less_known(tail: Tail) -> None:
    near, far = level(tail, 1e-6), level(tail, 1e-9)
    assert far.estimate > near.estimate
    assert far.high - far.low > near.high - near.low


def test_more_confidence_is_a_wider_interval(tail: Tail) -> None:
    some, more = level(tail, 1e-6, 0.8), level(tail, 1e-6, 0.99)
    assert more.low < some.low < some.high < more.high


def test_no_level_that_hardly_any_sample_reaches_lies_below_the_maximum(tail: Tail) -> None:
    assert tail.max is not None
    high = replace(tail, max=tail.max + 5)  # as if one sample had been that large
    found = level(high, 1e-9)
    assert high.max is not None
    assert found.low >= high.max
    assert level(high, 1e-5).low < high.max, "among 20 000 samples one may well lie above this level"


def test_rate_and_level_are_each_other_s_inverse(tail: Tail) -> None:
    at = level(tail, 1e-7)
    assert rate_above(tail, at.estimate).estimate == pytest.approx(1e-7, rel=1e-3)
    assert rate_above(tail, at.high).high == pytest.approx(1e-7, rel=0.5)


def test_below_the_maximum_a_rate_is_counted(tail: Tail) -> None:
    values = exponential()
    limit = float(np.sort(values)[-8])
    found = rate_above(tail, limit)
    assert found.estimate == 7 / N
    assert (found.low, found.high) == pytest.approx(_clopper_pearson(7, N, 0.95), rel=1e-5)
    assert 0 < found.low < 7 / N < found.high


@pytest.mark.parametrize("limit", [-1.0, 0.0, 0.3, 1.0, 3.0, 5.0, 8.0, 20.0, 1e6, np.inf])
def test_the_true_rate_above_any_limit_lies_in_the_interval(tail: Tail, limit: float) -> None:
    found = rate_above(tail, limit)
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.low <= np.exp(-max(limit, 0.0)) <= found.high + 1e-300


def test_a_limit_above_the_maximum_is_never_worse_than_counting(tail: Tail) -> None:
    assert tail.max is not None
    assert rate_above(tail, tail.max).high <= 3.7 / N


def test_probabilities_that_percentiles_tell_are_no_levels(tail: Tail) -> None:
    for probability in (0.5, 0.0, -1.0, 2.0, float("nan")):
        with pytest.raises(ValueError, match="probabilities"):
            level(tail, probability)
    with pytest.raises(ValueError, match="confidence"):
        level(tail, 1e-6, 1.0)
    with pytest.raises(ValueError, match="not a number"):
        rate_above(tail, float("nan"))


def test_the_same_samples_give_the_same_tail_in_any_unit(tail: Tail) -> None:
    assert tail_of(exponential(), name="TMR-P-CYC") == tail
    other = tail_of(exponential() * 1000 + 5)
    assert other.shape == pytest.approx(tail.shape, abs=1e-5)
    assert level(other, 1e-6).high == pytest.approx(level(tail, 1e-6).high * 1000 + 5, rel=1e-3)


def test_a_coarse_clock_is_allowed_for() -> None:
    step = 0.4
    rounded = tail_of((np.floor(exponential() / step) + 0.5) * step, resolution=step)
    assert rounded.refused is None
    assert rounded.step == pytest.approx(step)
    found = level(rounded, 1e-6)
    assert found.low < -np.log(1e-6) < found.high


def test_a_step_that_is_not_declared_is_seen() -> None:
    values = np.floor(exponential() / 0.4) * 0.4
    assert tail_of(values).step == pytest.approx(0.4)


def test_clusters_count_once_and_the_rate_stays_that_of_one_activation() -> None:
    each = exponential(N + 1, 3)
    pairs = np.maximum(each[1:], each[:-1])
    found = tail_of(pairs)
    assert found.refused is None
    assert 100 < len(found.peaks) < found.exceedances == len(found.peaks) + len(found.others)
    bound = level(found, 1e-6)
    assert bound.low < -np.log(1e-6 / 2) < bound.high


# ---- where one does not ---------------------------------------------------------------------------------------------

RNG = np.random.default_rng(5)
AT = np.arange(N) / N
REFUSED: dict[str, tuple[str, Callable[[], Floats]]] = {
    "too few": ("samples", lambda: exponential(500)),
    "empty": ("samples", lambda: np.empty(0)),
    "all alike": ("resolution", lambda: np.full(N, 7.0)),
    "coarse": ("resolution", lambda: np.floor(exponential() / 2.0)),
    "persistent": ("independence", lambda: np.repeat(exponential(N // 20), 20)),
    "growing": ("stationarity", lambda: exponential() * (1 + AT)),
    "rising": ("stationarity", lambda: exponential() + 3 * AT),
    "every fourth": ("no period", lambda: exponential() + 5.0 * (np.arange(N) % 4 == 0)),
    "tick": ("no period", lambda: exponential() + 5.0 * (np.arange(N) % 33.3 < 1)),
    "far": ("one tail", lambda: exponential() + 30.0 * (np.arange(N) % 997 == 5) * (exponential(N, 9) > 0.5)),
    "too heavy": ("weight", lambda: exponential() ** 0 / (1 - RNG.random(N)) ** 1.5),
    "not finite": ("figures", lambda: np.where(np.arange(N) == 77, np.inf, exponential())),
    "no number": ("figures", lambda: np.where(np.arange(N) == 77, np.nan, exponential())),
    "all infinite": ("figures", lambda: np.full(N, -np.inf)),
    "huge": ("figures", lambda: np.where(np.arange(N) % 2, 1.7e308, -1.7e308) * RNG.random(N)),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("error")
def test_a_broken_condition_is_refused_in_words(name: str) -> None:
    condition, made = REFUSED[name]
    found = tail_of(made())
    assert condition in broken(found)
    assert found.refused
    assert all(one.what in found.refused for one in found.conditions if not one.holds)
    for asked in (lambda: level(found, 1e-6), lambda: rate_above(found, 1.0)):
        with pytest.raises(ValueError) as said:
            asked()
        assert str(said.value) == found.refused
    assert json.loads(json.dumps(to_json(found), allow_nan=False)) == to_json(found)


@pytest.mark.parametrize(("told", "word"), [({"lost": 1}, "lost"), ({"skipped": 2}, "skipped")])
def test_samples_that_are_not_there_are_a_refusal(told: dict[str, int], word: str) -> None:
    found = tail_of(exponential(), **told)  # type: ignore[arg-type]
    assert broken(found) == {"complete"}
    assert found.refused is not None
    assert word in found.refused


# ---- the parts ------------------------------------------------------------------------------------------------------


def test_the_extremal_index_of_pairs_is_a_half() -> None:
    each = exponential(N + 1, 3)
    seen = scan(np.maximum(each[1:], each[:-1]))
    places = seen.places[seen.values > np.sort(seen.values)[-300]]
    assert order.extremal_index(np.diff(places).astype(float)) == pytest.approx(0.5, abs=0.12)


def test_the_largest_of_each_cluster_is_its_peak() -> None:
    places, values = np.array([3, 4, 6, 20, 40, 41]), np.array([1.0, 5.0, 2.0, 9.0, 8.0, 8.0])
    assert order.largest_of_each(places, values, 1).tolist() == [1, 3, 4]
    assert order.largest_of_each(places, values, 0).tolist() == [1, 2, 3, 4]


def test_short_distances_that_others_balance_make_no_cluster() -> None:
    """Some pairs among exceedances that are otherwise as regular as a clock: the extremal index is 1."""
    places = np.sort(np.concatenate([np.arange(100, N, 100), np.arange(101, N, 1500)]))
    assert order._shortness(places, N, 0) < order.SURE
    found = order.clusters(places, np.ones(len(places)), N)
    assert order.extremal_index(np.diff(places).astype(float)) == 1
    assert (found.index, found.run, len(found.peaks)) == (1.0, 0, len(places))


def test_a_series_is_asked_in_its_ticks() -> None:
    ticks = (exponential() * 400).astype(np.int64) + 1000
    samples = replace(make_samples(ticks), scale=0.5, overhead_ticks=36, resolution_ticks=2)
    found = of_samples(samples)
    same = tail_of(samples.value, resolution=1.0, name=samples.id)
    assert found == same
    assert of_samples(replace(samples, overruns=3)).refused
    assert of_samples(make_samples(ticks, dropped=2)).refused


# ---- stored ---------------------------------------------------------------------------------------------------------


def test_a_stored_tail_answers_as_the_first_one(tail: Tail) -> None:
    content = json.loads(json.dumps(to_json(tail), allow_nan=False))
    again = from_json(content, "TMR-P-CYC")
    assert again == tail
    assert [one["probability"] for one in content["levels"]] == [1e-6, 1e-9]
    found = level(again, 1e-9)
    assert (content["levels"][1]["low"], content["levels"][1]["high"]) == (found.low, found.high)


@pytest.mark.parametrize(
    "damage", [{"n": "x"}, {"conditions": 5}, {"conditions": [{}]}, {"peaks": ["y"]}, {"blocks": {"a": 1}}]
)
def test_a_damaged_one_is_named(tail: Tail, damage: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="damaged"):
        from_json({**to_json(tail), **damage})


def test_what_is_stored_keeps_to_the_schema_of_results(tail: Tail) -> None:
    rule = schema()["$defs"]["result"]["properties"]["extremes"]
    check = Draft202012Validator({**rule, "$defs": schema()["$defs"]})
    for one in (tail, tail_of(exponential(50)), tail_of(np.empty(0)), tail_of(np.full(N, np.nan))):
        assert not list(check.iter_errors(to_json(one)))
    assert list(check.iter_errors({**to_json(tail), "conditions": 1}))


# ---- anything at all ------------------------------------------------------------------------------------------------

ANY: dict[str, Callable[[np.random.Generator], NDArray[np.generic]]] = {
    "clipped": lambda rng: np.minimum(rng.exponential(size=N), 4.0),
    "counts": lambda rng: rng.poisson(200, N),
    "few counts": lambda rng: rng.poisson(0.02, N),
    "two values": lambda rng: (rng.random(N) < 0.3) * 7.0,
    "in order": lambda rng: np.sort(rng.exponential(size=N)),
    "no mean": lambda rng: rng.standard_cauchy(N),
    "towards a bound": lambda rng: rng.beta(2.0, 0.2, N),
    "atoms above": lambda rng: np.where(rng.random(N) < 0.01, np.round(rng.exponential(size=N) * 5) * 100, 0.5),
    "a walk": lambda rng: np.cumsum(rng.normal(size=N)),
    "hardly anything": lambda rng: rng.exponential(size=N) * 1e-300,
    "a great deal": lambda rng: rng.exponential(size=N) * 1e95,
    "far from zero": lambda rng: 1e12 + np.round(rng.exponential(size=N) * 3),
    "ticks": lambda rng: (rng.exponential(size=N) * 1e15).astype(np.int64) - (1 << 62),
    "a cold first one": lambda rng: np.where(np.arange(N) == 0, 1e6, rng.exponential(size=N)),
    "bounded": lambda rng: rng.random(N),
}


@pytest.mark.parametrize("name", ANY)
@pytest.mark.filterwarnings("error")
def test_whatever_the_samples_are_nothing_breaks(name: str) -> None:
    values = ANY[name](np.random.default_rng(11))
    found = tail_of(values, resolution=1.0 if name == "counts" else 0.0)
    assert from_json(json.loads(json.dumps(to_json(found), allow_nan=False))) == found
    if found.refused is not None:
        return
    assert found.max is not None
    for probability in (1e-5, 1e-9, 1e-200):
        bound = level(found, probability)
        assert bound.low <= bound.estimate <= bound.high < np.inf
    for limit in (*np.quantile(values, [0, 0.2, 0.99, 0.9999, 1]).tolist(), found.max * 1.5, found.max + 1e12):
        bound = rate_above(found, limit)
        assert 0 <= bound.low <= bound.estimate <= bound.high <= 1


def test_a_limit_beyond_the_end_of_the_best_fit_has_no_rate_but_a_bound() -> None:
    found = tail_of(-np.random.default_rng(1).weibull(3.0, N))
    assert found.shape < 0
    end = found.threshold - found.scale / found.shape
    bound = rate_above(found, end * 0.999 if end < 0 else end * 1.001)
    assert (bound.low, bound.estimate) == (0, 0)
    assert 0 < bound.high < 1 / N


def test_a_level_rarer_than_any_figure_is_refused() -> None:
    heavy = replace(tail_of(exponential()), shape=0.5, scale=1e99)
    with pytest.raises(ValueError, match="not known"):
        level(heavy, 5e-324)
