"""The reader below the checks, and the probes on the running system."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rtgauge.audit import System
from rtgauge.audit._cgroup import cpu_group
from rtgauge.audit._probes import try_fifo
from rtgauge.audit._system import chosen, cpu_list
from tests.audit.trees import SERVER, make


@pytest.mark.parametrize(
    ("text", "cpus"),
    [("", []), ("0-2,5", [0, 1, 2, 5]), ("3", [3]), ("0-7:2/4", [0, 1, 2, 3, 4, 5, 6, 7]), ("x,-", [])],
)
def test_cpu_lists(text: str, cpus: list[int]) -> None:
    assert cpu_list(text) == cpus


def test_choices() -> None:
    assert [chosen("always [madvise] never"), chosen("none (full)"), chosen("on")] == ["madvise", "full", "on"]


def test_a_reading_says_why_it_is_empty(tmp_path: Path) -> None:
    system = System(make(tmp_path, {"/proc/number": "12x"}))
    assert system.read("/proc/absent").problem == "not there"
    assert system.read("/sys/kernel/debug/sched/preempt").problem == "debugfs is not mounted"
    assert "mount -t debugfs" in system.read("/sys/kernel/debug/sched/preempt").hint
    value, reading = system.number("/proc/number")
    assert (value, reading.problem) == (None, "not a number: '12x'")


@contextmanager
def somebody_else() -> Iterator[None]:
    """Root may read every file, so root becomes another user for a while."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_forbidden_file_is_named_so(tmp_path: Path) -> None:
    make(tmp_path, {"/proc/secret": "1"})
    (tmp_path / "proc/secret").chmod(0)
    with somebody_else():
        assert System(tmp_path).read("/proc/secret").problem == "only root may read it"


def test_the_cpu_under_test_is_the_last_allowed_one(tmp_path: Path) -> None:
    assert System(make(tmp_path, {"/proc/self/status": "Cpus_allowed_list:\t2-5,9\n"})).cpu == 9


def test_the_last_of_a_repeated_kernel_parameter_counts_and_those_of_init_do_not(tmp_path: Path) -> None:
    system = System(make(tmp_path, {"/proc/cmdline": "preempt=none quiet preempt=full -- threadirqs\n"}))
    assert system.parameters == {"preempt": "full", "quiet": ""}


def test_a_group_named_by_the_host_falls_back_to_what_is_mounted(tmp_path: Path) -> None:
    group = cpu_group(System(make(tmp_path, {**SERVER, "/proc/self/cgroup": "0::/docker/abc\n"})))
    assert group is not None
    assert (group.version, group.folder) == (2, "/sys/fs/cgroup")


def test_a_read_only_hierarchy_is_known_as_such(tmp_path: Path) -> None:
    files = {"/proc/self/mounts": "cgroup /g cgroup ro,cpu 0 0\n", "/proc/self/cgroup": "3:cpu:/\n"}
    group = cpu_group(System(make(tmp_path, files)))
    assert group is not None
    assert not group.writable


@pytest.mark.skipif(sys.platform != "linux", reason="Linux policies")
def test_trying_leaves_policy_and_threads_as_they_were() -> None:
    before = os.sched_getscheduler(0), os.sched_getparam(0).sched_priority, threading.active_count()
    trial = try_fifo()
    assert 0 <= trial.highest <= 99
    assert bool(trial.highest) != bool(trial.error)
    assert (os.sched_getscheduler(0), os.sched_getparam(0).sched_priority, threading.active_count()) == before


def test_the_audit_needs_no_heavy_package() -> None:
    code = (
        "import sys; from rtgauge.cli import audit, doctor; from rtgauge.audit import run_audit; run_audit()\n"
        "print([m for m in ('numpy', 'scipy', 'pyarrow', 'rich', 'sqlalchemy', 'cbor2') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
