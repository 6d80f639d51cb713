"""Guests measure by the clock of their board or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rtgauge.targets._lab_clock import by_board_clock
from rtgauge.targets._process import Exit
from rtgauge.targets.base import Stop
from rtgauge.trace.reader import read_trace
from tests.support.traces import fake_series, fake_test, frames, records

COARSE = {"name": "clock-monotonic-raw", "rate_num": 10**9, "rate_den": 1, "resolution": 4_000_000}
REJECTED = [{"name": "x86-tsc", "why": "the rate changed between two measurements"}]


def trace(**clock: Any) -> bytes:
    return frames(records([fake_test("CAL-P-TRC", series=[fake_series([0, 4_000_000])])], clock=clock))


def conversed(written: bytes, piece: int) -> tuple[bytes, Exit, bool]:
    """What is given on of a trace that comes in pieces, and whether the conversation came to its end."""
    got, ended = bytearray(), []

    def converse(_engine: Path, _request: bytes, take: Callable[[bytes], None], *_: object) -> Exit:
        for at in range(0, len(written), piece):
            take(written[at : at + piece])
        ended.append(True)
        return Exit(0, None, "")

    done = by_board_clock(converse)(Path(), b"", got.extend, lambda: None, Stop(), 1 << 20, None)
    return bytes(got), done, bool(ended)


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_nothing_is_measured_by_another_clock_than_the_boards(piece: int) -> None:
    got, done, ended = conversed(trace(**COARSE, rejected=REJECTED), piece)
    kept = read_trace(got)
    assert not ended
    assert (len(kept.tests), kept.clock and kept.clock.name) == (0, "clock-monotonic-raw")
    assert done.what == (
        "was stopped, for it would have measured by clock-monotonic-raw in steps of 4 ms and not by the board's clock "
        "(it rejected x86-tsc: the rate changed between two measurements; look at clocksource= on the kernel's command "
        "line)"
    )


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
@pytest.mark.parametrize("damaged", [False, True])
def test_the_boards_clock_and_what_cannot_be_read_are_given_on_as_they_are(piece: int, damaged: bool) -> None:
    written = trace(rejected=[])
    written = written[:30] + b"\7" + written[31:] if damaged else written
    assert conversed(written, piece) == (written, Exit(0, None, ""), True)
