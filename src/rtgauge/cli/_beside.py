"""Runs side by side, each in a process of its own: of targets whose figures are the same whatever else goes on."""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import IO, TYPE_CHECKING

from rtgauge._signals import stop_on_signals
from rtgauge.cli._worker import STOPPING, words
from rtgauge.errors import EXIT_FAILED, EXIT_SIGNAL, RtgaugeError, TargetError

if TYPE_CHECKING:
    from rtgauge.cli._worker import Outcome
    from rtgauge.session import Request
    from rtgauge.targets.base import Stop

    Take = Callable[[int, Outcome], None]
    Show = Callable[[int, str], None]

RUN_BYTES = 3 << 29  # of memory that one guest and its host take at most
LATE_S = 5.0  # that runs get to close their folders after the user has asked a second time
_LOOK_S = 1.0


def most_at_once() -> int:
    """How many runs this machine takes side by side: one for each core, as far as its memory goes."""
    from rtgauge.plan import available_memory

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, available_memory() // RUN_BYTES))


def run_beside(requests: Sequence[Request], most: int, take: Take, show: Show) -> None:
    """Runs all requests, at most `most` at a time, until one fails, breaks its limit, or the user wants an end: then
    none is begun any more, and those under way come to their end, which for the user's sake is at once.

    `take` gets the place of each that was begun and what became of it, in the order of the requests and as early as
    that allows; `show` the lines that a run writes for the user. A signal is handed on to every run; the last outcome
    then has its exit code.
    """
    with stop_on_signals() as stop, contextlib.closing(_Runs(requests, take, show)) as runs:
        try:
            runs.until_done(most, stop)
        except KeyboardInterrupt:  # the second one
            runs.signal_all(stop.asked() or signal.SIGINT)
            runs.let_end(LATE_S)
            raise


@dataclass
class _Run:
    place: int
    process: subprocess.Popen[bytes]
    answer: bytearray = field(default_factory=bytearray)
    told: bytearray = field(default_factory=bytearray)
    left: int = 2  # pipes that are open


class _Runs:
    def __init__(self, requests: Sequence[Request], take: Take, show: Show) -> None:
        self.requests, self.take, self.show = requests, take, show
        self.next = 0  # the first that was not begun
        self.taken = 0  # those that were handed on
        self.over = False  # none is begun any more
        self.signalled: int | None = None
        self.alive: dict[int, _Run] = {}  # by place
        self.done: dict[int, Outcome] = {}
        self.selector = selectors.DefaultSelector()

    def until_done(self, most: int, stop: Stop) -> None:
        assert stop.fd is not None
        self.selector.register(stop.fd, selectors.EVENT_READ, None)
        while True:
            asked = stop.asked()
            if asked is not None and self.signalled is None:
                self.over, self.signalled = True, asked
                with contextlib.suppress(KeyError):
                    self.selector.unregister(stop.fd)
                self.signal_all(asked)
            while not self.over and self.next < len(self.requests) and len(self.alive) < most:
                self._start()
            self._hand_on()
            if not self.alive:
                break
            self._look(_LOOK_S)

    def signal_all(self, number: int) -> None:
        for run in self.alive.values():
            with contextlib.suppress(ProcessLookupError):
                run.process.send_signal(number)

    def let_end(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self.alive and time.monotonic() < until:
            self._look(min(_LOOK_S, seconds))
        self._hand_on()

    def close(self) -> None:
        for run in self.alive.values():
            run.process.kill()
        for run in self.alive.values():
            run.process.wait()
            for pipe in (run.process.stdout, run.process.stderr):
                if pipe is not None:
                    pipe.close()
        self.selector.close()

    # ---- one of them -------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        place = self.next
        self.next += 1
        request = self.requests[place]
        quiet = replace(request.wish, live=False)  # nobody sees figures of several at once
        request = replace(request, wish=quiet, begun=datetime.now(timezone.utc))
        try:
            process = _process()
        except OSError as error:
            self._ended(place, TargetError(f"no process can be started: {error.strerror}"))
            return
        run = self.alive[place] = _Run(place, process)
        for pipe, kept in ((process.stdout, run.answer), (process.stderr, run.told)):
            assert pipe is not None
            self.selector.register(pipe, selectors.EVENT_READ, (run, kept))
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(pickle.dumps(request))

    def _look(self, seconds: float) -> None:
        for key, _ in self.selector.select(seconds):
            if key.data is None:  # a signal, asked for elsewhere
                continue
            run, kept = key.data
            pipe: IO[bytes] = key.fileobj  # type: ignore[assignment]
            chunk = os.read(pipe.fileno(), 1 << 16)
            kept += chunk
            if kept is run.told:
                self._tell(run, last=not chunk)
            if not chunk:
                self.selector.unregister(pipe)
                pipe.close()
                run.left -= 1
                if not run.left:
                    run.process.wait()
                    del self.alive[run.place]
                    self._ended(run.place, self._outcome(run))

    def _tell(self, run: _Run, last: bool) -> None:
        *lines, rest = run.told.split(b"\n")
        if last and rest:
            lines, rest = [*lines, rest], bytearray()
        run.told[:] = rest
        for line in lines:
            self.show(run.place, line.decode("utf-8", "replace"))

    def _outcome(self, run: _Run) -> Outcome:
        try:
            outcome: Outcome = pickle.loads(run.answer)
        except Exception:  # cut short: whatever comes of that
            if self.signalled is not None:
                return _interrupted(self.signalled)
            status = run.process.returncode
            how = f"was killed by signal {-status}" if status < 0 else f"ended with status {status}"
            return TargetError(f"the process that measured {self.requests[run.place].target} {how}")
        return outcome

    def _ended(self, place: int, outcome: Outcome) -> None:
        self.done[place] = outcome
        if isinstance(outcome, (RtgaugeError, KeyboardInterrupt)) or _last(outcome.exit_code):
            self.over = True

    def _hand_on(self) -> None:
        while self.taken in self.done:
            place, outcome = self.taken, self.done.pop(self.taken)
            self.taken += 1
            self.take(place, self._signalled(outcome))

    def _signalled(self, outcome: Outcome) -> Outcome:
        """What became of a run, seen from outside: the user wants an end even where it had come to its own."""
        if self.signalled is None or isinstance(outcome, RtgaugeError):
            return outcome
        if isinstance(outcome, KeyboardInterrupt):
            return _interrupted(self.signalled)
        return replace(outcome, exit_code=max(outcome.exit_code, EXIT_SIGNAL + self.signalled))


def _interrupted(number: int) -> KeyboardInterrupt:
    from rtgauge.cli import Terminated

    return KeyboardInterrupt() if number == signal.SIGINT else Terminated(number)


def _process() -> subprocess.Popen[bytes]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        return subprocess.Popen(
            words(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # a terminal's Ctrl-C comes from us, once
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _last(code: int) -> bool:
    """Whether a run with that exit code is the last one."""
    return code >= EXIT_SIGNAL or code == EXIT_FAILED
