"""The system's own events in a trace: kept in order and whole, or said to be missing."""

from __future__ import annotations

from typing import Any

import pytest

from rtgauge.model import KernelEvent, TestTrace
from rtgauge.trace import read_trace
from tests.support.traces import START_STAMP, fake_series, fake_test, frames, records

SWITCH = [START_STAMP + 5, 1, "switch", 70, 12, 19, "worker [a] b", "S", 0]
DUE = [START_STAMP + 2, 1, "timer-due", 0, 12, -1, "hrtimer_wakeup", "", 1_000]


def record(**more: Any) -> dict[str, Any]:
    """One window of one part, around sample 3."""
    made: dict[str, Any] = {"r": "events", "series": 0, "index": 3, "part": 0, "parts": 1, "from": START_STAMP}
    made |= {"to": START_STAMP + 90, "start": START_STAMP + 10, "stop": START_STAMP + 60, "cpu": 1}
    return made | {"missed": 0, "lost_by_kernel": 0, "list": [DUE, SWITCH]} | more


def read(*windows: dict[str, Any], lose: int | None = None) -> tuple[TestTrace, tuple[str, ...]]:
    """The test of a trace with these records before its end. `lose`: one of them never arrives."""
    made = records([fake_test("THR-P-SLS", params={"threads": 2}, series=[fake_series([50, 51, 52, 99])])])
    end = next(number for number, one in enumerate(made) if one["r"] == "test-end")
    made[end:end] = windows
    data = frames(made)
    if lose is not None:
        pieces = data.split(b"\0")
        del pieces[end + lose]
        data = b"\0".join(pieces)
    trace = read_trace(data)
    return trace.tests[0], trace.problems


def test_a_window_is_kept_as_it_came() -> None:
    test, problems = read(record(missed=4, lost_by_kernel=7))
    assert problems == ()
    (window,) = test.windows
    assert (window.series, window.index, window.cpu, window.missed, window.lost_by_kernel) == (0, 3, 1, 4, 7)
    assert (window.begin, window.start, window.stop, window.end) == tuple(START_STAMP + n for n in (0, 10, 60, 90))
    assert window.complete
    assert window.events == (
        KernelEvent(START_STAMP + 2, 1, "timer-due", 0, 12, -1, "hrtimer_wakeup", "", 1_000),
        KernelEvent(START_STAMP + 5, 1, "switch", 70, 12, 19, "worker [a] b", "S", 0),
    )


def test_parts_are_joined_and_a_missing_one_is_seen() -> None:
    parts = [record(part=n, parts=3, list=[[START_STAMP + n, *SWITCH[1:]]]) for n in range(3)]
    test, problems = read(*parts, record(index=2))
    assert problems == ()
    assert [(w.index, [e.at - START_STAMP for e in w.events], w.complete) for w in test.windows] == [
        (3, [0, 1, 2], True),
        (2, [2, 5], True),
    ]
    test, problems = read(*parts, record(index=2), lose=1)
    assert problems
    assert [([e.at - START_STAMP for e in w.events], w.complete) for w in test.windows] == [
        ([0, 2], False),
        ([2, 5], True),
    ]


def test_a_test_without_events_has_no_windows() -> None:
    assert read()[0].windows == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"series": 1},
        {"part": 1},
        {"parts": 0},
        {"parts": 100_000},
        {"cpu": -1},
        {"missed": "none"},
        {"start": None},
        {"list": "none"},
        {"list": [SWITCH[:8]]},
        {"list": [[*SWITCH, 1]]},
        {"list": [[-1, *SWITCH[1:]]]},
        {"list": [[True, *SWITCH[1:]]]},
        {"list": [[*SWITCH[:2], "reboot", *SWITCH[3:]]]},
        {"list": [[*SWITCH[:6], 7, *SWITCH[7:]]]},
        {"list": [7]},
    ],
)
def test_what_the_format_does_not_allow_is_left_out_and_named(wrong: dict[str, Any]) -> None:
    test, problems = read(record(**wrong), record(index=1))
    assert [window.index for window in test.windows] == [1]
    assert len(problems) == 1
    assert "record events" in problems[0]
    assert test.damaged


def test_names_hold_nothing_that_misleads() -> None:
    test, _ = read(record(list=[[*SWITCH[:6], "a\x1b[31m\nb" + "x" * 200, *SWITCH[7:]]]))
    name = test.windows[0].events[0].name
    assert name.isprintable()
    assert len(name) <= 64
