"""What each instrument really wrote, read back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import _perf
import _rttests
import _tracefs
import cyclic
from _readings import Reading
from tests.bench.conftest import DATA


def document(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
    return loaded


def test_cyclictest() -> None:
    whole = document("cyclictest")
    thread = whole["thread"]["0"]
    each = sorted(int(ns) for ns, count in thread["histogram"].items() for _ in range(count))
    late = cyclic.lateness_of(whole)
    assert len(each) == thread["cycles"] == 40
    assert late.reading == Reading(n=40, min=each[0], median=each[19], avg=thread["avg"])
    assert late.reading.avg == pytest.approx(np.mean(each), abs=0.01)
    assert (late.p99, late.overruns) == (each[39], 0)
    assert _rttests.version_of(whole) == "2.40"


def test_latencies_beyond_cyclictests_histogram_count_as_the_largest() -> None:
    whole = document("cyclictest")
    whole["thread"]["0"]["cycles"] += 60
    late = cyclic.lateness_of(whole)
    assert late.overruns == 60
    assert late.reading.median == cyclic.HISTOGRAM_NS


@pytest.mark.parametrize("program", ["ptsematest", "pmqtest", "sigwaittest"])
def test_a_pair_of_rt_tests_tells_whole_microseconds_and_no_median(program: str) -> None:
    whole = document(program)
    receiver = whole["thread"]["0"]["receiver"]
    reading = _rttests.pair_reading(whole)
    assert reading == Reading(n=500, min=receiver["min"] * 1000, median=None, avg=receiver["avg"] * 1000)
    assert reading.min is not None
    assert reading.avg is not None
    assert 1000 <= reading.min <= reading.avg < 1e6
    assert program in whole["cmdline:"]


@pytest.mark.parametrize("peers", ["threads", "processes"])
def test_perf_bench_sched_pipe(peers: str) -> None:
    text = (DATA / f"perf-{peers}.txt").read_text()
    each = float(text.split(" usecs/op")[0].split()[-1])
    assert _perf.parse_pipe(text, peers) == Reading(n=1000, avg=each * 1000)
    other = "threads" if peers == "processes" else "processes"
    with pytest.raises(ValueError, match=other):
        _perf.parse_pipe(text, other)
    with pytest.raises(ValueError, match="not a result"):
        _perf.parse_pipe(text[: text.index("usecs/op")], peers)


def test_perf_in_the_words_of_newer_versions() -> None:
    text = (DATA / "perf-threads.txt").read_text().replace("between two threads", "between 2 threads")
    assert _perf.parse_pipe(text, "threads").n == 1000
    assert _perf.parse_version("perf version 6.1.187\n") == "6.1.187"


def test_switches_and_wakings_of_the_kernel() -> None:
    text = (DATA / "sched.txt").read_text()
    switches, wakings = _tracefs.parse_switches(text), _tracefs.parse_wakings(text)
    assert len(switches.at) == text.count(": sched_switch: ") == len(switches.to) == len(switches.priority)
    assert len(wakings.at) == text.count(": sched_waking: ") == 24
    assert switches.at.dtype == np.int64
    assert np.all(np.diff(switches.at) > 0)
    assert (switches.at[0], switches.to[0], switches.priority[0]) == (31571072811095, 27172, 32)
    assert (wakings.at[0], wakings.of[0]) == (31571072856907, 27169)
    assert set(switches.command) == {"rtgauge-engine"}


def test_names_with_blanks_and_arrows_and_deadline_priorities() -> None:
    line = (
        "  a ==> next_pid=3-7  [001] d..2. 123: sched_switch: prev_comm=a ==> next_pid=3 prev_pid=7 prev_prio=120 "
        "prev_state=R+ ==> next_comm=tmux: server next_pid=9 next_prio=-1\n"
    )
    switches = _tracefs.parse_switches(line)
    assert (switches.at[0], switches.to[0], switches.priority[0]) == (123, 9, -1)
    assert switches.command[0] == "tmux: server"


def test_no_events_are_no_events() -> None:
    assert len(_tracefs.parse_switches("# tracer: nop\n").at) == 0
    assert len(_tracefs.parse_wakings("").at) == 0


def test_statistics_of_the_buffer() -> None:
    stats = (DATA / "sched-stats.txt").read_text()
    assert _tracefs.parse_lost(stats) == 0
    assert _tracefs.parse_lost(stats.replace("overrun: 0", "overrun: 7")) == 14  # commit overrun too
    assert _tracefs.parse_lost(stats.replace("dropped events: 0", "dropped events: 5")) == 5
    assert _tracefs.parse_now(stats) == 31571084693693
    with pytest.raises(ValueError, match="trace clock"):
        _tracefs.parse_now("entries: 3\n")
