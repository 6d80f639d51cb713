"""The simulation of bench/coverage.py: its stored result stands in the documentation, and a small one does not fail."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rtgauge.extremes import tail_of

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from _tails import CASES  # noqa: E402
from coverage import markdown, simulate  # noqa: E402

STORED: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "coverage.json").read_text("utf-8"))
DOCS = (ROOT / "docs" / "extremes.md").read_text("utf-8")
BY_NAME = {case.name: case for case in CASES}


def test_the_table_of_the_documentation_is_that_of_the_simulation() -> None:
    assert markdown(STORED) in DOCS
    assert f"--trials {STORED['trials']} --seed {STORED['seed']}" in DOCS


def test_every_case_was_simulated() -> None:
    found = [(row["case"], row["kind"], row["samples"]) for row in STORED["rows"]]
    assert sorted(found) == sorted((case.name, case.kind, n) for case in CASES for n in (10_000, 100_000))


@pytest.mark.parametrize("row", STORED["rows"], ids=lambda row: f"{row['case']}, {row['samples']}")
def test_good_cases_are_covered_and_bad_ones_refused_or_covered(row: dict[str, Any]) -> None:
    """What the documentation promises of the stored figures."""
    for one in row["levels"]:
        assert one["covered"] + one["too_low"] + one["too_high"] == one["asked"] == row["trials"] - row["refused"]
        if row["kind"] == "good":
            assert one["covered"] >= 0.9 * one["asked"]
    if row["kind"] == "good":
        assert row["refused"] <= 0.25 * row["trials"]


@pytest.mark.parametrize("name", ["exponential", "exponential, step 0.4", "bounded Weibull 5", "Pareto 0.2"])
def test_a_small_simulation_covers_the_true_level(name: str) -> None:
    """Of 16 trials at 95 %, more than 3 misses come by chance in less than 1 of 100 simulations; these have a seed."""
    row = simulate(BY_NAME[name], 10_000, 16, 7)
    assert row.refused <= 5
    for one in row.levels:
        assert one.asked - one.covered <= 3
        assert one.too_low <= 2


@pytest.mark.parametrize("name", ["autoregressive 0.99", "grows twofold", "every 4th longer", "rises by two scales"])
def test_a_small_simulation_is_refused(name: str) -> None:
    row = simulate(BY_NAME[name], 10_000, 8, 7)
    assert row.refused == 8


def test_a_trial_does_not_depend_on_the_others() -> None:
    one, two = (simulate(BY_NAME["Pareto 0.5"], 10_000, trials, 7) for trials in (1, 2))
    assert one.levels[0].width is not None
    assert two.refused - one.refused in (0, 1)
    assert simulate(BY_NAME["Pareto 0.5"], 10_000, 1, 7) == one


def test_the_example_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", DOCS, re.S)
    assert code is not None
    exec(compile(code[1], "docs/extremes.md", "exec"), {})
    assert capsys.readouterr().out.count("Bound(") == 2


def test_the_documentation_names_every_condition() -> None:
    found = tail_of(np.random.default_rng(1).exponential(size=10_000))
    names = [*(one.name for one in found.conditions), "figures"]
    assert re.findall(r"^\| ([\w ]+) \| [^|]+ \| [^|]*\|$", DOCS, re.M)[1:] == sorted(names, key=_place)


def _place(name: str) -> int:
    return DOCS.index(f"\n| {name} |")
