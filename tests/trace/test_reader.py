"""The reader keeps all that is whole, says what is not, and invents nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rtgauge.model import Trace
from rtgauge.trace import Reader, read_trace
from rtgauge.trace.events import BlockRead, Progress, RunBegun, RunEnded, TestBegun, TestEnded
from tests.support.example import example_trace
from tests.support.traces import START_STAMP, build_trace, fake_series, fake_test, frame, frames, records

TICKS = np.arange(50, 150)


def small_tests() -> list[Any]:
    return [
        fake_test("THR-P-SLS", params={"threads": 2}, series=[fake_series(TICKS, block=10)]),
        fake_test("SEM-B-REL", checks=[("order", "property", True, "in order")], evidence=[("levels", 99, "")]),
        fake_test("THR-P-SLS", params={"threads": 9}, series=[fake_series(TICKS + 1000, block=10)]),
    ]


@cache
def small_records() -> list[dict[str, Any]]:
    return records(small_tests())


@cache
def small_trace() -> bytes:
    return frames(small_records())


def ticks_of(trace: Trace) -> list[list[list[int]]]:
    return [[series.ticks.tolist() for series in test.series] for test in trace.tests]


def assert_nothing_invented(trace: Trace) -> None:
    """What is in the trace is a part of what was measured, in its place."""
    whole = read_trace(small_trace())
    originals = {test.job: test for test in whole.tests}
    for test in trace.tests:
        original = originals[test.job]
        assert test.params == original.params
        assert set(test.checks) <= set(original.checks)
        if test.outcome is not None:
            assert (test.outcome, test.end_ns) == (original.outcome, original.end_ns)
        for series, before in zip(test.series, original.series, strict=True):
            positions = positions_on_target(series)
            assert series.ticks.tolist() == before.ticks[positions].tolist()
            assert series.start.tolist() == before.start[positions].tolist()
            if test.outcome is not None:
                assert len(series.ticks) + sum(n for _, n in series.missing) == series.recorded == len(before.ticks)


def positions_on_target(series: Any) -> list[int]:
    lost = {index for first, count in series.missing for index in range(first, first + count)}
    return [index for index in range(len(series.ticks) + len(lost)) if index not in lost][: len(series.ticks)]


# ---- whole traces ----


def test_everything_of_a_whole_trace() -> None:
    trace = read_trace(small_trace())
    assert trace.complete
    assert trace.problems == ()
    assert trace.engine == "rtgauge-engine 0.1.0"
    assert trace.facts["cpus"] == 2
    assert trace.clock is not None
    assert trace.clock.ns_per_tick == 1.0
    assert trace.clock.rejected == (("hpet", "coarser"),)
    first = trace.tests[0]
    assert first.descriptor.params[0].name == "threads"
    assert first.clock == trace.clock
    assert first.series[0].start[:2].tolist() == [START_STAMP + 1_000_000, START_STAMP + 1_010_000]
    assert trace.tests[1].evidence[0].value == 99
    assert ticks_of(trace)[2] == [(TICKS + 1000).tolist()]


def test_series_aux_counters_and_losses_on_the_target() -> None:
    series = fake_series([5, 6, 7], aux=[0, 65535, 2], dropped=4, block=2, resumed=(2,))
    test = fake_test("SEM-P-SCL", series=[series], counters={"faults": (3, 5)}, stopped=True)
    found = read_trace(build_trace([test])).tests[0]
    assert found.series[0].aux.tolist() == [0, 65535, 2]
    assert (found.series[0].dropped, found.series[0].recorded, found.series[0].resumed) == (4, 3, (2,))
    assert found.series[0].lost == 4
    assert (found.counters, found.stopped) == ({"faults": 2}, True)


@given(
    st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(-(2**62), 2**62), st.integers(0, 65535)), max_size=60),
    st.booleans(),
    st.integers(1, 70),
)
def test_round_trip_of_any_samples(samples: list[tuple[int, int, int]], swap: bool, piece: int) -> None:
    starts, ticks, aux = (list(column) for column in zip(*samples, strict=True)) if samples else ([], [], [])
    series = fake_series(ticks, starts=starts, aux=aux, block=7)
    reader = Reader()
    data = build_trace([fake_test("X-P-Y", series=[series])], swap=swap)
    for at in range(0, len(data), piece):
        reader.feed(data[at : at + piece])
    found = reader.finish().tests[0].series[0]
    assert (found.start.tolist(), found.ticks.tolist(), found.aux.tolist()) == (starts, ticks, aux)
    wide = any(not -(2**31) <= one < 2**31 for one in ticks)
    assert found.ticks.dtype == (np.int64 if wide else np.int32)


@pytest.mark.parametrize(
    ("width", "direction", "start", "stop", "ticks"),
    [
        (64, 1, 2**64 - 5, 5, 10),
        (64, 1, 5, 2, -3),
        (64, -1, 5, 2, 3),
        (32, 1, 2**32 - 1, 4, 5),
        (32, -1, 4, 2**32 - 1, 5),
        (24, -1, 2, 2**24 - 2, 4),
        (24, 1, 7, 5, -2),
        (16, 1, 0, 2**15 - 1, 2**15 - 1),
    ],
)
def test_clocks_wrap_and_count_either_way(width: int, direction: int, start: int, stop: int, ticks: int) -> None:
    made = fake_series([(stop - start + 2**63) % 2**64 - 2**63], starts=[start])
    clock = {"width": width, "direction": direction, "anchor_stamp": 0}
    trace = read_trace(build_trace([fake_test("X-P-Y", series=[made])], clock=clock))
    assert trace.tests[0].series[0].ticks.tolist() == [ticks]


def test_values_are_kept_as_they_are() -> None:
    made = fake_series([4096, -1, 2**40], unit="B", source="value")
    trace = read_trace(build_trace([fake_test("MEM-B-LEK", series=[made])], clock={"width": 32, "direction": -1}))
    assert trace.tests[0].series[0].ticks.tolist() == [4096, -1, 2**40]


def test_descriptors_of_a_list() -> None:
    trace = read_trace(build_trace(descriptors=small_tests()))
    assert [one.id for one in trace.descriptors] == ["THR-P-SLS", "SEM-B-REL", "THR-P-SLS"]
    assert trace.complete


def test_a_file_is_read_in_pieces(tmp_path: Any) -> None:
    (tmp_path / "trace.cbor").write_bytes(small_trace())
    assert ticks_of(read_trace(tmp_path / "trace.cbor")) == ticks_of(read_trace(small_trace()))


def test_events() -> None:
    made = small_records()
    made.insert(5, {"r": "progress", "done": 10, "of": 100})
    events = Reader(keep_samples=False).feed(frames(made))
    assert events[0] == RunBegun("rtgauge-engine 0.1.0", "posix", 64 << 20)
    assert events[1] == TestBegun(0, "THR-P-SLS", {"threads": 2}, 100)
    assert events[2] == BlockRead(0, 10, 59, 59.0, "ns")
    assert events[3] == Progress(10, 100)
    assert TestEnded(1, "SEM-B-REL", "done", None) in events
    assert events[-1] == RunEnded(3, None)


def test_samples_can_be_counted_without_being_kept() -> None:
    reader = Reader(keep_samples=False)
    reader.feed(small_trace())
    series = reader.finish().tests[0].series[0]
    assert (len(series.ticks), series.recorded, series.missing) == (0, 100, ())


# ---- the engine was started again ----


def test_several_starts_follow_each_other() -> None:
    first, second = small_tests()[:1], small_tests()[1:]
    first[0].outcome = None
    data = build_trace(first, run_end=False) + build_trace(second, clock={"anchor_ns": 9_000_000_000})
    trace = read_trace(data)
    assert [test.descriptor.id for test in trace.tests] == ["THR-P-SLS", "SEM-B-REL", "THR-P-SLS"]
    assert [test.outcome for test in trace.tests] == [None, "done", "done"]
    assert [test.job for test in trace.tests] == [0, 0, 1]
    assert trace.tests[1].clock is not None
    assert trace.tests[1].clock.anchor_ns == 9_000_000_000
    assert trace.clock == trace.tests[0].clock
    assert not trace.complete
    assert trace.problems == ("THR-P-SLS has no end", "the engine did not reach its end")


def test_a_second_start_without_its_beginning() -> None:
    trace = read_trace(build_trace(small_tests()[:1]) + frames(records(small_tests()[1:])[1:], first=1))
    assert len(trace.tests) == 3
    assert trace.problems == ("a new start of the engine without its beginning",)
    assert all(test.outcome == "done" for test in trace.tests)


def test_an_error_of_the_engine() -> None:
    trace = read_trace(build_trace(why="the request is not readable"))
    assert (trace.why, trace.complete) == ("the request is not readable", False)


def test_an_unknown_version_is_not_read() -> None:
    made = records(small_tests())
    made[0]["version"] = 2
    trace = read_trace(frames(made))
    assert trace.tests == ()
    assert not trace.complete
    assert "version 2" in trace.problems[0]


# ---- damage ----


def test_cut_at_every_byte() -> None:
    data = small_trace()
    for cut in range(0, len(data), 7):
        trace = read_trace(data[:cut])
        assert not trace.complete
        assert trace.problems
        assert_nothing_invented(trace)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(1, 255)), min_size=1, max_size=4))
def test_flipped_bytes(flips: list[tuple[float, int]]) -> None:
    data = bytearray(small_trace())
    for share, mask in flips:
        data[int(share * len(data))] ^= mask
    trace = read_trace(bytes(data))
    if bytes(data) != small_trace():
        assert trace.problems
    assert_nothing_invented(trace)


@given(st.lists(st.tuples(st.sampled_from(["drop", "twice"]), st.integers(0, 200)), min_size=1, max_size=6))
def test_missing_and_repeated_frames(changes: list[tuple[str, int]]) -> None:
    whole = [frame(record, number) for number, record in enumerate(small_records())]
    parts = list(whole)
    for what, where in changes:
        at = where % len(parts)
        parts[at : at + 1] = [] if what == "drop" else [parts[at]] * 2
        parts = parts or [b"\0"]
    trace = read_trace(b"".join(parts))
    assert bool(trace.problems) == (parts != whole)
    assert_nothing_invented(trace)


@given(st.integers(0, 32), st.integers(1, 40))
def test_a_stretch_of_frames_is_lost(first: int, count: int) -> None:
    parts = [frame(record, number) for number, record in enumerate(small_records())]
    del parts[first : first + count]
    trace = read_trace(b"".join(parts))
    assert trace.problems
    assert_nothing_invented(trace)


def test_a_lost_block_is_named_and_counted() -> None:
    made = small_records()
    lost = next(i for i, record in enumerate(made) if record.get("first") == 20)
    trace = read_trace(b"".join(frame(record, i) for i, record in enumerate(made) if i != lost))
    series = trace.tests[0].series[0]
    assert series.missing == ((20, 10),)
    assert (len(series.ticks), series.recorded, series.lost) == (90, 100, 10)
    assert trace.tests[0].damaged
    assert trace.tests[0].outcome == "done"
    assert not trace.tests[1].damaged
    assert f"frame {lost} is missing" in trace.problems


def test_a_lost_last_block_is_known_from_the_count() -> None:
    made = small_records()
    lost = next(i for i, record in enumerate(made) if record.get("first") == 90)
    trace = read_trace(b"".join(frame(record, i) for i, record in enumerate(made) if i != lost))
    assert trace.tests[0].series[0].missing == ((90, 10),)


def test_samples_of_another_test_are_never_taken_in() -> None:
    """The end of one test, all of the next but its last blocks, are lost: those blocks must not join the first test."""
    made = records([*small_tests(), fake_test("X-P-Y", series=[[1]])])
    begins = [i for i, record in enumerate(made) if record["r"] == "test-begin"]
    kept = [*range(begins[0] + 2), *range(begins[2] + 3, len(made))]
    trace = read_trace(b"".join(frame(made[i], i) for i in kept))
    assert ticks_of(trace)[0] == [TICKS[:10].tolist()]
    assert trace.tests[0].outcome is None
    assert trace.tests[0].damaged
    assert any("may be another test's" in problem for problem in trace.problems)
    assert ticks_of(trace)[1] == [[1]]


def test_a_long_gap_within_one_test_is_proven_by_the_next_job() -> None:
    made = small_records()
    first = next(i for i, record in enumerate(made) if record.get("first") == 20)
    trace = read_trace(b"".join(frame(record, i) for i, record in enumerate(made) if not first <= i < first + 3))
    assert trace.tests[0].series[0].missing == ((20, 30),)
    assert trace.tests[0].outcome == "done"


def test_a_bad_record_is_left_out_and_the_rest_kept() -> None:
    made = records(small_tests())
    made[3]["r"] = "block"  # the test-begin
    trace = read_trace(frames(made))
    assert [test.job for test in trace.tests] == [1, 2]
    assert any("no test is under way" in problem for problem in trace.problems)


@pytest.mark.parametrize(
    "change",
    [
        {"first": 5},
        {"first": -1},
        {"first": 2**60},
        {"first": True},
        {"series": 1},
        {"start": b"12345678"},
        {"stop": None},
        {"aux": 3},
        {"resumed": 1},
    ],
)
def test_blocks_that_do_not_fit(change: dict[str, Any]) -> None:
    made = records([fake_test("X-P-Y", series=[fake_series(TICKS, block=50)])])
    block = next(record for record in made if record.get("first") == 50)
    block.update(change)
    trace = read_trace(frames(made))
    series = trace.tests[0].series[0]
    assert series.ticks.tolist() == TICKS[:50].tolist()
    assert series.missing == ((50, 50),)
    assert trace.tests[0].damaged
    assert any("block" in problem for problem in trace.problems)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("clock", {"rate_num": 0}),
        ("clock", {"rate_den": 0}),
        ("clock", {"width": 65}),
        ("clock", {"width": 0}),
        ("clock", {"direction": 0}),
        ("clock", {"name": 3}),
        ("test-begin", {"id": "../etc/passwd"}),
        ("test-begin", {"id": "THR-P-NEW"}),
        ("test-begin", {"id": "A" * 100 + "-P-X"}),
        ("test-begin", {"mode": "other"}),
        ("test-begin", {"params": {"a\nb": 1}}),
        ("test-begin", {"params": [1]}),
        ("test-begin", {"descriptor": None}),
        ("test-end", {"outcome": "fine"}),
        ("test-end", {"recorded": []}),
        ("test-end", {"recorded": [2**50]}),
        ("system", {"facts": 3}),
        ("run-end", {"tests": "x"}),
    ],
)
def test_records_that_are_not_what_they_claim(kind: str, change: dict[str, Any]) -> None:
    made = records([fake_test("X-P-Y", series=[[1, 2, 3]])])
    next(record for record in made if record["r"] == kind).update(change)
    trace = read_trace(frames(made))
    assert any(f"record {kind} " in problem for problem in trace.problems)
    assert kind != "clock" or trace.clock is None
    assert kind != "test-begin" or trace.tests == ()
    assert kind != "test-end" or trace.tests[0].outcome is None


def test_claims_of_huge_counts_cost_no_memory() -> None:
    made = records([fake_test("X-P-Y", series=[[1, 2, 3]], samples=2**62)])
    trace = read_trace(frames(made))
    assert trace.tests[0].samples == 2**62
    assert trace.tests[0].series[0].ticks.nbytes == 12


def test_more_series_than_allowed() -> None:
    trace = read_trace(build_trace([fake_test("X-P-Y", series=[[1]] * 7)]))
    assert trace.tests == ()
    assert "more than 6 series" in trace.problems[0]


def test_control_characters_never_get_through() -> None:
    data = build_trace([], facts={"release": "6.1\x1b[31m\n\u202e\u2028\u061c\x9bevil", "bad\x1bname": 1})
    trace = read_trace(data)
    assert trace.facts["release"] == "6.1\ufffd[31m \ufffd\ufffd\ufffd\ufffdevil"
    assert not any("\x1b" in name for name in trace.facts)
    assert not any("\x1b" in problem for problem in trace.problems)


def test_records_that_did_not_fit_on_the_target_make_absence_prove_nothing() -> None:
    made = records(small_tests())
    made[-1]["too_long"] = 2
    trace = read_trace(frames(made))
    assert all(test.damaged for test in trace.tests)
    assert "2 records did not fit" in trace.problems[0]


def test_problems_are_bounded_in_number() -> None:
    trace = read_trace(b"\x05nothing\0" * 10_000)
    assert len(trace.problems) == 201
    assert trace.problems[-1] == "and 9801 more problems"


@given(st.binary(max_size=400))
def test_no_bytes_make_the_reader_fail(data: bytes) -> None:
    assert not read_trace(data).complete
    assert not read_trace(build_trace()[:-3] + data).tests


@given(
    st.dictionaries(
        st.sampled_from(["r", "job", "id", "first", "series", "start", "role", "values", "facts", "tests", "when"]),
        st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(0, 9), max_size=3) | st.booleans(),
    ),
    st.sampled_from([record["r"] for record in small_records()]),
)
def test_no_record_makes_the_reader_fail(record: dict[str, Any], kind: str) -> None:
    made = records(small_tests()[:1])
    made.insert(5, {"r": kind, **record})
    read_trace(frames([one for one in made if representable(one)]))


def representable(record: dict[str, Any]) -> bool:
    return all(not isinstance(value, int) or abs(value) < 2**63 for value in record.values())


def test_the_example_is_well_formed() -> None:
    trace = read_trace(example_trace())
    assert trace.complete
    assert len(trace.tests) == 17
    assert trace.problems == ("THR-P-NEW has no end",)
