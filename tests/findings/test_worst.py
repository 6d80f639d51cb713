"""The worst sample of a run, and what may be said of its cause."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge.findings.worst import UNKNOWN, causes, farthest, latest
from tests.findings.results import line, timed
from tests.findings.test_rules import TICK, bands


def sample(value: float, index: int = 500) -> dict[str, Any]:
    return {"value": value, "at": 0.5, "cpu": 1, "index": index}


def test_farthest_is_the_one_above_its_own_median() -> None:
    slow = timed("THR-P-NEW", median=400_000.0, worst=[sample(402_000.0)])
    hit = timed("SEM-P-ARC", median=3_000.0, worst=[sample(9_000.0)])
    found = farthest([timed("THR-P-SLS"), slow, hit])
    assert found is not None
    assert (found.index, found.sample["value"], found.excess) == (2, 9_000.0, 6_000.0)


def test_latest_is_the_largest_wake_up_whatever_lies_farther_elsewhere() -> None:
    cycles = [
        timed("TMR-P-CYC", {"threads": t}, median=m, worst=[sample(v)])
        for t, m, v in ((1, 100.0, 50_000.0), (4, 40_000.0, 60_000.0))
    ]
    results = [*cycles, timed("THR-P-NEW", worst=[sample(9e6)])]
    late, other = latest(results), farthest(results, but="TMR-P-CYC")
    assert late is not None
    assert other is not None
    assert (late.index, other.index) == (1, 2)
    assert latest(results[2:]) is None
    assert farthest(results[:2], but="TMR-P-CYC") is None


@pytest.mark.parametrize(
    "other",
    [
        timed("CAL-P-TRC", worst=[sample(1e9)]),
        timed("CAL-P-CPU", worst=[sample(1e9)]),
        timed("MEM-B-LEK", unit="B", source="value", worst=[sample(1e9)]),
        timed("MUT-P-ARC", status="invalid", worst=[sample(1e9)]),
        timed("THR-B-RR", {"part": "outside"}, worst=[sample(1e9)]),
        timed("SEM-P-NEW", {"batch": 16}, worst=[sample(1e9)]),
        timed("CLK-P-DUR", analysis={"ticks": {"hits": 3}}, worst=[sample(1e9)]),
    ],
    ids=lambda result: f"{result['id']} {result['status']}",
)
def test_what_is_no_latency_is_never_the_worst(other: dict[str, Any]) -> None:
    assert farthest([other]) is None
    found = farthest([other, timed("SEM-P-NEW", {"batch": 1})])
    assert found is not None
    assert found.index == 1


def test_unknown_is_said_plainly() -> None:
    assert causes(timed("THR-P-SLS"), sample(2000.0), [], {}) == [UNKNOWN]


def test_first_sample_is_named() -> None:
    told = causes(timed("THR-P-SLS"), sample(9000.0, index=0), [], {})
    assert len(told) == 1
    assert "first sample" in told[0]
    assert "2 us" in told[0]


def test_first_sample_explains_nothing_that_comes_again_later() -> None:
    assert causes(timed("THR-P-SLS"), sample(2000.0, index=0), [], {}) == [UNKNOWN]


def test_tick_is_named_only_for_a_sample_within_its_band() -> None:
    result = timed("THR-P-SLS", clusters=bands(250))
    assert "clock tick" in causes(result, sample(3800.0), [TICK], {})[0]
    assert causes(result, sample(9000.0), [TICK], {}) == [UNKNOWN]
    assert causes(result, sample(3800.0), [], {}) == [UNKNOWN]


def test_counters_name_suspects_and_do_not_explain() -> None:
    result = timed(
        "THR-P-SLS",
        evidence=[line("involuntary_switches", 3), line("page_faults", 0)],
        counters={"steal_ticks": 2, "process_involuntary_switches": 9000},
    )
    told = causes(result, sample(2000.0), [], {})
    assert told[0] == UNKNOWN
    assert "3 involuntary switches" in told[1]
    assert "2 ticks in which" in told[1]
    assert "not known" in told[1]
    assert "9000" not in told[1]
