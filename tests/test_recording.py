from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge._room import check_room
from rtgauge.plan import Wish, make_plan
from rtgauge.recording import BUFFER_BYTES, LEAST_RAW, RAW_BYTES, SAMPLE_BYTES, recording, trace_bytes
from tests.test_plan import ALL, descriptor

PLENTY = 1 << 50
HOUR_NS = 3_600_000_000_000


def test_a_run_that_fits_keeps_every_sample() -> None:
    made = recording([(descriptor("CLK-P-GET"), 10_000_000)], PLENTY)
    assert not made.accumulate
    assert made.memory >= 10_000_000 * SAMPLE_BYTES


def test_a_long_run_folds_what_its_budget_does_not_hold() -> None:
    made = recording([(descriptor("CLK-P-GET"), 10**9)], PLENTY)
    assert made.accumulate
    assert made.raw * SAMPLE_BYTES <= RAW_BYTES < (made.raw + 1) * SAMPLE_BYTES
    assert BUFFER_BYTES <= made.memory <= 2 * BUFFER_BYTES


@given(st.lists(st.tuples(st.integers(0, 10**7), st.integers(1, 6)), min_size=1, max_size=20), st.integers(0, 10**9))
def test_the_budget_is_used_and_kept(wanted: list[tuple[int, int]], budget: int) -> None:
    jobs = [(descriptor("CLK-P-GET", series=series), n) for n, series in wanted]
    made = recording(jobs, PLENTY, budget)
    budget = min(budget, RAW_BYTES) if made.accumulate else budget
    kept = sum(min(n, made.raw) * len(d.series) * SAMPLE_BYTES for d, n in jobs)
    most = SAMPLE_BYTES * sum(len(d.series) for d, _ in jobs)
    if not made.accumulate:
        assert sum(n * len(d.series) * SAMPLE_BYTES for d, n in jobs) <= budget
    elif made.raw > LEAST_RAW:
        assert budget - most < kept <= budget
    if made.accumulate:
        assert made.raw >= LEAST_RAW


def test_a_day_is_planned_and_has_room(tmp_path: object) -> None:
    plan = make_plan(ALL, Wish(tests=("TMR-P-CYC",), duration_ns=24 * HOUR_NS), available=8 << 30)
    assert plan.spec.accumulate
    assert sum(plan.estimates) == pytest.approx(24 * 3600, rel=0.01)
    assert plan.spec.time_ms > 24 * 3_600_000
    assert plan.limits[-1] > 24 * 3600
    assert plan.spec.memory <= 2 * BUFFER_BYTES
    check_room(plan, tmp_path, memory=2 << 30, disk=4 << 30)  # type: ignore[arg-type]


def test_the_trace_of_a_day_stays_bounded() -> None:
    jobs = [(descriptor("TMR-P-CYC"), 86_400_000)]
    assert trace_bytes(jobs, [86_400.0], 10**6) < 700 << 20
