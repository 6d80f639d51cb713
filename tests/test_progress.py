from __future__ import annotations

import io
from pathlib import Path

import pytest

from rtgauge._progress import Follower, shown
from rtgauge.model import Descriptor, Job, ParamInfo, RunSpec, SeriesInfo
from rtgauge.plan import Plan
from rtgauge.trace.events import BlockRead, Progress, RunBegun, TestBegun, TestEnded

INTERVAL = ParamInfo("interval", "duration", "1ms", "10us..1s", "period")
CYCLE = Descriptor("TMR-P-CYC", "t", "q?", (), (1, 1, 1), 0, 0, (INTERVAL,), ())
JOBS = (Job("CAL-P-TRC", 5), Job("TMR-P-CYC", 5, {"interval": 1_000_000}), Job("SEM-B-LCK", 1))
PLAN = Plan(RunSpec(JOBS), (CYCLE,), (10.0, 60.0, 30.0))

BEGIN_CAL = TestBegun(0, "CAL-P-TRC", {}, 5)
BEGIN_CYCLE = TestBegun(1, "TMR-P-CYC", {"interval": 1_000_000}, 5)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_follows_the_plan() -> None:
    clock = Clock()
    follower = Follower(PLAN, clock)
    assert follower.left_s() == 100
    follower.take([RunBegun("e", "p", 0), BEGIN_CAL])
    clock.now += 4
    assert follower.left_s() == 96
    clock.now += 400
    assert follower.left_s() == 90
    follower.take([TestEnded(0, "CAL-P-TRC", "done", None), BEGIN_CYCLE])
    assert follower.left_s() == 90
    assert follower.share() == pytest.approx(0.1)


def test_the_worst_value_is_shown_with_its_test() -> None:
    follower = Follower(PLAN)
    follower.take([BEGIN_CAL, BlockRead(0, 5, 99_000, 99_000.0, "ns"), TestEnded(0, "CAL-P-TRC", "done", None)])
    assert follower.worst is None, "what the instrument takes itself is no latency of the system"
    follower.take([BEGIN_CYCLE, Progress(1, 2), BlockRead(0, 5, 7, 7_000.0, "ns"), BlockRead(0, 5, 6, 6_000.0, "ns")])
    assert follower.status() == "worst so far 7 us in TMR-P-CYC; now TMR-P-CYC interval=1ms"
    follower.take([BlockRead(0, 5, 9, None, "ns"), BlockRead(1, 1, 9_999, 9_999_999.0, "B")])
    assert follower.worst == (7_000.0, "TMR-P-CYC interval=1ms")


def series(name: str, unit: str, source: str, analyse: str = "") -> SeriesInfo:
    return SeriesInfo(name, unit, "a", "b", "c", "", source, (analyse,) if analyse else ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("id_", "params", "info", "line"),
    [
        ("MEM-B-LEK", {}, series("bytes", "B", "value"), "done"),
        ("MEM-B-LEK", {}, series("handles", "1", "value"), "done"),
        ("THR-B-RR", {}, series("outside", "ns", "stamp"), "done, worst 9 us"),
        ("SEM-P-ARN", {"batch": 100}, series("acquire", "ns", "stamp"), "done, worst 9 us"),
        ("CLK-P-DUR", {}, series("", "ns", "stamp", "ticks"), "done, worst 9 us"),
    ],
)
def test_only_latencies_are_the_worst_so_far_and_only_times_the_worst_of_a_test(
    id_: str, params: dict[str, int], info: SeriesInfo, line: str
) -> None:
    described = Descriptor(id_, "t", "q?", (), (1, 1, 1), 0, 0, (), (info,))
    follower = Follower(Plan(RunSpec((Job(id_, 5, params),)), (described,), (1.0,)))
    begun, ended = TestBegun(0, id_, params, 5), TestEnded(0, id_, "done", None)
    (shown_line,) = follower.take([begun, BlockRead(0, 5, 9_000, 9_000.0, info.unit), ended])
    assert shown_line.endswith(f": {line}")
    assert follower.worst is None


def test_without_a_terminal_each_test_is_one_line() -> None:
    stream = io.StringIO()
    with shown(PLAN, stream) as take:
        take([BEGIN_CAL, BlockRead(0, 5, 40, 40.0, "ns"), TestEnded(0, "CAL-P-TRC", "done", None)])
        take([BEGIN_CYCLE, TestEnded(1, "TMR-P-CYC", "not-permitted", "no\x1b[2J privilege\n")])
    lines = stream.getvalue().splitlines()
    assert lines[0] == "[1/3] CAL-P-TRC: done, worst 40 ns"
    assert lines[1].startswith("[2/3] TMR-P-CYC interval=1ms: not-permitted: no")
    assert "\x1b" not in stream.getvalue()
    assert len(lines) == 2


def test_nobody_listening_does_not_end_the_run(tmp_path: Path) -> None:
    closed = (tmp_path / "x").open("w")
    closed.close()
    with shown(PLAN, _Broken()) as take:
        take([BEGIN_CAL, TestEnded(0, "CAL-P-TRC", "done", None)])


class _Broken(io.StringIO):
    def write(self, _text: str) -> int:
        raise BrokenPipeError


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_test_time_left_and_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = _Terminal()
    with shown(PLAN, stream) as take:
        take([BEGIN_CAL, TestEnded(0, "CAL-P-TRC", "done", None)])
        take([BEGIN_CYCLE, BlockRead(0, 5, 7, 7_000.0, "ns")])
    text = stream.getvalue()
    assert "[1/3] CAL-P-TRC: done" in text
    assert "left" in text
    assert "worst so far" in text
