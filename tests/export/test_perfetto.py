"""The structure of the trace for Perfetto: what its reader asks of slices, tracks and arrows."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from rtgauge.cli import main
from rtgauge.errors import UsageError
from rtgauge.export import export, formats
from rtgauge.store.readers import open_run
from tests.support.blamed import EVIL, INTERVAL, hostile, stored, trace_bytes, windows

Event = dict[str, Any]


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    path = stored(tmp_path_factory.mktemp("store"), trace_bytes(windows()))
    content = json.loads(export(open_run(path), "perfetto"))
    assert content["displayTimeUnit"] == "ns"
    found: list[Event] = content["traceEvents"]
    return found


def slices(events: list[Event], **wanted: Any) -> list[Event]:
    return [one for one in events if one["ph"] == "X" and wanted.items() <= one.items()]


def test_every_slice_is_on_a_named_track_of_a_named_process(events: list[Event]) -> None:
    processes = {one["pid"]: one["args"]["name"] for one in events if one["name"] == "process_name"}
    tracks = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    assert sorted(processes.values()) == ["CPU 1", "worst samples"]
    assert {"threads", "interrupts"} <= set(tracks.values())
    assert all((one["pid"], one["tid"]) in tracks for one in events if one["ph"] in "Xsf")
    numbers = [tid for _, tid in tracks]
    assert len(numbers) == len(set(numbers))  # a thread's number is one process's only


def test_slices_of_a_track_lie_apart_or_within_each_other(events: list[Event]) -> None:
    tracks: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for one in slices(events):
        begin = round(one["ts"] * 1000)
        assert one["dur"] > 0
        tracks[one["tid"]].append((begin, begin + round(one["dur"] * 1000)))
    for spans in tracks.values():
        open_: list[int] = []
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_ and open_[-1] <= begin:
                open_.pop()
            assert not open_ or end <= open_[-1]
            open_.append(end)


def test_the_sample_stands_with_its_blame_where_it_happened(events: list[Event]) -> None:
    (worst,) = slices(events, name="sample 20")
    assert (worst["ts"], worst["dur"]) == (20 * INTERVAL / 1000, 186.0)
    assert worst["args"]["sample"]["verdict"].startswith("186 us: 100 us ksoftirqd/1")
    assert worst["args"]["phases"]["interrupt is late"] == 30_000
    inner = [one for one in slices(events, tid=worst["tid"]) if one is not worst and _within(one, worst)]
    assert sum(one["dur"] for one in inner) == pytest.approx(186.0)
    assert {"late", "softirq", "thread", "interrupt", "own"} <= {one["cat"] for one in inner}
    (thread,) = slices(events, name="ksoftirqd/1", cat="thread")
    assert (thread["ts"], thread["dur"]) == (20 * INTERVAL / 1000 + 84, 100.0)
    assert thread["args"] == {"thread": 15, "policy": "normal"}


def test_events_of_two_windows_that_overlap_are_told_once(events: list[Event]) -> None:
    assert len(slices(events, name="NET_RX", pid=2000)) == 1
    assert len(slices(events, name="tick_nohz_handler", pid=2000)) == 1


def test_an_arrow_leads_from_the_waking_to_the_switch(events: list[Event]) -> None:
    (begin,) = [one for one in events if one["ph"] == "s"]
    (end,) = [one for one in events if one["ph"] == "f"]
    assert begin["id"] == end["id"]
    assert end["bp"] == "e"
    assert (begin["ts"], end["ts"]) == (20 * INTERVAL / 1000 + 32, 20 * INTERVAL / 1000 + 184)
    assert any(_holds(one, begin) for one in slices(events, cat="timer"))
    assert any(_holds(one, end) for one in slices(events, name="rtgauge-engine"))


def _within(one: Event, other: Event) -> bool:
    return bool(other["ts"] <= one["ts"] and one["ts"] + one["dur"] <= other["ts"] + other["dur"])


def _holds(one: Event, arrow: Event) -> bool:
    end = one["ts"] + one["dur"]
    return bool(one["tid"] == arrow["tid"] and one["ts"] <= arrow["ts"] <= end)


def test_names_from_the_kernel_stay_texts(tmp_path: Path) -> None:
    made = export(open_run(stored(tmp_path, trace_bytes(hostile(windows())))), "perfetto")
    made.decode("ascii")
    names = {one["name"] for one in json.loads(made)["traceEvents"]}
    assert any(name.startswith(EVIL[:20]) for name in names)


def test_a_run_without_events_and_an_unknown_format_are_refused(tmp_path: Path) -> None:
    run = open_run(stored(tmp_path, trace_bytes([])))
    with pytest.raises(UsageError, match="no kernel events: measure with --blame"):
        export(run, "perfetto")
    with pytest.raises(UsageError, match="legal are"):
        export(run, "perfeto")
    assert "perfetto" in formats()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path, trace_bytes(windows()))
    out = tmp_path / "worst.json"
    assert main(["export", "last", "--format", "perfetto", "-o", str(out), "--store", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert json.loads(out.read_text())["otherData"]["run"]
    assert main(["export", "last", "--format", "nothing", "--store", str(tmp_path)]) == 2
