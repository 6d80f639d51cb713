"""Stars: what gives them, what limits them, and what withholds them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtgauge.ratings import Ratings, rate
from rtgauge.requirements import of_deadline
from rtgauge.requirements.stored import to_json
from tests.ratings.runs import HEAVY, KEY, MS, behaviour, content, cyclic, finding, manifest


def stars(*results: dict[str, Any], deadline_ns: int = MS, **more: Any) -> float | None:
    kept = [*results, *(behaviour(id_) for id_ in KEY)]
    return rate(content(kept, **more), manifest(deadline_ns)).stars.value


def lacks(found: Ratings) -> str:
    return " | ".join(f"{one.what} {one.command}" for one in found.stars.missing)


def test_five_stars_and_their_words() -> None:
    found = rate(content(), manifest()).stars
    assert (found.value, found.glyphs) == (5.0, "★★★★★")
    assert found.missing == ()
    assert {part.name: part.value for part in found.parts} == {
        "results": 5.0, "load": 5.0, "behaviour": 5.0, "configuration": 5.0,
    }  # fmt: skip
    assert "excellent, hard real-time met" in found.parts[0].why
    assert all(part.rule and part.why for part in found.parts)


@pytest.mark.parametrize(
    ("n", "worst", "expected"),
    [
        (400_000, [500_000.0], 5.0),
        (400_000, [500_001.0], 4.5),
        (400_000, [1_000_000.0], 4.5),  # at the deadline is within it
        (299_571, [10_000.0], 4.0),  # one activation short of a bound of 1e-5
        (29_956, [10_000.0], 4.0),
        (29_955, [10_000.0], 3.5),
        (2_995, [10_000.0], 3.5),
        (2_994, [10_000.0], None),
        (400_000, [1_000_001.0], 3.0),
        (10_000, [2e6] * 5, 2.5),
        (10_000, [2e6] * 50, 2.0),
        (10_000, [2e6] * 200, 1.5),
        (10_000, [2e6] * 900, 1.0),
        (10_000, [2e6] * 2000, 0.0),
    ],
)
def test_the_table_of_results(n: int, worst: list[float], expected: float | None) -> None:
    assert stars(cyclic(n, worst)) == expected


def test_of_several_results_the_worst_counts() -> None:
    assert stars(cyclic(), cyclic(10_000, [2e6] * 50)) == 2.0
    assert stars(cyclic(), cyclic(50_000)) == 4.0


def test_a_short_result_says_no_more_than_its_misses() -> None:
    assert stars(cyclic(), cyclic(100)) == 5.0
    assert stars(cyclic(), cyclic(100, [2e6])) == 3.0
    assert stars(cyclic(100, [2e6])) is None


def test_the_frown_has_a_glyph_and_a_number() -> None:
    found = rate(content([cyclic(10_000, [2e6] * 5000)]), manifest()).stars
    assert (found.glyphs, found.words.partition(",")[0]) == ("☹", "0 of 5 stars")


# ---- withheld -------------------------------------------------------------------------------------------------------


def test_without_a_deadline_they_are_withheld_and_the_command_says_how_to_get_them() -> None:
    found = rate(content(), manifest(None))
    assert found.stars.value is None
    assert "deadline" in lacks(found)
    assert "rtgauge evaluate local --deadline 1ms --load heavy" in lacks(found)
    assert {one.name: one.score for one in found.categories}["test results: performance"] is None
    assert {one.name: one.score for one in found.categories}["test results"] is None


def test_without_a_stated_load_they_are_withheld() -> None:
    for load in (None, "unstated"):
        found = rate(content(load=load), manifest())
        assert found.stars.value is None
        assert "load" in lacks(found)


def test_the_command_asks_for_the_deadline_and_the_load_of_the_run() -> None:
    run = content([], load="cpu+disk") | {"target": "ssh:a b"}
    assert "rtgauge evaluate 'ssh:a b' --deadline 250us --load cpu+disk" in lacks(rate(run, manifest(250_000)))


def test_too_few_activations_name_how_many_are_needed_and_the_profile_that_has_them() -> None:
    told = manifest() | {"descriptors": [{"id": "TMR-P-CYC", "samples": [1000, 60000, 3600000]}]}
    found = rate(content([cyclic(1000)]), told)
    assert found.stars.value is None
    assert "has 1000, 2995 are needed" in lacks(found)
    assert "--profile standard" in lacks(found)


def test_an_imported_run_is_not_rated_by_what_it_does_not_tell() -> None:
    foreign = content([cyclic(lost=None)]) | {"imported": {"format": "f", "program": "p", "version": None}}
    found = rate(foreign | {"target": "import:f"}, manifest())
    assert found.stars.value is None
    assert "lost samples" in lacks(found)
    assert "import:f" not in lacks(found)  # nothing can be measured there


def test_a_lost_count_that_nobody_told_decides_nothing() -> None:
    assert stars(cyclic(lost=None)) is None
    assert stars(cyclic(), cyclic(lost=None)) == 3.5


@pytest.mark.parametrize("status", ["invalid", "inconclusive", "not-permitted"])
def test_what_is_not_decided_never_counts_in_favour(status: str) -> None:
    assert stars(cyclic(status=status)) is None
    assert stars(cyclic(), cyclic(status=status)) == 3.5


def test_what_the_system_does_not_have_is_left_out() -> None:
    assert stars(cyclic(), cyclic(status="not-supported")) == 5.0
    assert stars(cyclic(status="not-supported")) is None


def test_virtual_time_is_rated_only_when_asked() -> None:
    virtual = content()
    virtual["system"]["clock"]["name"] = "fake-virtual"
    found = rate(virtual, manifest())
    assert found.stars.value is None
    assert "not time" in lacks(found)
    assert found.virtual
    asked = rate(virtual, manifest(), virtual=True)
    assert asked.stars.value == 5.0
    assert "virtual time" in asked.stars.words
    for told in (manifest() | {"virtual": {"ns_per_instruction": 2}}, manifest()):
        virtual = content()
        virtual["system"]["facts"]["time"] = "virtual" if "virtual" not in told else "real"
        assert rate(virtual, told).stars.value is None


# ---- limits ---------------------------------------------------------------------------------------------------------


def test_an_idle_system_shows_no_hard_real_time() -> None:
    found = rate(content(load="none"), manifest())
    assert found.stars.value == 3.5
    assert "--load heavy" in lacks(found)


@pytest.mark.parametrize("loads", [[HEAVY | {"reached": False}], []])
def test_a_load_that_was_not_there_is_none(loads: list[dict[str, Any]]) -> None:
    assert stars(cyclic(loads=loads)) == 3.5


@pytest.mark.parametrize(
    ("id_", "status", "expected"),
    [
        ("MUT-B-ARC", "fail", 3.0),
        ("MUT-B-ARC", "invalid", 4.0),
        ("MUT-B-ARC", "not-permitted", 4.0),
        ("MUT-B-ARC", "not-supported", 5.0),  # beside one that passes: a protocol that there is not
        ("MSG-B-BLK", "fail", 4.5),
        ("MSG-B-BLK", "invalid", 5.0),
        ("API-B-PSX", "fail", 5.0),
    ],
)
def test_behaviour_limits_the_stars(id_: str, status: str, expected: float) -> None:
    assert stars(cyclic(), behaviour(id_, status)) == expected


def test_behaviour_that_was_not_tested_is_missing() -> None:
    found = rate(content([cyclic()]), manifest())
    assert found.stars.value == 4.0
    assert "THR-B-NEW" in lacks(found)


@pytest.mark.parametrize(
    ("audit", "expected"),
    [
        (["ok"] * 30, 5.0),
        (["warn"], 4.5),
        (["unknown"] * 3, 4.0),  # what cannot be read is no good sign
        (["warn"] * 7, 3.5),
        (["warn"] * 16, 2.0),
        (["fail"], 2.0),
        (["fail"] * 2, 1.5),
        (["fail"] * 5, 1.0),
        (["?"] * 3, 4.0),
        ([], 3.5),
    ],
)
def test_the_configuration(audit: list[str], expected: float) -> None:
    assert stars(cyclic(), audit=audit) == expected


def test_a_changed_system_was_not_right_out_of_the_box() -> None:
    for change in ({"tune": "cpu_dma_latency=0"}, {"cpus": "reserved"}):
        run = content()
        run["spec"]["environment"] |= change
        assert rate(run, manifest()).stars.value == 3.0


def test_lost_and_skipped_activations_count_as_missed() -> None:
    assert stars(cyclic(lost=1)) == 3.0
    skipped = cyclic() | {"synthetic": {"n": 400_000, "max": 200_000.0, "overruns": 3, "entered": 1}}
    assert stars(skipped) == 3.0


def test_a_clock_too_coarse_for_the_deadline_shows_nothing() -> None:
    assert stars(cyclic() | {"resolution": 1e6}) is None


# ---- where the deadline comes from ----------------------------------------------------------------------------------


def test_a_requirement_is_a_deadline_and_the_shortest_counts() -> None:
    by_requirement = manifest(None) | {"requirements": [to_json(of_deadline(MS))]}
    assert rate(content(), by_requirement).stars.value == 5.0
    both = manifest() | {"requirements": [to_json(of_deadline(100_000))]}
    assert rate(content(), both).stars.value == 3.0
    other_way = manifest(100_000) | {"requirements": [to_json(of_deadline(MS))]}
    assert rate(content(), other_way).stars.value == 3.0
    other = manifest(None) | {"requirements": [{"test": "IRQ-P-LAT", "max": "20us", "where": "rt.toml, entry 2"}]}
    found = rate(content(), other)
    assert found.stars.value is None
    assert "--require rt.toml" in lacks(found)


@pytest.mark.parametrize("wrong", [[{"test": 5}], ["x"], {"a": 1}, [{"test": "TMR-P-CYC", "p99": "1ms"}]])
def test_requirements_that_state_no_largest_time_are_no_deadline(wrong: Any) -> None:
    assert rate(content(), manifest(None) | {"requirements": wrong}).stars.value is None


# ---- properties -----------------------------------------------------------------------------------------------------

results_of_runs = st.lists(
    st.one_of(
        st.builds(
            cyclic,
            st.sampled_from([100, 5_000, 50_000, 500_000]),
            st.lists(st.sampled_from([2e4, 6e5, 2e6, 9e6]), max_size=30),
            lost=st.sampled_from([0, 0, 0, 3, None]),
            status=st.sampled_from(["ok", "ok", "ok", "invalid", "not-supported"]),
        ),
        st.builds(
            behaviour,
            st.sampled_from([*KEY, "MSG-B-BLK"]),
            st.sampled_from(["pass", "pass", "fail", "invalid", "not-supported"]),
        ),
    ),
    max_size=8,
)
WORSE = [
    cyclic(500_000, [9e6] * 2000),
    cyclic(500_000, [2e6]),
    cyclic(100, [9e6]),
    cyclic(status="invalid"),
    cyclic(status="not-permitted"),
    behaviour("MUT-B-ARC", "fail"),
    behaviour("SEM-B-REL", "not-permitted"),
    behaviour("MSG-B-BLK", "fail"),
    cyclic(5_000, lost=5),
]


@settings(max_examples=80)
@given(results_of_runs, st.sampled_from(WORSE), st.sampled_from(["none", "heavy"]))
def test_a_worse_result_never_raises_a_rating(results: list[dict[str, Any]], worse: dict[str, Any], load: str) -> None:
    kept = [*results, *(behaviour(id_) for id_ in KEY)]
    before, after = rate(content(kept, load), manifest()), rate(content([*kept, worse], load), manifest())
    if before.stars.value is not None and after.stars.value is not None:
        assert after.stars.value <= before.stars.value
    assert before.stars.value is None or after.stars.value is not None  # it does not hide what was known
    for one, other in zip(before.categories, after.categories, strict=True):
        assert one.name == other.name
        if one.score is not None and other.score is not None:
            assert other.score <= one.score, one.name


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["ok", "warn", "fail", "unknown"]), min_size=1, max_size=25))
def test_a_worse_finding_never_raises_a_rating(audit: list[str]) -> None:
    before = rate(content(audit=audit), manifest()).stars.value
    for worse in ("warn", "fail", "unknown"):
        run = content(audit=audit)
        run["audit"].append(finding("one more", worse))
        after = rate(run, manifest()).stars.value
        assert before is not None
        assert after is not None
        assert after <= before


@settings(max_examples=50)
@given(results_of_runs)
def test_a_missing_deadline_withholds_whatever_was_measured(results: list[dict[str, Any]]) -> None:
    assert rate(content(results), manifest(None)).stars.value is None


def test_a_rating_is_of_one_run_alone() -> None:
    """Whatever else was rated before or after, and nothing is changed by rating."""
    good, bad = content(), content([cyclic(10_000, [9e6] * 5000)])
    kept = copy.deepcopy(good)
    alone = rate(good, manifest())
    rate(bad, manifest())
    assert rate(good, manifest()) == alone
    assert good == kept
