"""The command line. A command is one module here that defines SUMMARY, EXAMPLE, add_arguments(parser) and run(args).

Command modules import nothing heavy at their top: `rtgauge --help` loads all of them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

from rtgauge.cli._output import say
from rtgauge.cli._parser import parse
from rtgauge.errors import EXIT_INTERRUPTED, EXIT_TARGET, RtgaugeError

EXIT_PIPE = 141  # the reader of our output went away, as shells expect it
EXIT_TERMINATED = 143  # SIGTERM, as shells expect it


class Terminated(KeyboardInterrupt):
    """SIGTERM: everything that handles Ctrl-C handles it the same way."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; nothing but the command's output reaches the user as a traceback."""
    words = [*(sys.argv[1:] if argv is None else argv)]  # `list` is a command's module in this package
    debug = "--debug" in words
    try:
        with _terminable():
            args = parse(words)
            code: int = args.run(args)
            sys.stdout.flush()
            return code
    except SystemExit as ended:  # --help, --version
        return ended.code if isinstance(ended.code, int) else 0
    except BrokenPipeError:
        return _pipe_closed()
    except KeyboardInterrupt as stopped:
        say("terminated" if isinstance(stopped, Terminated) else "interrupted")
        return EXIT_TERMINATED if isinstance(stopped, Terminated) else EXIT_INTERRUPTED
    except RtgaugeError as error:
        if debug:
            raise
        say(f"error: {error}")
        return error.exit_code
    except Exception as error:
        if debug:
            raise
        say(f"error: {type(error).__name__}: {error} (a defect of rtgauge; --debug shows where)")
        return EXIT_TARGET


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Makes SIGTERM an exception for the time of the block, where signals can be caught."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    try:
        before = signal.signal(signal.SIGTERM, terminate)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _pipe_closed() -> int:
    """Keeps the interpreter from complaining once more when it flushes at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_PIPE
