"""A CPU is reserved on this machine, and everything is put back: after the end, and after kills at any moment."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rtgauge._reserve as reserve
from rtgauge._reserve import _tasks
from rtgauge._reserve._undo import read
from rtgauge.errors import TargetError, UsageError

HOST = Path(__file__).parent.parent / "support" / "reserve_host.py"
KILLS = 4  # of each kind and way: 24 in all
_FILES = ("/proc/irq/default_smp_affinity", "/sys/devices/virtual/workqueue/cpumask")
_FILES += ("/proc/sys/kernel/watchdog_cpumask", "/proc/sys/kernel/timer_migration", "/proc/sys/vm/stat_interval")
JOURNAL = reserve.FOLDER / reserve.NAME  # the real one: a reservation is the machine's
Masks = dict[tuple[int, int], tuple[frozenset[int], _tasks.Task]]

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or len(reserve._online()) < 2, reason="moving what runs on a CPU takes root and a second CPU"
)


@pytest.fixture
def cpu() -> int:
    """The first: other tests that run meanwhile use the last one."""
    return min(os.sched_getaffinity(0))


@pytest.fixture(params=["group", "affinity"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "group" and reserve.group_for("rtgauge-test") is None:
        pytest.skip("this system has no CPU sets of version 1 that may be used")
    if request.param == "affinity":
        monkeypatch.setattr(reserve, "group_for", lambda _name: None)
    return str(request.param)


@pytest.fixture
def forks() -> Iterator[subprocess.Popen[bytes]]:
    """Somebody who starts new programs all the time."""
    shell = subprocess.Popen(["sh", "-c", "while :; do sleep 0.01; done"], start_new_session=True)
    yield shell
    os.killpg(shell.pid, signal.SIGKILL)
    shell.wait()


def masks() -> Masks:
    return {task.key: (mask, task) for task in _tasks.tasks() if (mask := _tasks.mask_of(task)) is not None}


def files() -> dict[str, str]:
    every = [*Path("/proc/irq").glob("*/smp_affinity_list"), *(Path(file) for file in _FILES)]
    return {str(file): read(str(file)) for file in every if file.exists()}


def groups() -> list[str]:
    return [str(found) for found in Path("/sys/fs/cgroup").glob("cpuset/rtgauge-*")]


def differences(before: Masks, after: Masks) -> list[str]:
    """Tasks that were there and have another mask now, and ours among the new ones that look as if they were moved.
    Engines that others test meanwhile pin their threads by themselves."""
    found = [
        f"{task.name} {task.id}: {sorted(before[key][0])} -> {sorted(mask)}"
        for key, (mask, task) in after.items()
        if key in before and mask != before[key][0] and not task.name.startswith("rtgauge")
    ]
    parents = {task.process: task.parent for _, task in after.values()}
    free = os.sched_getaffinity(0)
    new = [(mask, task) for key, (mask, task) in after.items() if key not in before and ours(task.process, parents)]
    return found + [f"new {task.name} {task.id}: {sorted(mask)}" for mask, task in new if mask != free]


def ours(process: int, parents: dict[int, int]) -> bool:
    while process in parents and process != os.getpid():
        process = parents[process]
    return process == os.getpid()


def settled(before: Masks) -> list[str]:
    """The differences that stay."""
    until = time.monotonic() + 10
    while JOURNAL.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return differences(before, masks())


def test_other_tasks_are_elsewhere_and_come_back(cpu: int, how: str) -> None:
    sleeper = subprocess.Popen(["sleep", "60"])
    try:
        before, settings = masks(), files()
        with reserve.reserving(cpu) as reservation:
            assert reservation is not None
            mine = {key: mask for key, (mask, task) in masks().items() if not task.kernel}
            assert [mask for mask in mine.values() if cpu in mask] == []
            assert os.sched_getaffinity(sleeper.pid) == reserve._online() - {cpu}
            moved = reservation.told["moved"]
            assert moved["tasks"] >= 2
            assert cpu not in os.sched_getaffinity(0)
            reservation.look()
        assert differences(before, masks()) == []
        assert files() == settings
        assert (groups(), JOURNAL.exists()) == ([], False)
        assert reservation.told["not_put_back"] == []
        assert reservation.told["how"] == ("CPU set of the others" if how == "group" else "affinity of each task")
        assert any(one["why"].startswith("kernel threads of this CPU") for one in reservation.told["left"])
        assert reservation.told["seen"]["seconds"] > 0
    finally:
        sleeper.kill()
        sleeper.wait()


def test_what_is_started_outside_may_use_the_cpu(cpu: int, how: str) -> None:
    question = [sys.executable, "-S", "-c", "import os; print(sorted(os.sched_getaffinity(0)))"]
    free, with_us = sorted(os.sched_getaffinity(0)), sorted(reserve._online() - {cpu})
    with reserve.reserving(cpu):
        with reserve.outside():
            assert subprocess.run(question, capture_output=True, text=True, check=True).stdout.strip() == str(free)
        assert subprocess.run(question, capture_output=True, text=True, check=True).stdout.strip() == str(with_us)
    assert how
    assert sorted(os.sched_getaffinity(0)) == free


def test_who_changes_the_mask_meanwhile_keeps_it(cpu: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reserve, "group_for", lambda _name: None)
    sleeper, pinned = subprocess.Popen(["sleep", "60"]), subprocess.Popen(["sleep", "60"])
    others = reserve._online() - {cpu}
    os.sched_setaffinity(pinned.pid, others)
    try:
        with reserve.reserving(cpu):
            os.sched_setaffinity(sleeper.pid, {cpu})
        assert os.sched_getaffinity(sleeper.pid) == {cpu}
        assert os.sched_getaffinity(pinned.pid) == others  # it was there before
    finally:
        for one in (sleeper, pinned):
            one.kill()
            one.wait()


@pytest.mark.parametrize("whom", ["host", "host and guardian", "guardian"])
@pytest.mark.usefixtures("forks")
def test_all_is_put_back_after_kills_at_any_moment(cpu: int, how: str, whom: str) -> None:
    chance = random.Random(f"{how} {whom}")
    before, settings = masks(), files()
    for _ in range(KILLS):
        with _killed(cpu, how, whom, chance.uniform(0, 0.35)) as child:
            if whom == "host and guardian":
                reserve.recover()
            assert settled(before) == []
            assert child is None or os.sched_getaffinity(child) == os.sched_getaffinity(0)
        assert files() == settings
        assert (groups(), JOURNAL.exists()) == ([], False)


@contextlib.contextmanager
def _killed(cpu: int, how: str, whom: str, after: float) -> Iterator[int | None]:
    """Kills so many seconds after the guardian is there: in the middle of the changes, or when they are made. Gives
    what the host had started, if it came so far."""
    seconds = "0.4" if whom == "guardian" else "60"
    words = [sys.executable, str(HOST), str(cpu), how, seconds]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        guardian = int(host.stdout.readline().split()[1])
        time.sleep(after)
        if whom != "host":
            os.kill(guardian, signal.SIGKILL)
        if whom != "guardian":
            host.kill()
        said = host.stdout.read().split()
    child = int(said[said.index("child") + 1]) if "child" in said else None
    try:
        yield child
    finally:
        if child is not None:
            os.kill(child, signal.SIGKILL)


def test_two_at_once_are_refused(cpu: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reserve, "_PATIENCE_S", 0.1)
    host = subprocess.Popen([sys.executable, str(HOST), str(cpu), "affinity"], stdout=subprocess.PIPE)
    assert host.stdout is not None
    try:
        while host.stdout.readline().strip() != b"reserved":
            pass
        assert not reserve.left_behind()
        with pytest.raises(TargetError, match="another run has reserved"), reserve.reserving(cpu):
            pass
    finally:
        host.kill()
        host.communicate()
        assert settled({}) == []


def test_without_permission_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch, cpu: int) -> None:
    reserve.check(cpu)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(TargetError, match="not permitted: --cpus reserved"):
        reserve.check(cpu)
    monkeypatch.setattr(reserve, "_online", lambda: frozenset({0}))
    with pytest.raises(UsageError, match="CPU 0 is the only one"):
        reserve.check(0)
