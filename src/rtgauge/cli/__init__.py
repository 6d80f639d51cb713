"""The command line. A command is one module here that defines SUMMARY, EXAMPLE, add_arguments(parser) and run(args).

Command modules import nothing heavy at their top: `rtgauge --help` loads all of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

from rtgauge.cli._output import say
from rtgauge.cli._parser import parse
from rtgauge.errors import EXIT_FAILED, EXIT_OK, EXIT_SIGNAL, EXIT_TARGET, RtgaugeError

EXIT_PIPE = 141  # the reader of our output went away, as shells expect it
OUTPUT_REFUSED = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
BISECT = "--bisect"  # of the gate
SKIP = 125  # what `git bisect run` takes for "this one cannot be judged"
ENDING = (signal.SIGTERM, signal.SIGHUP)


class Terminated(KeyboardInterrupt):
    """SIGTERM, or SIGHUP when the terminal goes away: everything that handles Ctrl-C handles it the same way."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__()
        self.number = number


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; nothing but the command's output reaches the user as a traceback."""
    _open_streams()
    words = [*(sys.argv[1:] if argv is None else argv)]  # `list` is a command's module in this package
    code = _answer(words)
    return _for_bisect(code) if BISECT in words else code


def _for_bisect(code: int) -> int:
    """`git bisect run` takes every code from 1 to 127 but 125 for "bad", so only a judgement may have one of them. By
    the word alone, as what cannot be parsed has no command."""
    return code if code in (EXIT_OK, EXIT_FAILED) or code >= EXIT_SIGNAL else SKIP


def _answer(words: Sequence[str]) -> int:
    try:
        with _terminable():
            code = _run(words)
            sys.stdout.flush()
            return code
    except BrokenPipeError:
        _drop_output()
        return EXIT_PIPE
    except KeyboardInterrupt as stopped:
        number = stopped.number if isinstance(stopped, Terminated) else signal.SIGINT
        say("interrupted" if number == signal.SIGINT else "terminated")
        return 128 + number
    except Exception as error:
        if "--debug" in words:
            show_traceback()
        if isinstance(error, OSError):
            _drop_output()
        say(f"error: {in_words(error)}")
        return error.exit_code if isinstance(error, RtgaugeError) else EXIT_TARGET


def _run(words: Sequence[str]) -> int:
    try:
        args = parse(words)
        code: int = args.run(args)
        return code
    except SystemExit as ended:  # --help, --version
        return ended.code if isinstance(ended.code, int) else 0


def in_words(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, RtgaugeError):
        return str(error)
    if isinstance(error, OSError) and error.errno in OUTPUT_REFUSED and not error.filename:
        if error.errno == errno.EFBIG and not _output_at_limit():
            return "a file would be larger than is allowed here: raise ulimit -f"
        return f"cannot write to standard output: {os.strerror(error.errno).lower()}"
    return f"{type(error).__name__}: {error} (a defect of rtgauge; --debug shows where)"


def _output_at_limit() -> bool:
    """Whether standard output is a file as large as one may be: then it was the one that was refused."""
    import resource

    with contextlib.suppress(OSError, ValueError):
        output, most = os.fstat(sys.stdout.fileno()), resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        return stat.S_ISREG(output.st_mode) and (most == resource.RLIM_INFINITY or output.st_size >= most)
    return False


def show_traceback() -> None:
    import traceback

    with contextlib.suppress(OSError, ValueError):
        traceback.print_exc()


def _open_streams() -> None:
    """Puts the null device in the place of standard streams that the caller closed: the next file to be opened would
    take their numbers, and what is said would go into it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with contextlib.suppress(OSError):
                handle = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
                setattr(sys, name, open(handle, "w" if number else "r", encoding="utf-8"))  # noqa: PTH123, SIM115


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Makes what asks us to end an exception for the time of the block, where signals can be caught."""

    def terminate(number: int, _frame: FrameType | None) -> None:
        raise Terminated(number)

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ValueError):  # not the main thread
            for number in ENDING:
                if signal.getsignal(number) != signal.SIG_IGN:  # nohup
                    stack.callback(signal.signal, number, signal.signal(number, terminate))
        yield


def _drop_output() -> None:
    """Keeps the interpreter from complaining once more when it flushes at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
