"""A board on a serial line: the engine is in its firmware, the request goes there and the trace comes back by the link
of docs/serial.md. A board that starts again in the middle counts as an engine that died."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from rtgauge.errors import TargetError, UsageError
from rtgauge.model import RunSpec
from rtgauge.targets._engine import Starts
from rtgauge.targets._line import LOOK_S, Gone, Line, held
from rtgauge.targets._link import Conversation, Counts, Hello, State, readable
from rtgauge.targets._parts import Room, bytes_of, pieces_of
from rtgauge.targets._process import Exit
from rtgauge.targets.base import Description, Ending, Sink, Stop

SUMMARY = "a board on a serial line, with the engine in its firmware"
EXAMPLE = "serial:/dev/ttyUSB0@115200"
BAUD = 115200
BAUDS = (300, 20_000_000)
BITS_OF_BYTE = 10  # start, eight, stop
ANSWER_S = 20.0  # a board that is there says hello within so long, its boot loader included
BACK_S = 10.0  # a device that vanished may come back within
GRACE_S = 3.0  # what an engine gets to end its trace in
LINGER_S = 0.3  # the board may not have heard that we know its end
DESCRIBE_S = 30.0
_LIST_BYTES = 256 << 10  # about what a description takes at most, on the line
_LIST_MOST = 16 << 20
_BYTES_OF_SAMPLE = 18 * 1.1  # on the line, at most
_SERIES = 6
_SMALL = Hello(1024, 0, "")  # a board that did not say yet what it has room for


def open_target(rest: str, _store: Path) -> SerialTarget:
    device, at, baud = rest.rpartition("@")
    if not at:
        device, baud = rest, str(BAUD)
    if not device:
        raise UsageError(f"target serial needs a device: serial:DEVICE@BAUD, e.g. {EXAMPLE}")
    low, high = BAUDS
    if not (baud.isascii() and baud.isdigit() and len(baud) < 10 and low <= int(baud) <= high):
        raise UsageError(f"the baud rate of target serial is a number from {low} to {high}, got {baud!r}")
    return SerialTarget(device, int(baud))


@dataclass
class Seen:
    """What became known about the board and its line."""

    hello: Hello | None = None
    counts: Counts = field(default_factory=Counts)
    said: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SerialTarget:
    device: str
    baud: int
    this_machine: bool = False
    seen: Seen = field(default_factory=Seen, compare=False)

    @property
    def name(self) -> str:
        return f"serial:{self.device}@{self.baud}"

    def describe(self) -> Description:
        from rtgauge.trace.events import RunBegun
        from rtgauge.trace.reader import Reader
        from rtgauge.trace.writer import encode_list_request

        reader, names = Reader(keep_samples=False), [""]

        def take(chunk: bytes) -> None:
            names.extend(event.engine for event in reader.feed(chunk) if isinstance(event, RunBegun))

        overdue = _within(DESCRIBE_S + _LIST_BYTES * self._byte_s)
        with self.reserved():
            ended = self._converse(encode_list_request(), take, overdue, Stop(), _LIST_MOST)
        trace = reader.finish()
        if ended.status or ended.ours or not trace.complete or not trace.descriptors:
            raise _undescribed(self.name, ended, trace.why)
        return Description(trace.descriptors, engine=names[-1], loads=trace.loads)

    def reserved(self) -> AbstractContextManager[None]:
        return held(self.device)

    def run(
        self,
        spec: RunSpec,
        limits: Sequence[float],
        sink: Sink,
        stop: Stop,
        workspace: Path | None = None,  # noqa: ARG002 - a board has files of its own, if any
    ) -> Ending:
        spec = replace(spec, live=False)  # the line has better things to carry
        limits = [
            s + job.samples * _SERIES * _BYTES_OF_SAMPLE * self._byte_s
            for s, job in zip(limits, spec.jobs, strict=True)
        ]
        self.seen.counts, self.seen.said = Counts(), []
        ending, left = Ending(), len(spec.jobs)
        for part in self._parts(spec):
            if ending.why is not None or stop.asked() is not None:
                break
            if left < len(spec.jobs):
                sink(b"\0", ())  # ends a frame that the last engine left unfinished
            jobs = tuple(spec.jobs[i] for i in part)
            one = self._part(replace(spec, jobs=jobs), [limits[i] for i in part], sink, stop)
            left -= len(part)
            ending = replace(one, deaths=ending.deaths + one.deaths, notes=ending.notes + one.notes)
        if ending.why is not None and left:
            ending = replace(ending, why=f"{ending.why}, and the {left} behind them")
        notes = [f"the board said: {text}" for text in self.seen.said if text]
        return replace(ending, notes=(*ending.notes, *notes, _told(self.seen.counts)))

    def _part(self, spec: RunSpec, limits: Sequence[float], sink: Sink, stop: Stop) -> Ending:
        def again(
            _engine: Path,
            request: bytes,
            take: Callable[[bytes], None],
            overdue: Callable[[], str | None],
            stop: Stop,
            most: int,
            _folder: Path | None,
        ) -> Exit:
            return self._converse(request, take, overdue, stop, most)

        return Starts(Path(self.device), spec, limits, sink, stop, None, again).until_done()

    def _parts(self, spec: RunSpec) -> Iterator[Sequence[int]]:
        """Indices of the jobs, in pieces whose requests the board has room for."""
        board = self.seen.hello or _SMALL
        room = Room(board.jobs_most or len(spec.jobs), board.frame_max)
        return pieces_of(spec, range(len(spec.jobs)), room, bytes_of)

    # ---- one start of the engine ----

    def _converse(
        self,
        request: bytes,
        take: Callable[[bytes], None],
        overdue: Callable[[], str | None],
        stop: Stop,
        most: int,
    ) -> Exit:
        try:
            line = self._opened(stop)
        except TargetError as error:
            return Exit(1, f"cannot be reached: {error}", "")
        talk = Conversation(1 + secrets.randbelow(0xFFFF), request, self._byte_s, time.monotonic())
        try:
            return _Start(line, talk, take, most).until_end(overdue, stop, self.name)
        except Gone as gone:
            return Exit(1, str(gone), "")
        finally:
            line.close()
            self.seen.hello = talk.hello or self.seen.hello
            self.seen.said += talk.texts
            self.seen.counts.add(talk.counts)

    def _opened(self, stop: Stop) -> Line:
        """The device, which may have vanished a moment ago."""
        until = time.monotonic() + BACK_S
        while True:
            try:
                return Line(self.device, self.baud)
            except TargetError:
                if time.monotonic() > until or stop.asked() is not None:
                    raise
                time.sleep(LOOK_S)

    @property
    def _byte_s(self) -> float:
        return BITS_OF_BYTE / self.baud


class _Start:
    def __init__(self, line: Line, talk: Conversation, sink: Callable[[bytes], None], most: int) -> None:
        self.line, self.talk, self.sink, self.left = line, talk, sink, most
        self.ours: str | None = None  # why we end it
        self.until = 0.0  # we wait for its end

    def until_end(self, overdue: Callable[[], str | None], stop: Stop, name: str) -> Exit:
        answer = time.monotonic() + ANSWER_S
        while True:
            now = self._exchange()
            if self.talk.state is State.ENDED:
                self._linger(now)
                return Exit(self.talk.status, self.ours, "")
            if self.talk.state is State.LOST:
                return Exit(1, self.ours or "was lost: its board started again", "")
            if self.talk.state in (State.LISTENING, State.OPENING) and now > answer:
                return Exit(1, f"gave no answer on {name} within {ANSWER_S:.0f} s: {_instead(self.talk)}", "")
            if self.ours is None:
                self.ours = self._enough(overdue, stop)
                self.until = now + GRACE_S
            elif self.talk.state is not State.RUNNING or now > self.until:
                return Exit(1, self.ours, "")

    def _exchange(self) -> float:
        """Takes what has come, says what is to be said; the time."""
        chunk = self.line.read()
        now = time.monotonic()
        got = self.talk.take(chunk, now) if chunk else b""
        self.talk.tick(now)
        if self.ours is not None:
            self.talk.stop(now)
        if self.talk.out:
            self.line.write(bytes(self.talk.out))
            self.talk.out.clear()
        if got and self.left > 0:
            self.left -= len(got)
            self.sink(got)
        return now

    def _enough(self, overdue: Callable[[], str | None], stop: Stop) -> str | None:
        if stop.asked() is not None:
            return "was stopped"
        if self.left <= 0:
            return "wrote far more than was asked for and was stopped"
        return overdue()

    def _linger(self, now: float) -> None:
        until = now + LINGER_S
        while now < until:
            now = self._exchange()


def _instead(talk: Conversation) -> str:
    """What came in place of an engine's hello, and what that may mean."""
    if talk.version is not None:
        return f"its link is of version {talk.version}, which is not known here"
    if not talk.heard:
        return "nothing came at all; is the board on, its cable in, and an engine in its firmware?"
    strange = talk.packets.strange
    text = readable(strange)
    letters = sum(32 <= byte < 127 or byte in b"\r\n\t" for byte in strange)
    if len(strange) >= 8 and letters >= 0.9 * len(strange):
        return f"it wrote {text[-80:]!r}; is an engine in its firmware?"
    return f"{talk.heard} bytes came that make no sense; is the baud rate right?"


def _told(counts: Counts) -> str:
    return (
        f"the serial line carried {counts.received} bytes of the trace: the board sent {counts.board_packets} packets, "
        f"{counts.board_again} of them again; damaged arrived {counts.damaged} here and {counts.board_damaged} there; "
        f"{counts.twice} came twice"
    )


def _within(seconds: float) -> Callable[[], str | None]:
    until = time.monotonic() + seconds
    return lambda: f"gave no whole answer within {seconds:.0f} s" if time.monotonic() > until else None


def _undescribed(name: str, ended: Exit, why: str | None) -> TargetError:
    if ended.ours:
        return TargetError(f"the engine {ended.ours}")
    return TargetError(f"the engine on {name} {why or ended.what}, and did not describe its tests")
