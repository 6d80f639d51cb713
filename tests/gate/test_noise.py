"""Equal systems do not fail more often than stated, and changes of a stated size are found: by simulation, with fixed
seeds. docs/gate.md has the figures of a longer one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from gate_noise import LAWS, false_alarms, found

GATES = 60


@pytest.mark.parametrize("law", ["normal", "lognormal", "heavy"])
def test_equal_systems_fail_no_more_often_than_stated(law: str) -> None:
    """Even where nothing is allowed to move: at 80 %, one in five gates may. By chance up to 20 of 60 would (1 in
    100)."""
    assert false_alarms(law, gates=GATES, limit="+0", confidence=0.8) * GATES <= 20


def test_without_the_share_of_confidence_most_gates_would_fail() -> None:
    """What the correction is for: 100 intervals share a confidence that leaves a tenth to each."""
    assert false_alarms("normal", gates=GATES // 3, limit="+0", confidence=1 - 100 * 0.1) > 0.9


@pytest.mark.parametrize("law", sorted(LAWS))
def test_with_the_default_limit_and_confidence_equal_systems_pass(law: str) -> None:
    assert false_alarms(law, gates=GATES) <= (0.1 if law == "places" else 0.05)


@pytest.mark.parametrize(("change", "sd", "runs", "least"), [(0.12, 0.005, 5, 0.8), (0.12, 0.01, 10, 0.8)])
def test_a_change_of_stated_size_is_found(change: float, sd: float, runs: int, least: float) -> None:
    assert found(change, sd, runs=runs, gates=GATES // 2) >= least


def test_a_change_below_the_limit_is_none() -> None:
    assert found(0.03, 0.005, gates=GATES // 2) == 0
