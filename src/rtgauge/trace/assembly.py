"""One test of a trace while its records arrive."""

from __future__ import annotations

from typing import Any

from rtgauge.model import Check, ClockInfo, Evidence, LoadReport, Outcome, TestTrace
from rtgauge.trace.columns import Mark, SeriesBuilder
from rtgauge.trace.events import BlockRead, LiveRead
from rtgauge.trace.fields import FieldError, choice, entries, flag, test_id, text_or_none, uint
from rtgauge.trace.live import read_live
from rtgauge.trace.records import differences, read_descriptor, read_params
from rtgauge.trace.windows import EVENTS_MAX, PARTS_OF_TEST, WindowPart, join_parts, read_part

_OUTCOMES = ("done", "not-supported", "not-permitted", "invalid", "inconclusive")
_COUNT_MAX = 1 << 40


class TestBuilder:
    """Collects what belongs to one test.

    Records do not name their test. When two or more frames in a row are lost, the end of this test and the beginning of
    the next may be among them, and what follows may belong to either. `doubt` remembers the state before such a gap;
    `settle` keeps what came after it only when the numbering of the jobs proves that no test began in the gap.
    """

    __test__ = False  # not a pytest class

    def __init__(self, record: dict[str, Any], clock: ClockInfo | None, keep: bool, image: str = "") -> None:
        self.job = uint(record, "job")
        self.descriptor = read_descriptor(record.get("descriptor"))
        if self.descriptor.id != test_id(record):
            raise FieldError("the descriptor is another test's")
        self.params = read_params(record.get("params"))
        self.samples = uint(record, "samples", 0)
        self._mode = choice(record, "mode", ("store", "chunk", "accumulate"))
        self._cpu = uint(record, "cpu", 0)
        self._begin = uint(record, "at")
        self._end = self._begin
        self._clock = clock
        self._image = image
        self._series = [SeriesBuilder(info, clock, keep) for info in self.descriptor.series]
        self.checks: list[Check] = []
        self.unchecked: list[tuple[str, str]] = []
        self.evidence: list[Evidence] = []
        self.loads: list[LoadReport] = []
        self._parts: list[WindowPart] = []
        self._events = 0
        self._before: dict[str, str | int] = {}
        self._after: dict[str, str | int] = {}
        self.outcome: Outcome | None = None
        self.reason: str | None = None
        self._stopped = False
        self.damaged = False
        self.closed = False
        self._doubt: tuple[list[Mark], int, int, int, int, int] | None = None

    def block(self, record: dict[str, Any]) -> BlockRead:
        index = uint(record, "series")
        if index >= len(self._series):
            raise FieldError(f"there is no series {index}")
        info = self._series[index].info
        ticks = self._series[index].add(record)
        worst = int(ticks.max())
        return BlockRead(index, len(ticks), worst, self._in_unit(info.source, worst), info.unit)

    def accumulated(self, record: dict[str, Any]) -> BlockRead | None:
        """Takes a part of a checkpoint in; the largest sample so far when that is whole."""
        index = uint(record, "series")
        if index >= len(self._series):
            raise FieldError(f"there is no series {index}")
        info, made = self._series[index].info, self._series[index].accumulate(record)
        if made is None:
            return None
        worst = made.measured.max
        return BlockRead(index, 0, worst, self._in_unit(info.source, worst), info.unit)

    def live(self, record: dict[str, Any]) -> LiveRead:
        index = uint(record, "series")
        if index >= len(self._series):
            raise FieldError(f"there is no series {index}")
        info = self._series[index].info
        scale = self._in_unit(info.source, 1)
        return read_live(record, index, info.unit, 1.0 if scale is None else scale)

    def _in_unit(self, source: str, ticks: int) -> float | None:
        if source != "stamp":
            return float(ticks)
        return None if self._clock is None else ticks * self._clock.ns_per_tick

    def window(self, record: dict[str, Any]) -> None:
        part = read_part(record, len(self._series))
        if len(self._parts) == PARTS_OF_TEST or self._events + len(part.window.events) > EVENTS_MAX:
            raise FieldError("more of the system's events than a test may have")
        self._events += len(part.window.events)
        self._parts.append(part)

    def counters(self, when: str, values: dict[str, str | int]) -> None:
        if when == "before":
            self._before = values
        else:
            self._after = values

    def end(self, record: dict[str, Any]) -> list[str]:
        """Takes the test-end in; what in it contradicts the samples that arrived, one phrase each."""
        outcome = choice(record, "outcome", _OUTCOMES)
        reason, at = text_or_none(record, "reason"), uint(record, "at")
        stopped = flag(record, "stopped", False)
        recorded = [_count(one, "recorded") for one in entries(record, "recorded")]
        dropped = [_count(one, "dropped") for one in entries(record, "dropped")]
        if not len(recorded) == len(dropped) == len(self._series):
            raise FieldError("recorded and dropped do not fit the series of the test")
        self.outcome, self.reason, self._stopped = outcome, reason, stopped
        self._end = max(at, self._begin)
        said = [one.ended(r, d) for one, r, d in zip(self._series, recorded, dropped, strict=True)]
        return [phrase for phrase in said if phrase]

    def doubt(self) -> None:
        """From here on it is not known whether records belong to this test."""
        if self._doubt is None and self.outcome is None:
            marks = [one.mark() for one in self._series]
            lists = self.checks, self.unchecked, self.evidence, self.loads, self._parts
            checks, unchecked, evidence, loads, parts = (len(one) for one in lists)
            self._doubt = marks, checks, unchecked, evidence, loads, parts

    def settle(self, jobs_begun: int | None) -> bool:
        """Ends all doubt, given how many jobs the engine had begun up to this one (None: unknown). False when what
        came after the gap had to be thrown away."""
        if self._doubt is None or jobs_begun == self.job + 1:
            self._doubt = None
            return True
        marks, checks, unchecked, evidence, loads, parts = self._doubt
        self._doubt = None
        for one, mark in zip(self._series, marks, strict=True):
            one.back_to(mark)
        del self.checks[checks:], self.unchecked[unchecked:], self.evidence[evidence:], self.loads[loads:]
        del self._parts[parts:]
        self._after = {}
        self.outcome, self.reason, self._stopped, self._end = None, None, False, self._begin
        return False

    def build(self) -> TestTrace:
        return TestTrace(
            job=self.job,
            descriptor=self.descriptor,
            params=self.params,
            samples=self.samples,
            mode=self._mode,
            cpu=self._cpu,
            begin_ns=self._begin,
            end_ns=self._end,
            series=tuple(one.build() for one in self._series),
            checks=tuple(self.checks),
            unchecked=tuple(self.unchecked),
            evidence=tuple(self.evidence),
            loads=tuple(self.loads),
            counters=differences(self._before, self._after),
            outcome=self.outcome,
            reason=self.reason,
            stopped=self._stopped,
            clock=self._clock,
            damaged=self.damaged,
            image=self._image,
            windows=join_parts(self._parts),
        )


def _count(value: Any, what: str) -> int:
    return uint({what: value}, what, most=_COUNT_MAX)
