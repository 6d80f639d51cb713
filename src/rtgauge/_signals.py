"""Ctrl-C, SIGTERM and SIGHUP as a question that can be asked, so that a run ends in order."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from types import FrameType

from rtgauge.targets.base import Stop


@contextlib.contextmanager
def stop_on_signals() -> Iterator[Stop]:
    """While the block runs, the first SIGINT, SIGTERM or SIGHUP only sets the Stop; a second one raises
    KeyboardInterrupt.

    Outside the main thread, where signals cannot be caught, the Stop is never set.
    """
    seen: list[int] = []
    reading, writing = os.pipe()

    def note(number: int, _frame: FrameType | None) -> None:
        seen.append(number)
        os.write(writing, b"!")
        if len(seen) > 1:
            raise KeyboardInterrupt

    before = {}
    try:
        with contextlib.suppress(ValueError):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
                    before[number] = signal.signal(number, note)
        yield Stop(lambda: seen[0] if seen else None, reading)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)
