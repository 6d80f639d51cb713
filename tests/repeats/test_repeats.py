"""Runs side by side: what is the same result, what counts, what they do not agree on."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge.errors import StoreError
from rtgauge.repeats import Repeated, Repeats, join, one_run, to_json
from tests.findings.results import behaviour, timed

ENVIRONMENT = {"load": "none", "cache": "hot", "cpus": "one"}
SERIES = "series-20260301-101500-local-0a1b2c"


def run(number: int, *results: dict[str, Any], state: str = "complete", of: int = 3, **more: Any) -> Any:
    content = {
        "run": f"20260301-10150{number}-local-00000{number}",
        "target": "local",
        "created": f"2026-03-01T10:15:0{number}Z",
        "exposure_s": 2.0,
        "verdict": {"ruling": more.pop("ruling", "pass"), "reason": "so it is"},
        "results": [{"environment": ENVIRONMENT, **result} for result in results],
    }
    manifest = {"run": content["run"], "series": SERIES, "repeat": {"number": number, "of": of}, **more}
    return one_run(content, manifest, state)


def series(base: float, **more: Any) -> dict[str, Any]:
    """A result of 1 000 samples in 10 bins around `base`."""
    bins = [[base - 50 + 10 * i, base - 40 + 10 * i, 100] for i in range(10)]
    values = {"min": base - 50, "median": base, "avg": base, "max": base + 49, "histogram": bins, "resolution": 1.0}
    return timed("THR-P-SLS", **{"params": {"threads": 2}, **values, "percentiles": {"50": base}, "lost": 1, **more})


def joined(*runs: Any) -> Repeats:
    found = join(runs)
    assert found is not None
    return found


def only(repeats: Repeats) -> Repeated:
    (one,) = repeats.results
    return one


def test_runs_of_one_job_have_their_spread() -> None:
    repeats = joined(run(2, series(1030.0)), run(1, series(1000.0)), run(3, series(1015.0)))
    one = only(repeats)
    median = one.figures["median"]
    assert median.values == (1000.0, 1030.0, 1015.0)  # in the order of the runs
    assert (median.min, median.max, median.sd) == (1000.0, 1030.0, pytest.approx(15.0))
    assert one.maxima == (1049.0, 1079.0, 1064.0)
    assert (one.max, one.runs, one.n, one.lost, one.exposure_s) == (1079.0, 3, 3000, 3, 3.0)
    assert one.p75 is not None
    assert one.p25 is not None
    assert one.p75 - one.p25 == pytest.approx(50, abs=3)
    assert one.moves
    assert one.agree
    assert one.figures["max"].ratio is None  # what extremes of a run let expect is not known
    assert (repeats.exposure_s, repeats.ruling, repeats.notes, repeats.unequal) == (6.0, "pass", (), ())


def test_runs_that_differ_by_chance_do_not_move() -> None:
    assert not only(joined(run(1, series(1000.0)), run(2, series(1001.0)))).moves


@pytest.mark.parametrize("runs", [[], [run(1, series(1000.0))]])
def test_fewer_than_two_runs_say_nothing_together(runs: list[Any]) -> None:
    assert join(runs) is None


def test_another_parameter_part_or_environment_is_another_result() -> None:
    others = [series(1.0, params={"threads": 3}), series(1.0, params={"threads": 2, "part": "a"})]
    others.append({**series(1.0), "environment": {**ENVIRONMENT, "load": "heavy"}})
    for other in others:
        repeats = joined(run(1, series(1000.0)), run(2, other))
        assert len(repeats.results) == 2
        assert not any(one.figures for one in repeats.results)


def test_the_same_job_asked_twice_is_matched_in_its_order() -> None:
    repeats = joined(run(1, series(1000.0), series(2000.0)), run(2, series(1001.0), series(2001.0)))
    assert [one.figures["median"].values for one in repeats.results] == [(1000.0, 1001.0), (2000.0, 2001.0)]


def test_a_broken_premise_makes_no_number() -> None:
    repeats = joined(run(1, series(1000.0)), run(2, series(9e9, status="inconclusive")), run(3, series(1010.0)))
    one = only(repeats)
    assert one.figures["median"].values == (1000.0, 1010.0)
    assert (one.max, one.n, one.runs) == (1059.0, 2000, 2)
    assert one.maxima == (1049.0, None, 1059.0)
    assert not one.agree


def test_unmeasurable_samples_keep_only_their_largest() -> None:
    one = only(joined(run(1, series(1000.0)), run(2, series(1010.0, unmeasurable=True))))
    assert list(one.figures) == ["max"]
    assert not one.moves


def test_a_behaviour_that_passes_in_some_runs_is_a_finding() -> None:
    good = behaviour("SEM-B-LCK", "pass", ("blocks", "property", True))
    bad = behaviour("SEM-B-LCK", "fail", ("blocks", "property", False), reason="does not hold: blocks")
    repeats = joined(run(1, good), run(2, bad, ruling="fail"), run(3, good))
    one = only(repeats)
    assert repeats.disagreements == (one,)
    assert one.statuses == ("pass", "fail", "pass")
    assert one.apart == (("blocks is as it should be", (True, False, True)),)
    assert (repeats.ruling, repeats.gravest) == ("fail", 1)
    assert repeats.reason == "in 1 of 3 runs (run 2): so it is"


def test_a_check_that_holds_in_some_runs_is_one_too() -> None:
    runs = [behaviour("THR-B-NEW", "pass", ("note", "report", holds)) for holds in (True, False)]
    one = only(joined(run(1, runs[0]), run(2, runs[1])))
    assert one.statuses == ("pass", "pass")
    assert not one.agree


def test_the_last_of_runs_that_are_equally_grave_is_the_gravest() -> None:
    assert joined(run(1, ruling="fail"), run(2, ruling="fail"), run(3)).gravest == 1
    assert joined(run(1), run(2), run(3)).gravest == 2


def test_two_of_five_count_and_say_so() -> None:
    left_out = {"id": "TMR-P-CYC", "params": {}, "status": "invalid", "reason": "not run: interrupted"}
    repeats = joined(
        run(1, series(1000.0), {**left_out, **timed("TMR-P-CYC")}, of=5),
        run(2, series(1010.0), {**left_out, "exposure_s": None}, of=5, state="interrupted"),
    )
    assert repeats.of == 5
    assert repeats.notes[0] == "2 of 5 runs are there; what is there counts"
    assert "run 2 is interrupted" in repeats.notes[1]
    assert repeats.results[0].figures["median"].n == 2
    assert repeats.results[1].statuses == ("ok", None)  # never run: no disagreement
    assert repeats.results[1].agree


def test_a_run_that_the_user_ended_can_fail_but_decides_nothing_else() -> None:
    cut = run(3, ruling="inconclusive", state="interrupted")
    repeats = joined(run(1), run(2), cut)
    assert (repeats.ruling, repeats.reason, repeats.gravest) == ("pass", "in all 2 runs: so it is", 1)
    assert joined(run(1), run(2), run(3, ruling="fail", state="interrupted")).ruling == "fail"
    assert joined(run(1), run(2, ruling="inconclusive", state="broken")).ruling == "inconclusive"
    assert joined(run(1, ruling="inconclusive", state="incomplete"), cut).ruling == "inconclusive"


def test_reasons_that_differ_name_their_run() -> None:
    other = one_run({"verdict": {"ruling": "pass", "reason": "other"}, "created": "2027"}, {"run": "x"}, "complete")
    assert joined(run(1), other).reason == "in all 2 runs; run 2: other"


def test_a_test_in_which_the_engine_died_is_no_test_that_was_left_out() -> None:
    died = {"id": "TMR-P-CYC", "params": {}, "status": "invalid", "reason": "killed", "exposure_s": None}
    assert not only(joined(run(1, timed("TMR-P-CYC")), run(2, died))).agree


def test_runs_of_another_engine_are_no_repeats() -> None:
    repeats = joined(run(1, engine={"sha256": "a"}), run(2, engine={"sha256": "b"}), run(3, engine={"sha256": "a"}))
    assert repeats.unequal == ("the runs are not repeats of the same: engine of run 2 is not that of run 1",)


def test_runs_of_several_series_have_none() -> None:
    repeats = joined(run(1, of=5), run(2, series="another", of=5))
    assert (repeats.series, repeats.of, repeats.notes) == (None, 2, ())


def test_an_entry_is_found_by_what_it_is() -> None:
    repeats = joined(run(1, series(1000.0)), run(2, series(1001.0)))
    assert repeats.find({**series(1.0), "environment": ENVIRONMENT}) is only(repeats)
    assert repeats.find({**series(1.0), "environment": ENVIRONMENT, "params": {}}) is None


@pytest.mark.parametrize(
    "damage",
    [
        {"histogram": [["x", 1, 2]]},
        {"histogram": [[1.0]]},
        {"min": "small"},
        {"params": 3},
        {"checks": [1]},
        {"percentiles": [1]},
        {"n": "many"},
    ],
)
def test_damaged_results_are_refused_in_words(damage: dict[str, Any]) -> None:
    with pytest.raises(StoreError, match="is damaged"):
        run(1, series(1000.0, **damage))


def test_figures_that_are_not_finite_do_not_count() -> None:
    repeats = joined(run(1, series(1000.0, avg=float("inf"), histogram=[])), run(2, series(1001.0)))
    assert "avg" not in only(repeats).figures


def test_json_is_plain() -> None:
    told = to_json(joined(run(1, series(1000.0)), run(2, series(1010.0))))
    assert told["series"] == SERIES
    assert [one["number"] for one in told["runs"]] == [1, 2]
    assert told["results"][0]["between"]["median"]["values"] == [1000.0, 1010.0]
    assert told["results"][0]["between"]["median"]["n"] == 2
