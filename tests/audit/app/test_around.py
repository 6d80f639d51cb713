"""Control groups of another process, other real-time threads, and names in files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rtgauge.audit import System
from rtgauge.audit.app._around import SYMBOLS, _named_in, _others, quota
from rtgauge.audit.app._proc import Proc
from tests.audit.app.test_proc import REST
from tests.audit.trees import make

V2 = {
    "/proc/self/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
    "/proc/self/cgroup": "0::/app\n",
    "/sys/fs/cgroup/app/cpu.max": "50000 100000",
    "/sys/fs/cgroup/app/cpu.stat": "usage_usec 5\nnr_throttled 7\n",
}


def test_a_limit_is_found_with_how_often_it_stopped(tmp_path: Path) -> None:
    found = quota(System(make(tmp_path, V2)), 7)
    assert found.limit == "50000 us in 100000 us for /sys/fs/cgroup/app"
    assert ("/sys/fs/cgroup/app/cpu.stat", "nr_throttled 7") in found.evidence


@pytest.mark.parametrize("value", ["max 100000", "-1"])
def test_no_limit(tmp_path: Path, value: str) -> None:
    assert quota(System(make(tmp_path, {**V2, "/sys/fs/cgroup/app/cpu.max": value})), 7).limit == ""


def test_groups_that_are_hidden_are_a_problem(tmp_path: Path) -> None:
    assert quota(System(tmp_path), 7).problem


def test_real_time_threads_of_others_are_found_and_garbage_is_passed_over(tmp_path: Path) -> None:
    for pid, stat in ((7, REST), (8, REST), (9, "garbage"), (10, REST.replace(" 80 1 ", " 0 0 "))):
        folder = tmp_path / f"{pid}/task/{pid}"
        folder.mkdir(parents=True)
        (folder / "stat").write_text(f"{pid} (x) {stat}", "utf-8")
        (folder / "status").write_text("Cpus_allowed_list:\t1\n", "utf-8")
    found, problem = _others(Proc(tmp_path), 7)
    assert [(each.tid, each.priority, each.cpus, each.kernel) for each in found] == [(8, 80, (1,), False)]
    assert problem == ""
    assert _others(Proc(tmp_path / "absent"), 7)[1]


def test_names_are_found_in_programs_only(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_bytes(b"\x7fELF\0xmlockall\0" + SYMBOLS[0].encode() + b"\0")
    assert _named_in(path) == [SYMBOLS[0]]
    path.write_bytes(b"text\0mlockall\0")
    assert _named_in(path) == []
    os.mkfifo(tmp_path / "pipe")
    assert _named_in(tmp_path / "pipe") == []
    assert _named_in(tmp_path / "absent") == []
