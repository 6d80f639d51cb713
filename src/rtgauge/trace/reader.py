"""The reader of a trace: keeps all that is whole, and says what is not. Nothing in a trace is trusted."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, BinaryIO

from rtgauge.model import ClockInfo, Descriptor, LoadInfo, TestTrace, Trace
from rtgauge.trace.assembly import TestBuilder
from rtgauge.trace.events import BlockRead, Event, Progress, RunBegun, RunEnded, TestBegun, TestEnded
from rtgauge.trace.fields import FieldError, choice, text, text_or_none, uint
from rtgauge.trace.frames import UNNUMBERED, Frame, FrameSplitter
from rtgauge.trace.payload import PayloadError, decode_payload
from rtgauge.trace.problems import Problems
from rtgauge.trace.records import (
    read_check,
    read_clock,
    read_descriptor,
    read_evidence,
    read_load,
    read_load_info,
    read_named,
    read_unchecked,
)
from rtgauge.trace.sequence import SequenceCheck
from rtgauge.trace.writer import VERSION

_CHUNK = 1 << 18


def read_trace(source: str | Path | bytes | BinaryIO) -> Trace:
    """The trace in a file, read piece by piece, or in bytes."""
    if isinstance(source, bytes):
        return _read(io.BytesIO(source))
    if not isinstance(source, (str, Path)):
        return _read(source)
    with Path(source).open("rb") as file:
        return _read(file)


def _read(stream: BinaryIO) -> Trace:
    reader = Reader()
    while chunk := stream.read(_CHUNK):
        reader.feed(chunk)
    return reader.finish()


class Reader:
    """Takes a trace in pieces of any size. With `keep_samples=False` it counts samples without keeping them."""

    def __init__(self, keep_samples: bool = True) -> None:
        self._keep = keep_samples
        self._splitter = FrameSplitter()
        self._sequence = SequenceCheck()
        self._problems = Problems()
        self._begin: dict[str, Any] | None = None  # what the first run-begin said
        self._facts: dict[str, str | int] = {}
        self._first_clock: ClockInfo | None = None
        self._descriptors: list[Descriptor] = []
        self._loads: list[LoadInfo] = []
        self._tests: list[TestTrace] = []
        self._whole = True  # every start so far has ended without an error
        self._why: str | None = None
        self._start_new()

    def _start_new(self) -> None:
        """Forgets what belongs to one start of the engine."""
        self._clock: ClockInfo | None = None
        self._image = ""
        self._builders: list[TestBuilder] = []
        self._open: TestBuilder | None = None
        self._running = False  # a run-begin came and no run-end yet
        self._refused = False  # of a version that is not known: nothing in it is read

    def feed(self, chunk: bytes) -> list[Event]:
        """Takes the next bytes; what they tell. Never raises for what is in them."""
        events: list[Event] = []
        for frame in self._splitter.feed(chunk):
            if isinstance(frame, str):
                self._problems.add(f"a bad frame after number {self._sequence.expected - 1}: {frame}")
                self._damage()
            else:
                event = self._take(frame)
                if event is not None:
                    events.append(event)
        return events

    def finish(self) -> Trace:
        """The whole trace. The reader must not be used afterwards."""
        if self._splitter.left():
            self._problems.add("the trace ends within a frame")
        if self._begin is None:
            self._problems.add("the trace has no beginning")
        self._close_start(None)
        begin = self._begin or {}
        return Trace(
            engine=begin.get("engine", ""),
            port=begin.get("port", ""),
            build=begin.get("build", {}),
            facts=self._facts,
            clock=self._first_clock,
            tests=tuple(self._tests),
            descriptors=tuple(self._descriptors),
            loads=tuple(self._loads),
            sample_memory=begin.get("sample_memory", 0),
            complete=self._whole and self._begin is not None and not self._splitter.left(),
            why=self._why,
            problems=self._problems.lines(),
        )

    # ---- one frame ----

    def _take(self, frame: Frame) -> Event | None:
        record: dict[str, Any] = {}
        unreadable: PayloadError | None = None
        try:
            record = decode_payload(frame.payload)
        except PayloadError as error:
            unreadable = error
        kind = record.get("r")
        kind = kind if isinstance(kind, str) else ""
        if frame.sequence == UNNUMBERED and kind == "live":
            return self._live(record)
        arrival = self._sequence.take(frame.sequence, frame.crc, kind)
        if arrival.problem:
            self._problems.add(arrival.problem)
        if arrival.lost:
            self._damage()
        if arrival.lost > 1 and self._open is not None:
            self._open.doubt()
        if arrival.restart:
            self._close_start(None)
            self._running = True
        if unreadable is not None:
            self._left_out(f"frame {frame.sequence}", unreadable)
        if arrival.repeated or (self._refused and kind != "run-begin"):
            return None
        handler = _HANDLERS.get(kind)
        if handler is None:
            return None
        try:
            return handler(self, record)
        except FieldError as error:
            self._left_out(f"record {kind} in frame {frame.sequence}", error)
            return None

    def _left_out(self, what: str, error: Exception) -> None:
        self._problems.add(f"{what} was left out: {error}")
        self._damage()

    def _damage(self) -> None:
        if self._open is not None:
            self._open.damaged = True

    def _test(self) -> TestBuilder:
        if self._open is None:
            raise FieldError("no test is under way")
        return self._open

    # ---- one start of the engine ----

    def _close_start(self, tests_ended: int | None) -> None:
        """Ends what is open. `tests_ended` is what the run-end says, None when there is none."""
        self._close_test(tests_ended)
        if self._running:
            self._problems.add("the engine did not reach its end")
            self._whole = False
        for builder in self._builders:
            self._tests.append(builder.build())
        self._start_new()

    def _close_test(self, jobs_begun: int | None) -> None:
        """Settles the last test when the next thing is known: how many jobs had begun before that."""
        if not self._builders or self._builders[-1].closed:
            return
        last = self._builders[-1]
        last.closed = True
        if not last.settle(jobs_begun):
            last.damaged = True
            self._problems.add(f"{last.descriptor.id}: what followed the lost frames may be another test's: left out")
        if last.outcome is None:
            self._problems.add(f"{last.descriptor.id} has no end")
        self._open = None

    def _run_begin(self, record: dict[str, Any]) -> Event | None:
        self._close_start(None)
        self._running = True
        version = uint(record, "version")
        if version != VERSION:
            self._refused, self._whole = True, False
            raise FieldError(f"version {version} of the trace is not known")
        begin: dict[str, Any] = {
            "engine": text(record, "engine"),
            "port": text(record, "port", ""),
            "build": {k: str(v) for k, v in read_named(record.get("build", {}), "build", self._problems.add).items()},
            "sample_memory": uint(record, "sample_memory", 0),
        }
        self._begin = self._begin or begin
        return RunBegun(begin["engine"], begin["port"], begin["sample_memory"])

    def _system(self, record: dict[str, Any]) -> None:
        facts = read_named(record.get("facts"), "facts", self._problems.add)
        self._image = str(facts.get("image", ""))
        self._facts = self._facts or facts

    def _set_clock(self, record: dict[str, Any]) -> None:
        if self._builders:
            raise FieldError("the clock changes after the first test")
        self._clock = read_clock(record)
        self._first_clock = self._first_clock or self._clock

    def _descriptor(self, record: dict[str, Any]) -> None:
        self._descriptors.append(read_descriptor(record))

    def _load_descriptor(self, record: dict[str, Any]) -> None:
        self._loads.append(read_load_info(record))

    def _test_begin(self, record: dict[str, Any]) -> Event:
        self._close_test(record["job"] if isinstance(record.get("job"), int) else None)
        self._open = TestBuilder(record, self._clock, self._keep, self._image)
        self._builders.append(self._open)
        test = self._open
        return TestBegun(test.job, test.descriptor.id, test.params, test.samples)

    def _counters(self, record: dict[str, Any]) -> None:
        test = self._test()
        values = read_named(record.get("values"), "counters", self._problems.add)
        test.counters(choice(record, "when", ("before", "after")), values)

    def _block(self, record: dict[str, Any]) -> BlockRead:
        return self._test().block(record)

    def _accumulated(self, record: dict[str, Any]) -> BlockRead | None:
        return self._test().accumulated(record)

    def _live(self, record: dict[str, Any]) -> Event | None:
        """Only to be shown: one that cannot be read is no loss."""
        try:
            return self._test().live(record)
        except FieldError:
            return None

    def _check(self, record: dict[str, Any]) -> None:
        self._test().checks.append(read_check(record))

    def _unchecked(self, record: dict[str, Any]) -> None:
        self._test().unchecked.append(read_unchecked(record))

    def _evidence(self, record: dict[str, Any]) -> None:
        self._test().evidence.append(read_evidence(record))

    def _load(self, record: dict[str, Any]) -> None:
        self._test().loads.append(read_load(record))

    def _events(self, record: dict[str, Any]) -> None:
        self._test().window(record)

    def _progress(self, record: dict[str, Any]) -> Event:
        return Progress(uint(record, "done"), uint(record, "of"))

    def _test_end(self, record: dict[str, Any]) -> Event:
        test = self._test()
        for phrase in test.end(record):
            self._problems.add(f"{test.descriptor.id}: {phrase}")
            test.damaged = True
        assert test.outcome is not None
        self._open = None
        return TestEnded(test.job, test.descriptor.id, test.outcome, test.reason)

    def _run_end(self, record: dict[str, Any]) -> Event:
        tests, why, too_long = uint(record, "tests"), text_or_none(record, "why"), uint(record, "too_long", 0)
        if too_long:
            self._problems.add(f"{too_long} records did not fit into a frame of the engine")
            for builder in self._builders:
                builder.damaged = True
        if why is not None:
            self._why, self._whole = self._why or why, False
        self._running = False
        self._sequence.ended()
        self._close_start(tests)
        return RunEnded(tests, why)


_HANDLERS = {
    "run-begin": Reader._run_begin,
    "system": Reader._system,
    "clock": Reader._set_clock,
    "descriptor": Reader._descriptor,
    "load-descriptor": Reader._load_descriptor,
    "test-begin": Reader._test_begin,
    "counters": Reader._counters,
    "block": Reader._block,
    "accumulated": Reader._accumulated,
    "check": Reader._check,
    "unchecked": Reader._unchecked,
    "evidence": Reader._evidence,
    "load": Reader._load,
    "events": Reader._events,
    "progress": Reader._progress,
    "test-end": Reader._test_end,
    "run-end": Reader._run_end,
}
