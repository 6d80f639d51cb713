"""The worst sample of a run, and what may be said of its cause."""

from __future__ import annotations

from typing import Any

from rtgauge.findings.worst import UNKNOWN, causes, worst_of
from tests.findings.results import line, timed
from tests.findings.test_rules import TICK, bands


def sample(value: float, index: int = 500) -> dict[str, Any]:
    return {"value": value, "at": 0.5, "cpu": 1, "index": index}


def test_worst_is_the_farthest_above_its_own_median() -> None:
    long_work = timed("CLK-P-DUR", median=400_000.0, worst=[sample(402_000.0)])
    late = timed("TMR-P-CYC", median=3_000.0, worst=[sample(9_000.0)])
    found = worst_of([timed("THR-P-SLS"), long_work, late])
    assert found is not None
    assert (found[0], found[1]["value"], found[2]) == (2, 9_000.0, 6_000.0)


def test_worst_leaves_out_calibration_sizes_and_what_is_not_valid() -> None:
    assert (
        worst_of(
            [
                timed("CAL-P-TRC", worst=[sample(1e9)]),
                timed("MEM-B-LEK", unit="B", worst=[sample(1e9)]),
                timed("MUT-P-ARC", status="invalid", worst=[sample(1e9)]),
                timed("CAL-P-CPU", worst=[sample(1e9)]),
            ]
        )
        is None
    )


def test_unknown_is_said_plainly() -> None:
    assert causes(timed("THR-P-SLS"), sample(2000.0), [], {}) == [UNKNOWN]


def test_first_sample_is_named() -> None:
    told = causes(timed("THR-P-SLS"), sample(9000.0, index=0), [], {})
    assert len(told) == 1
    assert "first sample" in told[0]
    assert "2 us" in told[0]


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
    assert "2 ticks" in told[1]
    assert "not known" in told[1]
    assert "9000" not in told[1]
