"""--break-on: the first sample above the limit ends the run, fails it, and is told with its cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.plan import Wish
from rtgauge.session import Finished, Request, run
from rtgauge.store.verify import verify


@pytest.fixture
def finished(tmp_path: Path) -> Finished:
    """Of the fake system, where a hundred acquires last 10 us and one lasts 100 ns."""
    wish = Wish(tests=("SEM-P-ARN",), samples=50, blame=True, break_on_ns=2_000)
    return run(Request("fake", wish, tmp_path / "store"))


def test_the_run_ends_there_and_has_failed(finished: Finished) -> None:
    assert finished.exit_code == 1
    assert finished.why is not None
    assert finished.why.startswith(("sample 0 of SEM-P-ARN: 10 us", "the run was ended at sample 0"))
    verdict = finished.content["verdict"]
    assert verdict["ruling"] == "fail"
    assert "part=acquire: sample 0 took 10 us, above the limit of 2us: the run was ended there" in verdict["reason"]


def test_what_came_before_is_kept_and_the_rest_is_left_out(finished: Finished) -> None:
    results = finished.content["results"]
    batch = [one for one in results if one["params"].get("batch") == 100 and one.get("n")]
    assert [one["n"] for one in results if one["params"].get("batch") == 1 and one.get("n")] == [50, 50]
    assert {one["n"] for one in batch} == {1}
    left = [one for one in results if "left out" in str(one["reason"])]
    assert left
    assert all(one["status"] == "inconclusive" for one in left)


def test_it_can_be_computed_again(finished: Finished) -> None:
    assert verify(finished.path).mismatches == ()


def test_a_limit_that_nothing_reaches_ends_nothing(tmp_path: Path) -> None:
    wish = Wish(tests=("SEM-P-ARN",), samples=50, break_on_ns=1_000_000)
    done = run(Request("fake", wish, tmp_path / "store"))
    assert done.exit_code == 0
    assert not any(line["name"] == "break_on_sample" for one in done.content["results"] for line in one["evidence"])


def test_a_turn_that_is_the_last_is_looked_at_too(tmp_path: Path) -> None:
    """All samples of the test come in one turn, after which it asks for no other."""
    wish = Wish(tests=("THR-P-SLS",), samples=50, blame=True, break_on_ns=500)
    done = run(Request("fake", wish, tmp_path / "store"))
    assert done.exit_code == 1
    assert "THR-P-SLS threads=2: sample 0 took 830 ns, above the limit of 500ns" in done.content["verdict"]["reason"]


def test_the_sample_is_told_also_where_ten_worse_ones_followed_in_its_turn(tmp_path: Path) -> None:
    wish = Wish(tests=("SCD-S-UTL",), samples=400, blame=True, break_on_ns=1)
    done = run(Request("fake", wish, tmp_path / "store"))
    (result, *_) = (one for one in done.content["results"] if one["id"] == "SCD-S-UTL")
    broke = [one for one in result["blame"]["samples"] if one["broke"]]
    assert [one["index"] for one in broke] == [0]
    assert 0 not in [one["index"] for one in result["worst"]]
    assert done.why is not None
    assert done.why.startswith("sample 0 of SCD-S-UTL: ")
