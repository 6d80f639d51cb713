"""Each ruling, and the words that go with it."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge.requirements import Judged, gravest, judge, of_deadline
from rtgauge.requirements.figures import misses_of
from rtgauge.requirements.maximum import of_maximum
from tests.requirements.results import US, behaviour, required, result

SLOW = [5 * US] * 997 + [150 * US] * 3


def of(*results: dict[str, Any], **keys: Any) -> Judged:
    return judge(required(**keys), results)


# ---- which results ----


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"params": {"interval": "1000us"}},
        {"params": {"interval": "1ms"}},
        {"test": "TMR-*"},
        {"load": "none", "cpus": "one", "cache": "hot"},
    ],
)
def test_it_is_about_this_result(keys: dict[str, Any]) -> None:
    assert of(result(), max="100us", **keys).ruling == "met"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"test": "TMR-P-CYX"}, "the run has no result with figures of a test TMR-P-CYX"),
        ({"params": {"interval": "2ms"}}, "interval is 1ms, not 2ms"),
        ({"params": {"threads": 1}}, "it has no parameter threads"),
        ({"part": "late"}, "it has no parameter part"),
        ({"load": "heavy"}, "load is none, not heavy"),
        ({"cache": "dirty"}, "cache is hot, not dirty"),
    ],
)
def test_what_matches_nothing_is_invalid(keys: dict[str, Any], said: str) -> None:
    found = of(result(), max="100us", **keys)
    assert (found.ruling, found.cases) == ("invalid", ())
    assert said in found.reason


def test_loads_that_run_together_have_no_order() -> None:
    loaded = result(environment={"load": "cpu+disk", "cpus": "one", "cache": "hot"})
    assert of(loaded, max="100us", load="disk+cpu").ruling == "met"
    assert of(loaded, max="100us", load="cpu").ruling == "invalid"


def test_an_environment_that_nobody_told_is_not_the_one() -> None:
    assert "load is not known, wanted is none" in of(result(environment={}), max="100us", load="none").reason


def test_limits_are_about_the_series_in_their_unit() -> None:
    late, size = result(params={"part": "late"}), result([4096.0] * 9, params={"part": "size"}, unit="B")
    assert [case.params for case in of(late, size, max="100us").cases] == [{"part": "late"}]
    assert [case.params for case in of(late, size, max=4096).cases] == [{"part": "size"}]


def test_a_limit_without_a_unit_is_no_time() -> None:
    found = of(result(), max=100)
    assert found.ruling == "invalid"
    assert 'is in time: its limits need a unit, e.g. "100us"' in found.reason
    found = of(result(unit="B"), max="100us")
    assert found.ruling == "invalid"
    assert "is no time but in B: its limits are bare numbers" in found.reason
    assert of(result([0.0] * 9, unit="1"), max=0).ruling == "met"


# ---- a maximum ----


def test_a_maximum_says_what_it_proves() -> None:
    found = of(result(), max="100us")
    assert found.reason == (
        "TMR-P-CYC interval=1ms: no wake-up later than 100us in 1000 activations over 1 s (worst 5 us); that shows a "
        "rate of misses below 0.003 with 95% confidence, if activations are alike, and no more"
    )
    assert found.cases[0].proves == found.reason
    assert (found.samples, found.exposure_s, found.cases[0].misses) == (1000, 1.0, (0, 0))
    assert found.rate is not None
    assert (found.rate.low, found.rate.by) == (0.0, "binomial")


def test_a_miss_has_its_exposure_too() -> None:
    found = of(result(SLOW), max="100us")
    assert found.reason == "TMR-P-CYC interval=1ms missed the deadline of 100us: worst 150 us"
    assert found.cases[0].proves == (
        "TMR-P-CYC interval=1ms: 3 wake-ups later than 100us in 1000 activations over 1 s (worst 150 us); that shows a "
        "rate of misses above 0.00082 and below 0.0077, each with 95% confidence, if activations are alike, and no more"
    )
    assert (found.ruling, found.cases[0].misses) == ("not met", (3, 3))


def test_of_another_test_it_speaks_of_samples() -> None:
    found = of(result(SLOW, id="SEM-P-ARC", params={}), test="SEM-P-ARC", max="100us")
    assert found.reason == "SEM-P-ARC: the largest sample, 150 us, is above 100us"
    assert "SEM-P-ARC: 3 samples above 100us in 1000 samples over 1 s" in found.cases[0].proves


def test_the_confidence_is_the_one_that_was_asked() -> None:
    assert "below 0.0069 with 99.9% confidence" in of(result(), max="100us", confidence=0.999).reason


def test_at_the_limit_is_within() -> None:
    assert of(result([100 * US]), max="100us").ruling == "met"
    assert of(result([100 * US + 1]), max="100us").ruling == "not met"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"lost": 4}, "lost 4 samples, any of which may be late"),
        ({"lost": None}, "how many samples were lost is not known, and any of them may be late"),
        ({"resolution": 100 * US}, "the clock's step of 100 us hides the deadline"),
        (
            {"synthetic": {"overruns": 3, "entered": 1, "n": 1001, "max": 9 * US, "min": US}},
            "skipped 2 activations whose lateness is not known",
        ),
    ],
)
def test_what_is_not_known_keeps_from_being_met(more: dict[str, Any], said: str) -> None:
    found = of(result(**more), max="100us")
    assert found.ruling == "inconclusive"
    assert said in found.reason
    assert "no wake-up later" in found.cases[0].proves
    assert of(result(SLOW, **more), max="100us").ruling == "not met"


def test_a_load_that_did_not_reach_its_degree() -> None:
    heavy = {"load": "heavy", "cpus": "one", "cache": "hot"}
    loads = [{"name": "disk", "reached": False}, {"name": "cpu", "reached": True}]
    found = of(result(environment=heavy, loads=loads), load="heavy", max="100us")
    assert found.ruling == "inconclusive"
    assert "load disk did not reach its degree" in found.reason
    assert of(result(environment=heavy, loads=loads), max="100us").ruling == "met"  # whatever the load


def test_skipped_activations_count() -> None:
    skipped = {"overruns": 2, "entered": 2, "n": 1002, "max": 250 * US, "min": US, "avg": 1.0, "median": 1.0}
    found = of(result(synthetic={**skipped, "percentiles": {}}), max="100us")
    assert (found.ruling, found.samples, found.cases[0].misses) == ("not met", 1002, (1, 2))


# ---- other figures ----


@pytest.mark.parametrize(
    ("keys", "ruling", "said"),
    [
        ({"median": "5us"}, "met", "median is 5 us, not above 5us"),
        ({"median": "4us"}, "not met", "median is 5 us, above 4us"),
        ({"median": ["5us", "9us"]}, "met", "median is 5 us, within 5us to 9us"),
        ({"median": ["6us", "9us"]}, "invalid", "median is 5 us, below 6us: too fast to be believed"),
        ({"min": "5us"}, "met", "min is 5 us, not below 5us"),
        ({"min": "6us"}, "invalid", "min is 5 us, below 6us: too fast to be believed"),
        ({"avg": "6us"}, "met", "avg is 5.43 us, not above 6us"),
        ({"avg": "5us"}, "not met", "avg is 5.43 us, above 5us"),
        ({"p50": "5us"}, "met", "p50 is 5 us"),
        ({"p99": "5us"}, "met", "p99 is 5 us"),
        ({"p99.9": "150us"}, "met", "p99.9 is 150 us"),
        ({"p99.9": "149us"}, "not met", "p99.9 is 150 us, above 149us"),
        ({"p99.99": "1s"}, "inconclusive", "p99.99 needs 10000 samples: 9000 more, 9 s at this run's pace"),
    ],
)
def test_each_figure(keys: dict[str, Any], ruling: str, said: str) -> None:
    found = of(result(SLOW), **keys)
    assert found.ruling == ruling
    assert said in found.reason
    assert found.samples == 1000


def test_what_is_missing_is_told_as_numbers() -> None:
    more = of(result(SLOW), **{"p99.99": "1s"}).more
    assert more is not None
    assert (more.samples, more.seconds) == (9000, 9.0)
    unknown = of(result(SLOW, seconds=None, exposure_s=None), **{"p99.99": "1s"}).more
    assert unknown is not None
    assert unknown.seconds is None


@pytest.mark.parametrize("keys", [{"median": "9us"}, {"avg": "9us"}, {"p99": "9us"}])
def test_a_figure_that_nobody_told(keys: dict[str, Any]) -> None:
    found = of(result(median=None, avg=None, percentiles={}), **keys)
    assert found.ruling == "inconclusive"
    assert "is not known" in found.reason


def test_too_fast_outweighs_a_miss_of_the_same_result() -> None:
    found = of(result(SLOW), max="100us", median=["6us", "9us"])
    assert (found.ruling, "too fast" in found.reason) == ("invalid", True)


def test_a_limit_below_the_resolution_is_not_decided() -> None:
    small = result([3.0] * 1000, unmeasurable=True, resolution=10.0)
    assert of(small, median="20ns").ruling == "met"
    assert "is below the clock's step of 10 ns" in of(small, median="20ns").reason
    assert of(small, median="5ns").ruling == "inconclusive"
    assert of(small, median=["2ns", "20ns"]).ruling == "inconclusive"
    assert of(small, median=["11ns", "20ns"]).ruling == "invalid"
    assert of(result([500.0] * 1000, unmeasurable=True, resolution=10.0), median="20ns").ruling == "not met"


# ---- behaviour ----


@pytest.mark.parametrize(
    ("status", "ruling"),
    [
        ("pass", "met"),
        ("fail", "not met"),
        ("inconclusive", "inconclusive"),
        ("invalid", "invalid"),
        ("not-permitted", "invalid"),
        ("not-supported", "invalid"),
    ],
)
def test_behaviour(status: str, ruling: str) -> None:
    found = of(behaviour(status, reason="because"), result(id="SEM-B-REL"), test="SEM-B-REL", holds=True)
    assert found.ruling == ruling
    assert "because" in found.reason or ruling == "met"


def test_holds_is_about_behaviour_only() -> None:
    assert of(result(), holds=True).ruling == "invalid"
    assert of(behaviour(), test="SEM-*", max="1s").ruling == "invalid"


# ---- several results ----


@pytest.mark.parametrize("status", ["invalid", "not-permitted", "not-supported", "inconclusive"])
def test_a_result_without_figures_is_never_met(status: str) -> None:
    broken = {**result(), "status": status, "reason": "because", "n": 0}
    assert of(broken, max="100us").ruling == ("inconclusive" if status == "inconclusive" else "invalid")
    both = of(broken, result(), max="100us")
    assert both.ruling == {"inconclusive": "inconclusive", "not-supported": "met"}.get(status, "invalid")
    assert of(broken, result(SLOW), max="100us").ruling == "not met"


def test_what_the_system_does_not_have_is_said() -> None:
    absent = {**result(), "status": "not-supported", "n": 0}
    assert of(absent, result(), max="100us").reason.endswith("; 1 not supported by this system left out")


def test_the_gravest_counts_and_is_the_one_that_is_told() -> None:
    found = of(result(params={"interval": "2ms"}), result(SLOW), max="100us")
    assert found.ruling == "not met"
    assert found.reason == (
        "1 of 2 results do not keep it: TMR-P-CYC interval=1ms missed the deadline of 100us: worst 150 us"
    )
    assert [case.ruling for case in found.cases] == ["met", "not met"]
    few, many = result(SLOW[:10]), result(SLOW[:900])
    assert of(many, few, max="100us").samples == 10  # that shows least
    assert gravest(["met", "inconclusive", "invalid"]) == "invalid"
    assert gravest(["invalid", "not met"]) == "not met"


def test_a_deadline_is_a_requirement() -> None:
    assert judge(of_deadline(100_000), [result()]).ruling == "met"
    found = judge(of_deadline(100_000), [behaviour()])
    assert (found.ruling, found.reason) == (
        "invalid",
        "the deadline cannot be judged: there is no valid result of TMR-P-CYC",
    )


# ---- hostile and foreign content ----


def test_a_foreign_result_with_little_in_it() -> None:
    bare = {
        "id": "TMR-P-CYC", "params": {}, "environment": {}, "status": "ok", "reason": None, "unit": "ns", "n": 5,
        "lost": None, "min": 1.0, "avg": None, "max": 9.0, "median": None, "exposure_s": None,
    }  # fmt: skip
    found = of(bare, max="1us", median="1us", miss_rate=0.5)
    assert found.ruling == "inconclusive"
    assert "over a time that is not known" in found.cases[0].proves
    assert of(bare, max="1us", miss_rate=1e-12).more is None
    assert of({**bare, "max": 5000.0}, max="1us").ruling == "not met"
    assert misses_of({**bare, "max": 5000.0}, 1000.0) == (1, 5)
    assert "how many were lost is not known" in of_maximum(bare)


@pytest.mark.parametrize("n", [1, 10**18, 10**30])
@pytest.mark.parametrize("high", [1e308, 5e-324])
def test_figures_beyond_measure(n: int, high: float) -> None:
    wild = result([US, high], n=n, avg=high, median=high, exposure_s=high)
    for keys in ({"max": "1us"}, {"max": "1us", "miss_rate": 1e-300}, {"median": ["1ns", "2ns"]}, {"p99.99": "1h"}):
        assert of(wild, **keys).reason.isprintable()
    assert of_maximum(wild)


def test_the_number_of_misses_is_exact_or_bounded() -> None:
    values = [float(i) for i in range(1, 101)]
    made = result(values)
    assert [misses_of(made, limit) for limit in (100.0, 99.0, 91.0)] == [(0, 0), (1, 1), (9, 9)]
    assert misses_of(made, 50.0) == (50, 51)  # by the histogram: the bin of 50 reaches beyond it
    wide = {**made, "histogram": [[0.0, 40.0, 39], [40.0, 101.0, 61]]}
    assert misses_of(wide, 50.0) == (10, 61)
