"""A trace of the engine, cut at every byte, flipped, doubled and put out of order: what is whole is kept, nothing is
invented."""

from __future__ import annotations

import pickle
import random
from functools import cache
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtgauge.model import Trace
from rtgauge.store.manifest import seal
from rtgauge.trace import Reader, read_trace
from rtgauge.trace.frames import Frame, FrameSplitter
from rtgauge.trace.payload import typed_array
from tests.fuzz.invariants import assert_from_blocks, assert_sound
from tests.fuzz.seeds import manifest
from tests.fuzz.targets import use_folder
from tests.golden.make import TRACE


@cache
def parts() -> list[bytes]:
    """The frames of the trace, each with the zero byte that ends it."""
    return [one + b"\0" for one in TRACE.read_bytes().split(b"\0")[:-1]]


@cache
def payloads() -> list[bytes]:
    found = [one for part in parts() for one in FrameSplitter().feed(part)]
    return [one.payload for one in found if isinstance(one, Frame)]


@cache
def contents() -> list[dict[str, Any]]:
    """The records as a plain decoder reads them."""
    return [cbor2.loads(payload) for payload in payloads()]


def test_the_trace_is_one_of_the_engine_and_whole() -> None:
    trace = read_trace(TRACE.read_bytes())
    assert trace.complete
    assert trace.problems == ()
    assert [test.descriptor.id for test in trace.tests] == ["CAL-P-TRC", "THR-P-SLS", "SEM-B-LCK", "SEM-B-LCK"]
    assert {record["r"] for record in contents()} >= {"clock", "block", "check", "counters", "evidence", "test-end"}


def expected(frames: int) -> list[dict[str, Any]]:
    """What the tests of the first frames hold."""
    tests: list[dict[str, Any]] = []
    for record in contents()[:frames]:
        kind = record["r"]
        if kind == "test-begin":
            empty: list[list[int]] = [[] for _ in record["descriptor"]["series"]]
            tests.append({"id": record["id"], "ticks": empty, "checks": [], "evidence": [], "outcome": None})
        elif kind == "block":
            start, stop = typed_array(record["start"]), typed_array(record["stop"])
            assert start is not None
            assert stop is not None
            tests[-1]["ticks"][record["series"]] += (stop - start).tolist()
        elif kind in ("check", "evidence"):
            tests[-1]["checks" if kind == "check" else kind].append(record["name"])
        elif kind == "test-end":
            tests[-1]["outcome"] = record["outcome"]
    return tests


def held(trace: Trace) -> list[dict[str, Any]]:
    return [
        {
            "id": test.descriptor.id,
            "ticks": [series.ticks.tolist() for series in test.series],
            "checks": [check.name for check in test.checks],
            "evidence": [line.name for line in test.evidence],
            "outcome": test.outcome,
        }
        for test in trace.tests
    ]


def test_a_cut_at_every_byte_keeps_exactly_what_is_whole() -> None:
    reader = Reader()
    for number, part in enumerate(parts()):
        state, whole = pickle.dumps(reader), expected(number)
        for cut in range(len(part)):
            begun: Reader = pickle.loads(state)
            begun.feed(part[:cut])
            trace = begun.finish()
            assert held(trace) == whole
            assert not trace.complete
            assert ("the trace ends within a frame" in trace.problems) == (cut > 0)
            assert ("the trace has no beginning" in trace.problems) == (number == 0)
            assert ("the engine did not reach its end" in trace.problems) == (number > 0)
            endless = [f"{test['id']} has no end" for test in whole if test["outcome"] is None]
            assert [line for line in trace.problems if line.endswith("has no end")] == endless
        reader.feed(part)
    trace = reader.finish()
    assert (trace.complete, trace.problems) == (True, ())
    assert held(trace) == expected(len(parts()))


def places() -> list[tuple[str, int]]:
    """Within the first frame of each kind of record, and after the last byte but one of all."""
    found: dict[str, int] = {}
    at = 0
    for part, record in zip(parts(), contents(), strict=True):
        found.setdefault(record["r"], at + len(part) // 2)
        at += len(part)
    return [*found.items(), ("end", at - 1)]


@pytest.mark.parametrize(("kind", "cut"), places())
def test_a_run_with_a_cut_trace_is_shown_reported_and_verified(kind: str, cut: int) -> None:  # noqa: ARG001
    trace = TRACE.read_bytes()[:cut]
    about = {**manifest(), "spec": {**manifest()["spec"], "jobs": []}, "deaths": []}
    use_folder({"trace.cbor": trace, "manifest.json": seal({**about, "state": "running", "files": None})})
    use_folder({"trace.cbor": trace, "manifest.json": seal({**about, "state": "broken", "why": "it was cut"})})


def test_a_flipped_byte_is_noticed_and_costs_no_more_than_its_frame() -> None:
    data, rng = bytearray(TRACE.read_bytes()), random.Random(1)
    whole = {sample for test in expected(len(parts())) for series in test["ticks"] for sample in series}
    for at in range(0, len(data), 29):
        mask = rng.randrange(1, 256)
        data[at] ^= mask
        trace = read_trace(bytes(data))
        data[at] ^= mask
        assert trace.problems
        assert_from_blocks(trace, payloads())
        assert {sample for test in held(trace) for series in test["ticks"] for sample in series} <= whole


ORDERS = st.lists(st.integers(0, 200), min_size=1, max_size=60)


@settings(max_examples=60)
@given(ORDERS)
def test_frames_in_any_order_and_number(order: list[int]) -> None:
    chosen = [parts()[one % len(parts())] for one in order]
    data = b"".join(chosen)
    trace = read_trace(data)
    assert_sound(trace, len(data))
    assert_from_blocks(trace, payloads())
    known = {test["id"]: test for test in expected(len(parts()))}
    for test in held(trace):
        assert set(test["checks"]) <= {name for one in known.values() for name in one["checks"]}
    assert trace.complete == (chosen == parts()) or not trace.tests or trace.problems


@settings(max_examples=60)
@given(st.integers(0, 200), st.integers(1, 4))
def test_neighbours_that_changed_places(first: int, apart: int) -> None:
    order = list(parts())
    one = first % len(order)
    other = (one + apart) % len(order)
    order[one], order[other] = order[other], order[one]
    trace = read_trace(b"".join(order))
    assert trace.problems
    assert_from_blocks(trace, payloads())
    whole = expected(len(parts()))
    for test in held(trace):
        assert any(
            test["id"] == known["id"]
            and all(set(a) <= set(b) for a, b in zip(test["ticks"], known["ticks"], strict=True))
            for known in whole
        )


@settings(max_examples=60)
@given(st.integers(0, 200), st.integers(0, 200), st.integers(1, 8))
def test_a_stretch_that_came_twice(first: int, where: int, count: int) -> None:
    order = list(parts())
    begin = first % len(order)
    stretch = order[begin : begin + count]
    after = max(begin + len(stretch), where % (len(order) + 1))
    again = [*order[:after], *stretch, *order[after:]]
    trace = read_trace(b"".join(again))
    assert trace.problems
    if begin > 0:  # with the run-begin it is another start of the engine
        assert [one["ticks"] for one in held(trace)][: len(expected(len(order)))] == [
            one["ticks"] for one in expected(len(order))
        ]
    assert_from_blocks(trace, payloads())
