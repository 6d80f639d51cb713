from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge.model import Samples, SeriesTrace
from rtgauge.samples import index_on_target, positions_of_gaps, skipped_activations
from rtgauge.trace import read_trace
from tests.support.series import make_samples, samples_of
from tests.support.traces import START_NS, START_STAMP, FakeTest, build_trace, fake_series, fake_test

MS = 1_000_000


def only(tests: list[FakeTest], **more: Any) -> Samples:
    """The last series of the last test."""
    found = samples_of(read_trace(build_trace(tests, **more)))[-1][-1]
    assert found is not None
    return found


def raw_of(due: list[int], late: list[int], **more: Any) -> SeriesTrace:
    return make_samples(late, starts=due, source="os", **more).raw


# ---- units, overhead, time ----


def test_ticks_become_ns_less_the_overhead_of_the_clock() -> None:
    found = only([fake_test("THR-P-SLS", series=[[20, 70, 15]])], clock={"rate_num": 2_000_000_000, "overhead": 20})
    assert found.value.tolist() == [0.0, 25.0, -2.5]
    assert (found.overhead, found.resolution, found.unit) == (10.0, 0.5, "ns")
    assert found.raw.ticks.tolist() == [20, 70, 15]


def test_a_rate_that_is_a_fraction() -> None:
    found = only([fake_test("THR-P-SLS", series=[[3]])], clock={"rate_num": 10**9, "rate_den": 3, "overhead": 0})
    assert found.value.tolist() == [9.0]


def test_a_tick_of_time_that_counts_instructions_is_whole_ns() -> None:
    tests, off = [fake_test("THR-P-SLS", series=[[3528]])], {"rate_num": 999_999_046, "overhead": 0}
    assert only(tests, clock=off).value.tolist() == pytest.approx([3528.0034], abs=1e-4)
    facts = [("ns_per_instruction", 2)]
    real = only(tests, clock=off, facts=[("ns_per_instruction", 0)])
    assert real.value.tolist() == only(tests, clock=off).value.tolist()
    assert only(tests, clock=off, facts=facts).value.tolist() == [3528.0]
    quarter = {"rate_num": 400_000_000, "overhead": 0}
    assert only(tests, clock=quarter, facts=facts).value.tolist() == [8820.0]


def test_the_smallest_overhead_measured_is_what_counts() -> None:
    tests = [
        fake_test("CAL-P-TRC", series=[[31, 25, 30]]),
        fake_test("CAL-P-TRC", series=[[9, 9]], outcome="invalid"),
        fake_test("THR-P-SLS", series=[[100]]),
    ]
    assert only(tests).value.tolist() == [75.0]
    assert only(tests[:1]).value.tolist() == [31.0, 25.0, 30.0]


def test_nothing_is_subtracted_from_the_clock_of_the_os_or_from_values() -> None:
    by_os = only([fake_test("TMR-P-CYC", series=[fake_series([500], source="os")])], clock={"rate_num": 3 * 10**9})
    assert (by_os.value.tolist(), by_os.overhead, by_os.unit) == ([500.0], 0.0, "ns")
    value = only([fake_test("MEM-B-LEK", series=[fake_series([4096], source="value", unit="B")])])
    assert (value.value.tolist(), value.overhead, value.unit) == ([4096.0], 0.0, "B")


def test_params_name_the_part() -> None:
    found = only([fake_test("SEM-P-SCL", params={"a": 1}, series=[fake_series([1], name="release")])])
    assert found.params == {"a": 1, "part": "release"}


def test_time_is_counted_from_the_first_anchor_of_the_run() -> None:
    starts = [START_STAMP + 2_000_000_000, START_STAMP - 1_000_000_000]
    found = only([fake_test("THR-P-SLS", series=[fake_series([1, 1], starts=starts)])])
    assert found.at.tolist() == pytest.approx([2.0, -1.0])
    by_os = only([fake_test("TMR-P-CYC", series=[fake_series([1], starts=[START_NS + 3 * 10**9], source="os")])])
    assert by_os.at.tolist() == pytest.approx([3.0])


def test_a_second_start_of_the_engine_goes_on_in_time_with_its_own_clock() -> None:
    first = build_trace([fake_test("THR-P-SLS", series=[[50]])])
    later = {"anchor_ns": START_NS + 60 * 10**9, "anchor_stamp": 5, "rate_num": 2 * 10**9, "overhead": 0}
    second = build_trace([fake_test("THR-P-SLS", series=[fake_series([50], starts=[5 + 2 * 10**9])])], clock=later)
    found = samples_of(read_trace(first + second))[1][0]
    assert found is not None
    assert found.at.tolist() == pytest.approx([61.0])
    assert found.value.tolist() == [25.0]


def test_a_clock_that_counts_down() -> None:
    clock = {"direction": -1, "anchor_stamp": 10**10}
    starts = [10**10 - 10**9, 10**10 - 2 * 10**9]
    found = only([fake_test("THR-P-SLS", series=[fake_series([-30, -40], starts=starts)])], clock=clock)
    assert found.value.tolist() == [10.0, 20.0]
    assert found.at.tolist() == pytest.approx([1.0, 2.0])


def test_a_narrow_clock_is_unwrapped_over_many_turns() -> None:
    """32 bits of 1 GHz turn every 4.3 s; the test begins 1 ms after the anchor in the builder."""
    at_s = np.array([0.002, 2.0, 3.9, 6.0, 7.5, 9.5, 9.4])
    starts = (START_STAMP + (at_s * 1e9).astype(np.int64)) % 2**32
    series = fake_series([40] * 7, starts=starts)
    clock = {"width": 32, "anchor_stamp": START_STAMP % 2**32}
    found = only([fake_test("THR-P-SLS", series=[series])], clock=clock)
    assert found.at.tolist() == pytest.approx(at_s.tolist())
    assert found.at_of(np.array([3, 1])).tolist() == pytest.approx([6.0, 2.0])


def test_a_narrow_clock_that_turned_before_the_test_began() -> None:
    clock = {"width": 32, "anchor_stamp": START_STAMP % 2**32}
    waiting = [fake_test("SEM-B-REL")] * 9  # the builder begins a test every second
    at = 9.0015
    starts = [(START_STAMP + int(at * 1e9)) % 2**32]
    found = only([*waiting, fake_test("THR-P-SLS", series=[fake_series([40], starts=starts)])], clock=clock)
    assert found.at.tolist() == pytest.approx([at])


def test_without_a_clock_there_are_no_samples() -> None:
    trace = read_trace(build_trace([fake_test("THR-P-SLS", series=[[1]])], clock={"rate_num": 0}))
    assert samples_of(trace) == [[None]]


# ---- losses ----


def test_positions_and_indices_with_losses() -> None:
    raw = make_samples([1, 2, 3, 4], missing=((0, 2), (3, 5), (10, 1)), resumed=(3,)).raw
    # on the target: 2 | 8, 9 | 11
    assert [index_on_target(raw, position) for position in range(4)] == [2, 8, 9, 11]
    assert positions_of_gaps(raw) == [0, 1, 3]


# ---- skipped activations ----


def test_activations_on_time_leave_nothing_to_enter() -> None:
    values, overruns, problems = skipped_activations(raw_of([0, MS, 2 * MS], [10, 999_999, 5]), MS)
    assert (values.tolist(), overruns, problems) == ([], 0, ())


def test_each_skipped_activation_gets_its_lateness() -> None:
    # The wake-up of the second is 2.3 ms late: activations 2 and 3 are over, the next is 4.
    values, overruns, _ = skipped_activations(raw_of([0, MS, 4 * MS], [10, 2_300_000, 5]), MS)
    assert (values.tolist(), overruns) == ([1_300_000.0, 300_000.0], 2)


def test_the_last_sample_skips_too() -> None:
    values, overruns, _ = skipped_activations(raw_of([0, MS], [10, 1_500_000]), MS)
    assert (values.tolist(), overruns) == ([500_000.0], 1)


def test_the_next_thread_is_no_skip() -> None:
    values, overruns, problems = skipped_activations(raw_of([0, MS, 0, MS, 2 * MS], [1, 2, 3, 4, 5]), MS)
    assert (values.tolist(), overruns, problems) == ([], 0, ())


def test_lost_samples_and_pauses_are_no_skips() -> None:
    lost = raw_of([0, 7 * MS], [1, 2], missing=((1, 6),))
    paused = raw_of([0, 7 * MS], [1, 1_200_000], resumed=(1,))
    assert skipped_activations(lost, MS)[1] == 0
    assert skipped_activations(paused, MS)[0].tolist() == [200_000.0]


def test_a_skip_that_the_wake_up_does_not_explain_is_counted_without_a_value() -> None:
    values, overruns, problems = skipped_activations(raw_of([0, 3 * MS], [1_100_000, 5]), MS)
    assert (values.tolist(), overruns) == ([100_000.0], 2)
    assert problems == ("1 of 2 skipped activations have no value",)


def test_due_times_out_of_step_are_named() -> None:
    _, overruns, problems = skipped_activations(raw_of([0, 1_500_000], [5, 5]), MS)
    assert overruns == 0
    assert problems == ("1 due times are not a multiple of the interval after the one before",)


def test_hostile_lateness_costs_no_memory() -> None:
    values, overruns, problems = skipped_activations(raw_of([0], [2**62]), 1)
    assert (len(values), overruns) == (1_000_000, 2**62)
    assert "have no value" in problems[0]
    # The next due time says that none was skipped.
    assert skipped_activations(raw_of([0, 1], [2**62, 0]), 1)[1] == 0


@given(st.lists(st.integers(0, 5_000_000), min_size=1, max_size=50), st.integers(100_000, 2_000_000))
def test_entered_values_are_those_of_a_simulated_thread(lateness: list[int], interval: int) -> None:
    due, now, starts, expected = 10**9, 0, [], []
    for late in lateness:
        starts.append(due)
        now = due + late
        expected += [now - one for one in range(due + interval, now + 1, interval)]
        due += (late // interval + 1) * interval
    values, overruns, problems = skipped_activations(raw_of(starts, lateness), interval)
    assert values.tolist() == expected
    assert (overruns, problems) == (len(expected), ())


def test_skips_across_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    due, late = [0, MS, 4 * MS, 5 * MS, 9 * MS], [10, 2_300_000, 5, 3_000_000, 1]
    whole = skipped_activations(raw_of(due, late), MS)
    for size in (1, 2, 3):
        monkeypatch.setattr("rtgauge.samples._PIECE", size)
        pieces = skipped_activations(raw_of(due, late), MS)
        assert pieces[0].tolist() == whole[0].tolist()
        assert pieces[1:] == whole[1:]


def test_periodic_samples_of_a_trace() -> None:
    series = fake_series([10, 2_300_000, 5], starts=[START_NS, START_NS + MS, START_NS + 4 * MS], source="os")
    series.analyse = "periodic"
    found = only([fake_test("TMR-P-CYC", params={"interval": MS}, series=[series])])
    assert (found.synthetic.tolist(), found.overruns, found.problems) == ([1_300_000.0, 300_000.0], 2, ())


def test_periodic_without_an_interval_is_a_problem() -> None:
    series = fake_series([10], source="os", analyse="periodic")
    found = only([fake_test("TMR-P-CYC", series=[series])])
    assert "interval" in found.problems[0]
