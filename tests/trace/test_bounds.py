"""Claims of huge sizes, depths and counts are refused before anything is allocated for them."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import cbor2
import pytest

from rtgauge.trace import Reader, read_trace
from rtgauge.trace.frames import FRAME_MAX
from tests.support.traces import fake_series, fake_test, frame, frames, records

KEY = b"\xa1\x61a"  # a map of one entry, "a"
HEADS = {"bytes": 0x5B, "text": 0x7B, "array": 0x9B, "map": 0xBB}
SMALL = 1 << 20  # bytes


def peak_of(work: Callable[[], Any]) -> int:
    """The most memory that `work` held at a time, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [1 << 20, 1 << 31, 1 << 40, (1 << 63) - 1, (1 << 64) - 1])
@pytest.mark.parametrize("what", HEADS)
def test_a_payload_that_claims_more_than_it_has(what: str, size: int) -> None:
    claim = bytes([HEADS[what]]) + struct.pack(">Q", size)
    data = frame(KEY + claim, 0) + frame(KEY + b"\xd8\x47" + claim, 1) + frame(bytes([HEADS["map"]]) + claim[1:], 2)
    found: list[Any] = []
    assert peak_of(lambda: found.append(read_trace(data))) < SMALL
    assert sum("was left out" in line for line in found[0].problems) == 3


@pytest.mark.parametrize("item", [b"\x81", b"\xa1\x61a", b"\xd8\x47"])
def test_a_payload_nested_as_deep_as_a_frame_allows(item: bytes) -> None:
    data = frame(KEY + item * ((FRAME_MAX - 20) // len(item)) + b"\x00", 0)
    found: list[Any] = []
    assert peak_of(lambda: found.append(read_trace(data))) < SMALL
    assert "was left out" in found[0].problems[0]


def test_many_entries_in_many_maps_cost_no_more_than_a_few_times_their_bytes() -> None:
    """Each within its limit: 4096 entries of one byte, as often as a frame holds them."""
    payload = cbor2.dumps({"r": "system", "facts": {"a": [[0] * 4096] * 14}})
    data = b"".join(frame(payload, number) for number in range(2))
    assert peak_of(lambda: read_trace(data)) < 4 * len(data) + SMALL


def test_a_frame_without_an_end_is_not_kept() -> None:
    def feed() -> None:
        reader = Reader()
        for _ in range(256):
            reader.feed(b"\x01" * (1 << 18))
        assert not reader.finish().complete

    assert peak_of(feed) < 2 * SMALL


@pytest.mark.parametrize(
    "change",
    [
        {"samples": (1 << 63) - 1},
        {"first": (1 << 40) - 1},
        {"recorded": [1 << 40]},
        {"dropped": [1 << 40]},
        {"done": (1 << 63) - 1},
        {"tests": (1 << 63) - 1},
    ],
)
def test_counts_that_no_run_can_have(change: dict[str, Any]) -> None:
    """They cost nothing to read, to judge or to store."""
    from rtgauge.store.compute import compute
    from tests.fuzz.seeds import manifest, spec

    made = records([fake_test("THR-P-SLS", params={"threads": 2}, series=[fake_series([5, 6, 7, 8], block=2)])])
    made.insert(4, {"r": "progress", "done": 1, "of": 2})
    for record in made:
        record.update({key: value for key, value in change.items() if key in record})
    data = frames(made)
    read_trace(data)  # what is loaded once does not count
    assert peak_of(lambda: read_trace(data)) < SMALL
    trace = read_trace(data)
    compute(trace, spec(), manifest())
    assert peak_of(lambda: compute(trace, spec(), manifest())) < 4 * SMALL


def test_a_flood_of_bad_frames_leaves_a_bounded_list() -> None:
    data = b"\x05nothing\0" * 20_000
    reader = Reader()

    def feed() -> None:
        for at in range(0, len(data), 1 << 16):
            reader.feed(data[at : at + (1 << 16)])

    assert peak_of(feed) < 2 * SMALL
    assert len(reader.finish().problems) == 201
