"""What must hold whatever was read."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import cbor2
import numpy as np

from rtgauge.model import SeriesTrace, Trace
from rtgauge.trace.columns import tick_differences
from rtgauge.trace.payload import typed_array
from rtgauge.trace.records import SERIES_MAX

TEST_ID = re.compile(r"[A-Z]+-[BPS]-[A-Z]+\Z")
CONTROL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)  # a line feed is the writer's own
TAGS_OF_TEXTS = re.compile(rb"<script>alert|onload=['\"]|javascript:x\)['\"]")


def assert_sound(trace: Trace, size: int) -> None:
    """A trace of `size` bytes holds no more than was in it, and nothing in it can do harm where it is shown."""
    total = 0
    for test in trace.tests:
        assert TEST_ID.match(test.descriptor.id)
        assert len(test.series) == len(test.descriptor.series) <= SERIES_MAX
        for series in test.series:
            assert_series(series)
            total += len(series.start)
    assert 2 * total <= size
    assert len(trace.problems) <= 201
    for text in texts(trace):
        assert not CONTROL.search(text), text
        assert len(text) <= 3 * 4096


def assert_series(series: SeriesTrace) -> None:
    assert len(series.start) == len(series.ticks) == len(series.aux)
    after = 0
    for first, count in series.missing:
        assert first >= after
        assert count > 0
        after = first + count
    assert all(0 <= place < len(series.start) for place in series.resumed)
    assert list(series.resumed) == sorted(set(series.resumed))
    assert after <= len(series.start) + sum(count for _, count in series.missing)


def assert_from_blocks(trace: Trace, payloads: Iterable[bytes]) -> None:
    """Every sample stands in a block of the input, with this index, these stamps and this number beside it."""
    sent: set[tuple[int, int, int, int]] = set()
    for payload in payloads:
        for index, start, stop, aux in _block(payload):
            sent.add((index, start, stop, aux))
    for test in trace.tests:
        for series in test.series:
            assert_series_from(series, test.clock, sent)


def assert_series_from(series: SeriesTrace, clock: Any, sent: set[tuple[int, int, int, int]]) -> None:
    by_start: dict[tuple[int, int, int], list[int]] = {}
    for index, start, stop, aux in sent:
        by_start.setdefault((index, start, aux), []).append(stop)
    lost = dict(series.missing)
    index = 0
    for start, ticks, aux in zip(series.start.tolist(), series.ticks.tolist(), series.aux.tolist(), strict=True):
        while index in lost:
            index += lost[index]
        assert ticks in {
            one for stop in by_start[index, start, aux] for one in _possible(series, clock, start, stop)
        }, f"sample {index} was not sent"
        index += 1


def _possible(series: SeriesTrace, clock: Any, start: int, stop: int) -> list[int]:
    """The ticks between two stamps: by the width of each array that may have carried them."""
    if series.info.source == "value":
        return [stop if stop < 1 << 63 else stop - (1 << 64)]
    width, direction = (clock.width, clock.direction) if clock and series.info.source == "stamp" else (64, 1)
    one, other = np.array([start], np.uint64), np.array([stop], np.uint64)
    return [int(tick_differences(one, other, min(width, bits), direction)[0]) for bits in (8, 16, 32, 64)]


def _block(payload: bytes) -> Iterable[tuple[int, int, int, int]]:
    try:
        record = cbor2.loads(payload, str_errors="replace")
        first = record["first"]
        arrays = [typed_array(record[name]) for name in ("start", "stop")]
        aux = typed_array(record["aux"]) if "aux" in record else None
        if any(one is None for one in arrays):
            return []
        start, stop = ([int(value) for value in one] for one in arrays if one is not None)
        numbers = [0] * len(start) if aux is None else [int(value) for value in aux]
        return [(first + i, *three) for i, three in enumerate(zip(start, stop, numbers, strict=False))]
    except Exception:  # what is no block has no samples
        return []


def assert_same(one: Trace, other: Trace) -> None:
    """However a trace is cut into pieces, the same is read."""
    assert (one.problems, one.complete, one.facts, one.clock, one.why) == (
        other.problems,
        other.complete,
        other.facts,
        other.clock,
        other.why,
    )
    assert len(one.tests) == len(other.tests)
    for first, second in zip(one.tests, other.tests, strict=True):
        assert (first.job, first.outcome, first.checks, first.evidence) == (
            second.job,
            second.outcome,
            second.checks,
            second.evidence,
        )
        for a, b in zip(first.series, second.series, strict=True):
            assert a.ticks.tobytes() == b.ticks.tobytes()
            assert a.missing == b.missing


def texts(trace: Trace) -> Iterable[str]:
    """Every text of a trace."""
    yield from (trace.engine, trace.port, *trace.build, *trace.build.values(), *trace.facts, trace.why or "")
    yield from (value for value in trace.facts.values() if isinstance(value, str))
    yield from trace.problems
    if trace.clock:
        yield from (trace.clock.name, trace.clock.why, *(text for pair in trace.clock.rejected for text in pair))
    for test in trace.tests:
        yield from (test.descriptor.title, test.descriptor.question, *test.descriptor.needs, test.reason or "")
        yield from (text for info in test.descriptor.params for text in (info.name, info.sweep, info.legal, info.what))
        for series in test.descriptor.series:
            yield from (series.name, series.unit, series.start, series.stop, series.thread, series.aux, *series.analyse)
        yield from (text for check in test.checks for text in (check.name, check.what))
        yield from (text for pair in test.unchecked for text in pair)
        yield from (text for line in test.evidence for text in (line.name, str(line.value), line.unit))
        yield from (str(text) for pair in test.params.items() for text in pair)
        yield from test.counters


def assert_shown_safely(where: str, made: str | bytes) -> None:
    """No control of a terminal, no mark-up, and JSON that every reader takes."""
    data = made.encode("utf-8") if isinstance(made, str) else made
    text = data.decode("utf-8")
    found = CONTROL.search(text.replace("\t", "") if where == "html" else text)  # a page's own scripts are indented
    assert not found, f"{where}: U+{ord(found[0]):04X}" if found else ""
    assert not any(unicodedata.category(sign) == "Cs" for sign in set(text))
    if where == "html":
        assert not TAGS_OF_TEXTS.search(data)
    if where == "md":
        assert "<script" not in text
    if where == "json":
        json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")
