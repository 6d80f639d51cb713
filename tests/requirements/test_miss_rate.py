"""Rates of misses: counted where that decides, else by extreme values."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from rtgauge.extremes import Bound, tail_of, to_json
from rtgauge.requirements import Judged, judge, judged_to_json
from tests.requirements.results import US, required, result

SEEN = [5 * US] * 9997 + [150 * US] * 3


def of(*results: dict[str, Any], rate: float, **keys: Any) -> Judged:
    return judge(required(max="100us", miss_rate=rate, **keys), results)


def exponential(n: int = 20_000, **more: Any) -> dict[str, Any]:
    """Late by 2 us and an exponential tail of 5 us: above x with a probability of exp(-(x - 2 us) / 5 us)."""
    values = 2 * US + np.random.default_rng(7).exponential(5 * US, n)
    tail = to_json(tail_of(values))
    assert tail["refused"] is None
    return result(values.tolist(), extremes=tail, **more)


TAIL = exponential()


def test_no_miss_in_enough_samples_is_met() -> None:
    found = of(result(), rate=0.01)
    assert found.ruling == "met"
    assert "the rate of misses is below 0.003 with 95% confidence, if samples are alike and independent" in found.reason
    assert found.rate is not None
    assert found.rate.by == "binomial"


def test_some_misses_may_be_few_enough() -> None:
    found = of(result(SEEN), rate=0.001)
    assert found.ruling == "met"
    assert "3 wake-ups later than 100us in 10000 activations" in found.reason


def test_so_many_misses_are_too_many() -> None:
    found = of(result(SEEN), rate=5e-5)
    assert found.ruling == "not met"
    assert "the rate of misses is above 8.2e-05 with 95% confidence" in found.reason


def test_too_little_exposure_says_how_much_longer() -> None:
    found = of(result(), rate=1e-4)
    assert found.ruling == "inconclusive"
    assert "that takes 28956 more samples without a miss, 29 s at this run's pace" in found.reason
    assert found.more is not None
    assert found.more.samples == 28956
    assert "no extreme values are kept with this result" in found.reason


def test_a_long_way_is_told_in_days_and_years() -> None:
    assert ", 35 days at this run's pace" in of(result(), rate=1e-9).reason
    assert ", 9.49e+04 years at this run's pace" in of(result(), rate=1e-15).reason


def test_where_the_seen_rate_is_not_below_more_of_the_same_does_not_help() -> None:
    found = of(result(SEEN), rate=2e-4)
    assert (found.ruling, found.more) == ("inconclusive", None)


def test_each_lost_sample_may_be_a_miss() -> None:
    assert of(result(lost=2), rate=0.01).ruling == "met"  # even if each was one
    found = of(result(lost=20), rate=0.01)
    assert found.ruling == "inconclusive"
    assert "each of 20 samples that are not known may be a miss" in found.reason
    assert of(result(lost=None), rate=0.01).ruling == "inconclusive"
    assert of(result(SEEN, lost=None), rate=5e-5).ruling == "not met"


# ---- beyond what was seen ----


def test_extreme_values_decide_what_counting_cannot() -> None:
    met = judge(required(max="1ms", miss_rate=1e-9), [TAIL])  # in truth about 1e-87
    assert met.ruling == "met"
    assert "extreme values put the rate of misses at" in met.reason
    assert met.rate is not None
    assert met.rate.by == "extreme values"
    assert met.rate.high <= 1e-9
    broken = judge(required(max="62us", miss_rate=1e-9), [TAIL])  # in truth 6e-6
    assert broken.ruling == "not met"
    between = judge(required(max="105us", miss_rate=1e-9), [TAIL])  # in truth 1e-9
    assert between.ruling == "inconclusive"
    assert "which does not decide about 1e-09" in between.reason
    assert between.more is not None


def test_refused_extreme_values_are_invalid_where_only_they_could_tell() -> None:
    drifting = np.linspace(0, 50 * US, 20_000) + np.random.default_rng(1).exponential(US, 20_000)
    tail = to_json(tail_of(drifting))
    assert tail["refused"] is not None
    found = of(result(drifting.tolist(), extremes=tail), rate=1e-9)
    assert found.ruling == "invalid"
    assert f"they are refused: {tail['refused']}" in found.reason
    assert of(result(drifting.tolist(), extremes=tail), rate=1e-3).ruling == "met"  # counting tells


def test_too_few_samples_for_extreme_values_is_too_little_exposure() -> None:
    tail = to_json(tail_of(np.random.default_rng(1).exponential(US, 1000)))
    assert tail["refused"] is not None
    found = of(result(extremes=tail), rate=1e-9)
    assert found.ruling == "inconclusive"
    assert found.more is not None


def test_bounds_that_are_no_numbers_decide_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge.extremes.rate_above", lambda *_: Bound(0.0, math.nan, math.nan))
    found = judge(required(max="1ms", miss_rate=1e-9), [TAIL])
    assert found.ruling == "invalid"
    json.dumps(judged_to_json(found), allow_nan=False)


@pytest.mark.parametrize("damage", [{"peaks": []}, {"n": 0}, {"scale": -1.0}, {"shape": 1e308}, {"conditions": 5}])
def test_a_damaged_tail_is_never_met(damage: dict[str, Any]) -> None:
    stored = {**TAIL, "extremes": {**TAIL["extremes"], **damage}}
    found = judge(required(max="105us", miss_rate=1e-9), [stored])
    assert found.reason.isprintable()
    json.dumps(judged_to_json(found), allow_nan=False)
    assert found.ruling != "met"
