"""A target that is an engine on this machine: started again after it died, with the jobs that remain."""

from __future__ import annotations

import contextlib
import os.path
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import rtgauge
from rtgauge.errors import TargetError, UsageError
from rtgauge.model import Job, RunSpec
from rtgauge.recording import CHECKPOINT_MOST, CHECKPOINT_S
from rtgauge.targets._emulator import reason
from rtgauge.targets._process import Converse, Exit, converse
from rtgauge.targets._workspace import empty
from rtgauge.targets.base import Death, Description, Ending, Sink, Stop

if TYPE_CHECKING:
    from rtgauge.targets._follow import Follow

FAILURES_MOST = 5  # after so many deaths the rest is left out
DESCRIBE_S = 30.0
_DESCRIBE_BYTES = 16 << 20
_REQUEST_MOST = 32 << 10  # bytes of a frame that an engine reads
_BYTES_OF_SAMPLE = 2 * 18 * 6  # twice the encoded size, in as many series as a test may have
_BYTES_OF_JOB = 16 << 20
_LIVE_BYTES = 256 << 10  # a second


def find_engine(*names: str) -> Path:
    """The first of `names` that this installation has. TargetError where there is none."""
    folder = Path(rtgauge.__file__).parent / "_engine"
    for name in names:
        if os.path.isfile(folder / name):  # noqa: PTH113 - false, not an error, where a folder above may not be entered
            return folder / name
    raise TargetError(f"the engine is missing: no {names[0]} in {folder}; install rtgauge again to have it built")


@dataclass(frozen=True)
class EngineTarget:
    name: str
    engine: Callable[[], Path]
    lock: Callable[[Path], AbstractContextManager[None]] | None = None  # keeps other runs away
    this_machine: bool = False
    cpus: Callable[[], tuple[int, ...]] = tuple
    exact: bool = False

    def describe(self) -> Description:
        from rtgauge.store.files import sha256
        from rtgauge.trace.events import RunBegun
        from rtgauge.trace.reader import Reader
        from rtgauge.trace.writer import encode_list_request

        engine, reader, names = self.engine(), Reader(keep_samples=False), [""]

        def take(chunk: bytes) -> None:
            names.extend(event.engine for event in reader.feed(chunk) if isinstance(event, RunBegun))

        ended = converse(engine, encode_list_request(), take, _within(DESCRIBE_S), Stop(), _DESCRIBE_BYTES)
        trace = reader.finish()
        if ended.status or not trace.complete or not trace.descriptors:
            raise TargetError(f"the engine {engine} {_what(ended, trace.why)} and did not describe its tests")
        return Description(trace.descriptors, names[-1], str(engine), sha256(engine), self.cpus(), trace.loads)

    def reserved(self) -> AbstractContextManager[None]:
        return self.lock(self.engine()) if self.lock else contextlib.nullcontext()

    def run(
        self, spec: RunSpec, limits: Sequence[float], sink: Sink, stop: Stop, workspace: Path | None = None
    ) -> Ending:
        return Starts(self.engine(), spec, limits, sink, stop, workspace).until_done()


@dataclass
class Starts:
    """Starts an engine by `converse`, and again after it died. `now`: the seconds that limits are in."""

    engine: Path
    spec: RunSpec
    limits: Sequence[float]
    sink: Sink
    stop: Stop
    workspace: Path | None
    converse: Converse = converse
    now: Callable[[], float] = time.monotonic
    deaths: list[Death] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: int = 0

    def until_done(self) -> Ending:
        left = 0  # the first job that has not begun
        while left < len(self.spec.jobs) and self.stop.asked() is None:
            if self.failures == FAILURES_MOST:
                return self._ending(f"the engine failed {self.failures} times: {_tests(self.spec, left)} left out")
            follow, ended = self._start(left)
            if ended.stderr.strip():
                self.notes.append(f"the engine wrote on standard error: {ended.stderr.strip()[-1000:]}")
            left += follow.next
            if self.stop.asked() is not None:
                break
            if follow.ended and follow.why is not None:
                return self._ending(f"the engine refused to go on: {follow.why}")
            if follow.ended and not ended.status and not ended.ours:
                if left < len(self.spec.jobs):
                    return self._ending(f"the engine ended early: {_tests(self.spec, left)} left out")
                break
            if not follow.next:
                what = ended.what if ended.ours else _what(ended, None)
                return self._ending(f"the engine {what} before a test began: {_tests(self.spec, left)} left out")
            self._failed(follow, ended, left - 1)
        asked = self.stop.asked()
        if asked is not None:
            name = signal.Signals(asked).name
            self.notes.append(f"the engine was stopped by {name}: {left} of {len(self.spec.jobs)} tests had begun")
        return self._ending(None)

    def _start(self, left: int) -> tuple[Follow, Exit]:
        from rtgauge.targets._follow import Follow
        from rtgauge.trace.reader import Reader
        from rtgauge.trace.writer import encode_request

        jobs, limits = self.spec.jobs[left:], self.limits[left:]
        request = encode_request(replace(self.spec, jobs=jobs))
        if len(request) > _REQUEST_MOST:
            raise UsageError(f"{len(jobs)} jobs are too many for one run: select fewer tests")
        follow, reader = Follow(jobs, limits, self.now), Reader(keep_samples=False)
        if self.workspace is not None:
            empty(self.workspace)  # of what the last start left
        if left:
            self.sink(b"\0", ())  # ends a frame that the last start left unfinished

        def take(chunk: bytes) -> None:
            events = tuple(reader.feed(chunk))
            follow.take(events)
            self.sink(chunk, events)

        most = sum(_most_bytes(self.spec, job, limit) for job, limit in zip(jobs, limits, strict=True))
        return follow, self.converse(self.engine, request, take, follow.overdue, self.stop, most, self.workspace)

    def _failed(self, follow: Follow, ended: Exit, job: int) -> None:
        """Notes a start that did not end well; `job` is the last one that began."""
        self.failures += 1
        test = self.spec.jobs[job]
        if follow.running is not None:
            self.deaths.append(Death(test.id, test.params, f"the engine {ended.what} during {test.id}"))
        else:
            self.notes.append(f"the engine {ended.what} after {test.id}")

    def _ending(self, why: str | None) -> Ending:
        return Ending(tuple(self.deaths), self.stop.asked(), why, tuple(self.notes))


def _most_bytes(spec: RunSpec, job: Job, limit: float) -> int:
    """What no engine sends for a job, whatever happens."""
    looks = int(limit / CHECKPOINT_S) + 2 if spec.accumulate else 0
    sent = min(job.samples, spec.raw) if spec.accumulate else job.samples
    shown = int(limit) * _LIVE_BYTES if spec.live else 0
    return sent * _BYTES_OF_SAMPLE + looks * 6 * CHECKPOINT_MOST + shown + _BYTES_OF_JOB


def _within(seconds: float) -> Callable[[], str | None]:
    until = time.monotonic() + seconds
    return lambda: f"gave no answer within {seconds:.0f} s" if time.monotonic() > until else None


def _what(ended: Exit, why: str | None) -> str:
    said = why or reason(ended.stderr)
    return f"{ended.what} ({said})" if said else ended.what


def _tests(spec: RunSpec, left: int) -> str:
    n = len(spec.jobs) - left
    return f"{n} of {len(spec.jobs)} tests {'is' if n == 1 else 'are'}"
