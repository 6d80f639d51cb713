"""The blame of the worst samples in reports and in the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rtgauge.cli import main
from rtgauge.findings.worst import UNKNOWN, causes
from rtgauge.report import render
from rtgauge.report.blocks import LOOKS
from tests.fuzz.invariants import assert_shown_safely
from tests.report.test_html import page_of
from tests.support.blamed import content_of, hostile, stored, trace_bytes, view_of, windows

BROKE = [("break_on_sample", 20, ""), ("break_on_ns", 150_000, "ns"), ("break_on_series", "", "")]


def test_a_time_line_for_each_sample_and_its_parts_below() -> None:
    page = page_of(view_of(trace_bytes(windows())))
    looks = [str(a["class"]) for tag, a in page.seen if tag == "rect" and str(a.get("class", "")).startswith("look-")]
    assert {"look-thread", "look-interrupt", "look-late", "look-own"} <= set(looks) <= {f"look-{one}" for one in LOOKS}
    lines = [a for tag, a in page.seen if tag == "svg" and a.get("class") == "timeline"]
    assert len(lines) == 3
    assert all(line["role"] == "img" and line["aria-label"] for line in lines)
    for told in (
        "ksoftirqd/1 (normal)",
        "softirq NET_RX",
        "100 µs ksoftirqd",
        "Who caused the worst samples",
        "3 of 3",
    ):
        assert told in page.text
    assert "Interrupt is late" in page.text  # the phases of the wake-ups


def test_bars_keep_to_their_line() -> None:
    page = page_of(view_of(trace_bytes(windows())))
    bars = [a for tag, a in page.seen if tag == "rect" and "look-" in str(a.get("class")) and "x" in a]
    assert bars
    for bar in bars:
        assert 0 <= float(str(bar["x"])) <= 400
        assert float(str(bar["x"])) + float(str(bar["width"])) <= 400.5


def test_the_first_screen_names_the_cause() -> None:
    content = content_of(trace_bytes(windows()))
    result = content["results"][0]
    told = causes(result, result["worst"][0], content["results"], content["system"])
    assert told[0].startswith("By the system's own events: 100 us ksoftirqd/1 (normal)")
    assert UNKNOWN not in told
    without = content_of(trace_bytes([]))["results"][0]
    assert causes(without, without["worst"][0], [without], {})[0] == UNKNOWN


def test_without_events_nothing_is_shown() -> None:
    page = page_of(view_of(trace_bytes([])))
    assert "timeline" not in [a.get("class") for _, a in page.seen]
    assert "Who caused" not in page.text


def test_markdown_has_the_tables() -> None:
    text = str(render(view_of(trace_bytes(windows())), "md"))
    assert "Who caused the worst samples" in text
    assert "| ksoftirqd/1 (normal) |" in text
    assert "What ran on its CPU" not in text  # a drawing


@pytest.mark.parametrize("format", ["html", "md", "json"])
def test_hostile_names(format: str) -> None:
    assert_shown_safely(format, render(view_of(trace_bytes(hostile(windows()))), format))


def test_the_sample_that_ended_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = trace_bytes(windows(), BROKE)
    content = content_of(data)
    assert content["verdict"]["ruling"] == "fail"
    assert content["verdict"]["reason"] == (
        "TMR-P-CYC interval=1ms: sample 20 took 186 us, above the limit of 150us: the run was ended there"
    )
    assert "Around sample 20, which ended the run" in page_of(view_of(data)).text
    stored(tmp_path, data)
    assert main(["show", "last", "TMR-P-CYC", "--store", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "blame of sample 20 (CPU 1): 186 us: 100 us ksoftirqd/1 (normal)" in out
    assert "interrupt is late 30 us" in out
    assert "cause: ksoftirqd/1 (normal): 100 us in all, at most 100 us, in 1 of 3, the largest in 1" in out
    assert "around sample 20, from its start stamp:" in out
    assert re.search(r"\n +\* +84 us +100 us +ksoftirqd/1 \(normal\)\n", out)


def test_hostile_names_reach_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path, trace_bytes(hostile(windows()), BROKE))
    assert main(["show", "last", "TMR-P-CYC", "--store", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
