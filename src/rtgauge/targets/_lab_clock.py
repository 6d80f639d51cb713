"""By which clock a guest measures. Figures are exact only by that of the board; where the engine found a reason not to
take it, it would measure by the OS's, which may be as coarse as the tick: then nothing is measured at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rtgauge.model import ClockInfo
from rtgauge.targets._process import Converse, Exit
from rtgauge.targets.base import Stop
from rtgauge.trace.fields import FieldError
from rtgauge.trace.frames import Frame, FrameSplitter
from rtgauge.trace.payload import PayloadError, decode_payload
from rtgauge.trace.records import read_clock
from rtgauge.units import format_ns

_CLOCK, _TEST = "clock", "test-begin"  # records: after the first test the clock stays what it is


class _OtherClockError(Exception):
    pass


def by_board_clock(converse: Converse) -> Converse:
    """The same conversation, which ends before the first test where another clock was taken than the board's. The trace
    ends behind the record that says so: no sample by such a clock is given on."""

    def conversation(
        engine: Path,
        request: bytes,
        take: Callable[[bytes], None],
        overdue: Callable[[], str | None],
        stop: Stop,
        most: int,
        folder: Path | None,
    ) -> Exit:
        try:
            return converse(engine, request, _Begin(take).take, overdue, stop, most, folder)
        except _OtherClockError as error:
            return Exit(1, str(error), "")

    return conversation


@dataclass
class _Begin:
    """Gives a trace on, frame by frame until its clock is known."""

    give: Callable[[bytes], None]
    splitter: FrameSplitter = field(default_factory=FrameSplitter)
    known: bool = False

    def take(self, chunk: bytes) -> None:
        while chunk and not self.known:
            end = chunk.find(b"\0") + 1 or len(chunk)
            self.give(chunk[:end])
            for frame in self.splitter.feed(chunk[:end]):
                self._look(frame)
            chunk = chunk[end:]
        if chunk:
            self.give(chunk)

    def _look(self, frame: Frame | str) -> None:
        """What cannot be read is the reader's to complain about."""
        try:
            record = {} if isinstance(frame, str) else decode_payload(frame.payload)
            clock = read_clock(record) if record.get("r") == _CLOCK else None
        except (PayloadError, FieldError):
            return
        if clock is not None and clock.rejected:
            raise _OtherClockError(_in_words(clock))
        self.known = clock is not None or record.get("r") == _TEST


def _in_words(clock: ClockInfo) -> str:
    """A phrase that goes on from "the engine "."""
    step = format_ns(clock.resolution * clock.ns_per_tick)
    rejected = "; ".join(f"it rejected {name}: {why}" for name, why in clock.rejected)
    return (
        f"was stopped, for it would have measured by {clock.name} in steps of {step} and not by the board's clock "
        f"({rejected}; look at clocksource= on the kernel's command line)"
    )
