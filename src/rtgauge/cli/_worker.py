"""One run in a process of its own, so that several go on side by side: a request comes in, what became of it goes out.

What is meant for the user goes to standard error, line by line; standard output is for the answer alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO

from rtgauge.errors import RtgaugeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from rtgauge.session import Finished

    Outcome = Finished | RtgaugeError | KeyboardInterrupt

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""To be blocked where a worker is started: it lets them in when it is ready for them."""
_PR_SET_PDEATHSIG = 1


def words() -> list[str]:
    """The command line that starts `main` with the modules of this process, whatever lies in the working folder."""
    program = f"import sys; sys.path[:] = {sys.path!r}; from rtgauge.cli._worker import main; main()"
    return [sys.executable, "-c", program]


def main() -> None:
    parent = os.getppid()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _end_with(parent)
    try:
        _listen(signal.default_int_handler)  # until the run does it, which then ends in order
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        outcome = _run(sys.stdin.buffer)
        _listen(signal.SIG_IGN)
    except (RtgaugeError, KeyboardInterrupt) as error:
        _listen(signal.SIG_IGN)
        outcome = _bare(error)
    with contextlib.suppress(BrokenPipeError), answers:
        pickle.dump(outcome, answers)


def _listen(handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for number in STOPPING:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, handler)


def _run(requests: BinaryIO) -> Outcome:
    from rtgauge.cli import in_words, show_traceback
    from rtgauge.session import run

    request = pickle.load(requests)
    try:
        return run(request)
    except RtgaugeError:
        raise
    except Exception as error:  # what is said where a run is alone
        if "--debug" in request.command:
            show_traceback()
        raise RtgaugeError(in_words(error)) from None


def _bare(error: RtgaugeError | KeyboardInterrupt) -> RtgaugeError | KeyboardInterrupt:
    """Without what may not go through a pipe."""
    return KeyboardInterrupt() if isinstance(error, KeyboardInterrupt) else type(error)(str(error))


def _end_with(parent: int) -> None:
    """Ends this process when the one that started it is killed: nobody would be left to stop it. Guests end the same
    way."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(128 + signal.SIGTERM)
