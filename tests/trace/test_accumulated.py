"""Records of what was accumulated, damaged in every way: what is whole is kept, and nothing is believed that cannot
be."""

from __future__ import annotations

import struct
from typing import Any

import cbor2
import numpy as np
import pytest

from rtgauge.trace.accumulated import AccumulatedBuilder
from rtgauge.trace.fields import FieldError


def typed(values: Any, kind: str) -> cbor2.CBORTag:
    tags = {"<u1": 64, "<u2": 69, "<u4": 70, "<u8": 71, "<i8": 71}
    return cbor2.CBORTag(tags[kind], np.asarray(values, kind).tobytes())


def records() -> list[dict[str, Any]]:
    """Samples of 5, 5, 7, 300 and -2 ticks; bins of one tick up to 100; one value beyond was not kept."""
    pile = {"count": 6, "min": -2, "max": 900, "sum_high": 0, "sum_low": 1215, "dropped_below": 0, "dropped_beyond": 1}
    head = {
        **{"series": 0, "checkpoint": 4, "part": 0, "parts": 4, "at": 77, "first": 10, "first_start": 1000},
        **{"after_pause": True, "bins": 100, "width": 1, "beyond": 2, "lowest": 0, "highest": 50, "pauses": 1},
        **{"paused": 9, "dropped": 3, "measured": pile},
    }
    part = {"series": 0, "checkpoint": 4}
    extremes = {
        **{"of": "extremes", "values": typed([900, 300, 7, 5, 5, -2, -2], "<i8")},
        **{"since": typed([0, 1, 2, 3, 4, 5, 5], "<i8"), "index": typed([10, 11, 12, 13, 14, 15, 15], "<u8")},
        **{"start": typed([1000] * 7, "<u8"), "aux": typed([0] * 7, "<u2")},
    }
    bins = {"of": "measured", "from": 5, "steps": typed([0, 2], "<u1"), "counts": typed([2, 1], "<u2")}
    values = {"of": "measured", "values": typed([300, -2], "<i8")}
    return [head, {**part, "part": 1, **extremes}, {**part, "part": 2, **bins}, {**part, "part": 3, **values}]


def take(every: list[dict[str, Any]]) -> AccumulatedBuilder:
    builder = AccumulatedBuilder()
    for record in every:
        builder.take(record)
    return builder


def test_a_whole_checkpoint_is_read() -> None:
    made = take(records()).latest
    assert made is not None
    assert (made.first, made.first_start, made.at_ns, made.pauses, made.dropped) == (10, 1000, 77, 1, 3)
    assert made.measured.bins.tolist() == [5, 7]
    assert made.measured.counts.tolist() == [2, 1]
    assert made.measured.values.tolist() == [-2, 300]
    assert made.measured.total == 1215
    assert (made.largest[0].ticks, made.least.ticks, made.least.index) == (900, -2, 15)


def test_sums_below_zero_are_exact() -> None:
    every = records()
    every[0]["measured"] |= {"sum_high": -3, "sum_low": 5}
    made = take(every).latest
    assert made is not None
    assert made.measured.total == 5 - 3 * 2**32


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_without_one_part_the_checkpoint_before_it_stays(lost: int) -> None:
    builder = take(records())
    before = builder.latest
    later = [{**record, "checkpoint": 5} for record in records()]
    del later[lost]
    for record in later:
        try:
            builder.take(record)
        except FieldError:
            continue
    assert builder.latest is before
    for record in ({**one, "checkpoint": 6} for one in records()):
        builder.take(record)
    assert builder.latest is not before, "the next whole one heals it"


WRONG: list[tuple[int, str, Any]] = [
    (0, "parts", 1),
    (0, "parts", 1 << 20),
    (0, "width", 0),
    (0, "bins", 1 << 30),
    (0, "bins", 6),
    (0, "bins", 400),
    (0, "first", -1),
    (0, "lowest", "x"),
    (0, "after_pause", 1),
    (0, "measured", None),
    (1, "of", "others"),
    (1, "values", typed([1, 2], "<i8")),
    (1, "values", typed([5, 900, 300, 7, 5, -2, -2], "<i8")),
    (1, "values", typed([901, 300, 7, 5, 5, -2, -2], "<i8")),
    (1, "values", typed([1] * 7, "<u2")),
    (1, "aux", None),
    (2, "counts", typed([2], "<u2")),
    (2, "counts", typed([2, 2], "<u2")),
    (2, "steps", typed([0, 0], "<u1")),
    (2, "steps", typed([0, 2], "<u8")),
    (2, "from", 1 << 30),
    (3, "values", typed([300], "<i8")),
    (3, "values", typed([300, 50], "<i8")),
]


@pytest.mark.parametrize(("place", "key", "value"), WRONG)
def test_what_contradicts_itself_is_refused(place: int, key: str, value: Any) -> None:
    every = records()
    every[place][key] = value
    builder = AccumulatedBuilder()
    with pytest.raises(FieldError):
        _take_all(builder, every)
    assert builder.latest is None


def _take_all(builder: AccumulatedBuilder, every: list[dict[str, Any]]) -> None:
    for record in every:
        builder.take(record)


def test_every_missing_key_is_refused_or_has_a_default() -> None:
    for place, record in enumerate(records()):
        for key in record:
            every = records()
            del every[place][key]
            builder = AccumulatedBuilder()
            try:
                for one in every:
                    builder.take(one)
            except FieldError:
                assert builder.latest is None
            else:
                assert key in ("dropped", "series")


def test_a_number_as_wide_as_it_may_be() -> None:
    every = records()
    every[0]["first_start"] = struct.unpack("<Q", b"\xff" * 8)[0]
    made = take(every).latest
    assert made is not None
    assert made.first_start == 2**64 - 1
