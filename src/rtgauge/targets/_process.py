"""One start of an engine: request in, trace out, and its end, which comes whatever the engine does."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rtgauge._reserve import outside
from rtgauge.errors import TargetError
from rtgauge.targets._shared import sweep
from rtgauge.targets.base import Stop

WATCHDOG_STATUS = 86  # the engine's own watchdog ended it
TERM_TO_KILL_S = 2.0  # what an engine that hangs gets to end its trace
STOP_TO_KILL_S = 1.0  # the same when the user waits
_LOOK_S = 1.0  # at least so often we look whether the engine is still there
_STDERR_KEPT = 4096


@dataclass(frozen=True)
class Exit:
    """How the process ended. `status` is negative for a signal; `ours` says why we ended it, if we did."""

    status: int
    ours: str | None
    stderr: str

    @property
    def what(self) -> str:
        """A phrase that goes on from "the engine "."""
        if self.ours:
            return self.ours
        if self.status == WATCHDOG_STATUS:
            return "was ended by its watchdog"
        if self.status < 0:
            return f"was killed by signal {-self.status}"
        return f"ended with status {self.status}" if self.status else "ended before its trace did"


Converse = Callable[[Path, bytes, Callable[[bytes], None], Callable[[], "str | None"], Stop, int, "Path | None"], Exit]
"""What `converse` is: others do the same with an engine that is no process of this machine."""


def converse(
    engine: Path,
    request: bytes,
    sink: Callable[[bytes], None],
    overdue: Callable[[], str | None],
    stop: Stop,
    most_bytes: int,
    folder: Path | None = None,
) -> Exit:
    """Starts `engine` in `folder` (None: our own), gives it `request`, and its output to `sink` until it ends.

    `overdue` is asked about once a second and says why the engine must be ended now, or None. More than `most_bytes`
    of output end it as well. Raises TargetError when the engine cannot be started, and what `sink` raises.
    """
    try:
        with outside():
            process = subprocess.Popen(
                [engine],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                start_new_session=True,
            )
    except OSError as error:
        raise TargetError(f"cannot start the engine {engine}: {error.strerror}") from error
    try:
        return _Conversation(process, request, sink, most_bytes).until_end(overdue, stop)
    finally:
        _end(process)


class _Conversation:
    def __init__(
        self, process: subprocess.Popen[bytes], request: bytes, sink: Callable[[bytes], None], most_bytes: int
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process, self.sink, self.left = process, sink, most_bytes
        self.request, self.stdin = memoryview(request), process.stdin
        self.stdout, self.stderr = process.stdout, process.stderr
        self.errors = b""
        self.ours: str | None = None
        self.kill_at: float | None = None
        self.selector = selectors.DefaultSelector()

    def until_end(self, overdue: Callable[[], str | None], stop: Stop) -> Exit:
        with self.selector:
            os.set_blocking(self.stdin.fileno(), False)
            self.selector.register(self.stdin, selectors.EVENT_WRITE, self._feed)
            self.selector.register(self.stdout, selectors.EVENT_READ, self._take)
            self.selector.register(self.stderr, selectors.EVENT_READ, self._complain)
            if stop.fd is not None:
                self.selector.register(stop.fd, selectors.EVENT_READ, None)
            self._loop(overdue, stop)
        return Exit(self._status(), self.ours, self.errors.decode("utf-8", "replace"))

    def _loop(self, overdue: Callable[[], str | None], stop: Stop) -> None:
        gone = False
        while self.stdout in self._open():
            timeout = _LOOK_S if self.kill_at is None else max(0.0, min(_LOOK_S, self.kill_at - time.monotonic()))
            ready = self.selector.select(0.05 if gone else timeout)
            for key, _ in ready:
                if key.data is None:
                    self.selector.unregister(key.fileobj)  # a stop is asked for once
                elif key.fileobj in self._open():
                    key.data()
            if gone and not any(key.data for key, _ in ready):
                return  # it has ended, and somebody else holds its pipe open
            gone = _gone(self.process)
            if stop.asked() is not None:
                self._terminate("was stopped", STOP_TO_KILL_S)
            elif self.left <= 0:
                self._terminate("wrote far more than was asked for and was stopped", 0.0)
            elif why := overdue():
                self._terminate(why, TERM_TO_KILL_S)
            if self.kill_at is not None and time.monotonic() >= self.kill_at:
                _kill(self.process)

    def _open(self) -> tuple[object, ...]:
        return tuple(key.fileobj for key in self.selector.get_map().values())

    def _terminate(self, why: str, grace: float) -> None:
        if self.kill_at is None:
            self.ours, self.kill_at = why, time.monotonic() + grace
            if not _gone(self.process):
                os.kill(self.process.pid, signal.SIGTERM)

    def _feed(self) -> None:
        try:
            self.request = self.request[os.write(self.stdin.fileno(), self.request[:65536]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.request = self.request[:0]
        if not self.request:
            self._close(self.stdin)

    def _take(self) -> None:
        chunk = os.read(self.stdout.fileno(), 1 << 16)
        if not chunk:
            self._close(self.stdout)
        elif self.left > 0:
            self.left -= len(chunk)
            self.sink(chunk)

    def _complain(self) -> None:
        chunk = os.read(self.stderr.fileno(), 1 << 16)
        if not chunk:
            self._close(self.stderr)
        self.errors = (self.errors + chunk)[-_STDERR_KEPT:]

    def _close(self, file: IO[bytes]) -> None:
        self.selector.unregister(file)
        file.close()

    def _status(self) -> int:
        until = time.monotonic() + TERM_TO_KILL_S
        while not _gone(self.process) and time.monotonic() < until:
            time.sleep(0.01)
        if not _gone(self.process):
            self.ours = self.ours or "closed its trace but did not end, and was killed"
        _kill(self.process)
        return self.process.wait()


def _gone(process: subprocess.Popen[bytes]) -> bool:
    """Whether the engine has ended. It stays a zombie, so that its number cannot become somebody else's."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the engine and all that it started, which shares its session. Not after it was waited for."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leaves nothing behind, also when an exception passes."""
    if process.returncode is None:
        os.kill(process.pid, signal.SIGTERM)
        until = time.monotonic() + STOP_TO_KILL_S
        while not _gone(process) and time.monotonic() < until:
            time.sleep(0.01)
        _kill(process)
        process.wait()
    if process.returncode:
        sweep()
    for file in (process.stdin, process.stdout, process.stderr):
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
