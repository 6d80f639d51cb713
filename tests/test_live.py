from __future__ import annotations

import io
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtgauge._live import SMALL, figures
from rtgauge._progress import Follower, shown
from rtgauge.model import Descriptor, Job, RunSpec, SeriesInfo
from rtgauge.plan import Plan
from rtgauge.trace.events import LiveLine, LiveRead, TestBegun, TestEnded
from rtgauge.trace.frames import FRAME_MAX, Kept, encode_frame
from rtgauge.trace.live import bounds_of
from rtgauge.trace.reader import Reader
from rtgauge.trace.writer import encode_request

SERIES = SeriesInfo("", "ns", "due", "awake", "each", "cpu", "os", ("periodic",))
CYCLE = Descriptor("TMR-P-CYC", "t", "q?", (), (1, 1, 1), 0, 0, (), (SERIES,))
PARAMS: dict[str, Any] = {"threads": 2, "priospread": "off", "policy": "fifo", "interval": 1_000_000}
BINS = ((1024.0, 1280.0, 1), (1280.0, 1536.0, 100_000), (7168.0, 8192.0, 1))
TWO = LiveRead(0, "ns", (LiveLine(9, 1_100, 1_300, 7_700, 1_200, 3), LiveLine(8, 900, 1_000, 2_000, 1_000, 1)), BINS)


def test_each_thread_has_a_line_with_its_cpu() -> None:
    assert figures({0: TWO}, CYCLE, 80, 24) == [
        "          samples     min    last     avg     max",
        "T0 CPU 3        9  1.1 us  1.2 us  1.3 us  7.7 us",
        "T1 CPU 1        8  900 ns    1 us    1 us    2 us",
        "1.02 us |▁█         ▁| 8.19 us".replace("▁", "▂"),
    ]


def test_a_test_of_several_series_names_them_and_a_terminal_may_have_no_unicode() -> None:
    info = [SeriesInfo(name, "ns", "", "", "", "", "stamp", ()) for name in ("acquire\x1b[2J", "release")]
    test = Descriptor("SEM-P-ARC", "t", "q?", (), (1, 1, 1), 0, 0, (), tuple(info))
    one = LiveLine(5, 10, 10, 10, 10, 0)
    lines = figures({i: LiveRead(i, "ns", (one,), ((10.0, 12.0, 5),)) for i in (0, 1)}, test, 80, 24, unicode=False)
    assert [line.split()[0].rstrip("\ufffd") for line in lines[1:3]] == [
        "acquire[2J".replace("[", "\ufffd["),
        "release",
    ]
    assert not any("\x1b" in line for line in lines)
    assert lines[3] == "10 ns |@| 12 ns"


@given(st.integers(0, 200), st.integers(0, 60), st.integers(1, 64))
def test_figures_fit_every_terminal(width: int, height: int, threads: int) -> None:
    read = LiveRead(0, "ns", TWO.lines[:1] * threads, BINS)
    lines = figures({0: read}, CYCLE, width, height)
    assert len(lines) <= max(0, height - 2)
    assert all(len(line) <= width for line in lines)
    if height < SMALL:
        assert lines == []
    elif width > 60 and threads > height:
        assert any(line.startswith("  and ") for line in lines)


def test_the_worst_so_far_follows_the_figures_and_ends_with_the_test() -> None:
    follower = Follower(Plan(RunSpec((Job("TMR-P-CYC", 5, PARAMS),)), (CYCLE,), (1.0,)))
    follower.take([TestBegun(0, "TMR-P-CYC", PARAMS, 5), TWO])
    assert follower.worst is not None
    assert follower.worst[0] == 7_700
    assert len(follower.figures(80, 24)) == 4
    (line,) = follower.take([TestEnded(0, "TMR-P-CYC", "done", None)])
    assert line.endswith("done, worst 7.7 us")
    assert follower.figures(80, 24) == []


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_shows_them_above_the_bar(monkeypatch: pytest.MonkeyPatch, colour: bool) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "30")
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    stream = _Terminal()
    plan = Plan(RunSpec((Job("TMR-P-CYC", 5, PARAMS),)), (CYCLE,), (1.0,))
    with shown(plan, stream) as take:
        take([TestBegun(0, "TMR-P-CYC", PARAMS, 5), TWO])
    assert "T1 CPU 1" in stream.getvalue()
    assert colour or "\x1b[3" not in stream.getvalue()


def test_without_a_terminal_nothing_changes() -> None:
    stream = io.StringIO()
    plan = Plan(RunSpec((Job("TMR-P-CYC", 5, PARAMS),)), (CYCLE,), (1.0,))
    with shown(plan, stream) as take:
        take([TestBegun(0, "TMR-P-CYC", PARAMS, 5), TWO, TestEnded(0, "TMR-P-CYC", "done", None)])
    assert stream.getvalue().count("\n") == 1


# ---- what the engine sends ------------------------------------------------------------------------------------------


def run(engine: Path, live: bool, **params: Any) -> bytes:
    jobs = (Job("TMR-P-CYC", 3_000, {**PARAMS, **params}), Job("THR-P-SLS", 500, {"threads": 2}))
    request = encode_request(RunSpec(jobs, live=live))
    done = subprocess.run([engine], input=request, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0
    return done.stdout


@pytest.mark.parametrize("threads", [1, 2])
def test_the_engine_tells_each_thread_while_it_samples(engine_fake: Path, threads: int) -> None:
    reader = Reader()
    reads = [one for one in reader.feed(run(engine_fake, True, threads=threads)) if isinstance(one, LiveRead)]
    series = reader.finish().tests[0].series[0]
    assert len(reads) >= 5
    last = reads[-1]
    assert len(last.lines) == threads
    for read in reads:
        assert sum(line.n for line in read.lines) == sum(count for _, _, count in read.bins)
        for line in read.lines:
            assert line.min <= line.avg <= line.max
            assert series.ticks.min() <= line.min
            assert line.max <= series.ticks.max()
    counts = [sum(line.n for line in read.lines) for read in reads]
    assert counts == sorted(counts)
    assert 1_000 < counts[-1] <= 3_000


def test_what_is_only_shown_is_not_kept(engine_fake: Path) -> None:
    data = run(engine_fake, True)
    for size in (1, 7, 1000, len(data)):
        kept = Kept()
        stored = b"".join(kept.of(data[at : at + size]) for at in range(0, len(data), size)) + kept.rest()
        reader = Reader()
        assert not any(isinstance(one, LiveRead) for one in reader.feed(stored))
        trace = reader.finish()
        assert trace.problems == ()
        assert trace.complete
        assert len(trace.tests[0].series[0].ticks) == 3_000
        if size == 1000:
            assert stored == Kept().of(data)


def test_frames_of_any_content_are_kept_but_for_those() -> None:
    kept, shown_only = [encode_frame(n, os.urandom(50)) for n in (0, 1, 0xFFFF_FFFE)], encode_frame(0xFFFF_FFFF, b"x")
    stream = kept[0] + shown_only + kept[1] + b"\0" + kept[2] + shown_only
    filter_ = Kept()
    assert filter_.of(stream) + filter_.rest() == kept[0] + kept[1] + b"\0" + kept[2]
    assert len(Kept().of(b"\1" * (2 * FRAME_MAX))) == 2 * FRAME_MAX, "no more than a frame is held back"


@pytest.mark.parametrize(("place", "bounds"), [(0, (0, 1)), (1, (1, 1.25)), (9, (4, 5)), (12, (7, 8)), (13, (8, 10))])
def test_bins_of_quarter_doublings(place: int, bounds: tuple[float, float]) -> None:
    assert bounds_of(place) == bounds


def test_without_live_there_is_none(engine_fake: Path) -> None:
    reader = Reader()
    assert not any(isinstance(one, LiveRead) for one in reader.feed(run(engine_fake, False)))
