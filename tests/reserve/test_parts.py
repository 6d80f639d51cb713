"""The parts of a reservation, on folders that look like a system."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rtgauge._reserve import _journal, _undo, left_behind, recover
from rtgauge._reserve._masks import from_list, from_mask, to_list, to_mask
from rtgauge._reserve._seen import interrupt_lines
from rtgauge._reserve._settings import interrupts, settings
from rtgauge._reserve._tasks import Task
from rtgauge.errors import StoreError, TargetError
from rtgauge.store.reservation import reservation_from_json

ALL = frozenset(range(4))
INTERRUPTS = """\
            CPU0       CPU1
  9:          1          7   IO-APIC   9-fasteoi   acpi
 24:          0          5  PCI-MSI  0-edge      eth0-rx
LOC:        100        200   Local timer interrupts
ERR:          0
"""


@pytest.mark.parametrize(
    ("cpus", "text", "mask"),
    [({0}, "0", "1"), ({0, 1, 4}, "0-1,4", "13"), ({33}, "33", "2,00000000"), (set(range(40)), "0-39", "ff,ffffffff")],
)
def test_both_ways_of_writing_cpus(cpus: set[int], text: str, mask: str) -> None:
    assert (to_list(cpus), to_mask(cpus)) == (text, mask)
    assert (from_list(text + "\n"), from_mask(mask + "\n")) == (cpus, cpus)
    assert _undo.same(mask, "00000000," + mask)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = {
        "proc/interrupts": INTERRUPTS,
        "proc/irq/9/smp_affinity_list": "0-3\n",
        "proc/irq/9/effective_affinity_list": "1\n",
        "proc/irq/24/smp_affinity_list": "1\n",
        "proc/irq/24/effective_affinity_list": "1\n",
        "proc/irq/25/smp_affinity_list": "0\n",
        "proc/irq/25/effective_affinity_list": "0\n",
        "proc/irq/default_smp_affinity": "f\n",
        "sys/devices/virtual/workqueue/cpumask": "f\n",
        "proc/sys/kernel/watchdog_cpumask": "0-3\n",
        "proc/sys/kernel/timer_migration": "1\n",
        "proc/sys/vm/stat_interval": "1\n",
        "sys/class/net/eth0/queues/rx-0/rps_cpus": "2\n",
        "sys/class/net/eth1/queues/rx-0/rps_cpus": "0\n",
    }
    for name, text in made.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_interrupts_that_come_to_the_cpu_are_moved(root: Path) -> None:
    found = {one.interrupt: one for one in interrupts(1, ALL - {1}, root)}
    assert sorted(number for number in found if number is not None) == [9, 24]
    assert (found[9].before, found[9].set, found[9].first, found[9].what) == ("0-3", "0,2-3", ("1",), "acpi")
    assert found[24].set == "0,2-3"  # it may be nowhere else than on the CPU: then anywhere


def test_settings_that_name_the_cpu_are_changed(root: Path) -> None:
    made = {one.file.removeprefix(str(root)): one.set for one in settings(1, ALL - {1}, root)}
    assert made == {
        "/proc/irq/default_smp_affinity": "d",
        "/sys/devices/virtual/workqueue/cpumask": "d",
        "/proc/sys/kernel/watchdog_cpumask": "0,2-3",
        "/sys/class/net/eth0/queues/rx-0/rps_cpus": "0",
        "/proc/sys/vm/stat_interval": "120",
    }


def test_counts_are_those_of_the_cpu(root: Path) -> None:
    assert interrupt_lines(root, 1) == {
        "9": (7, "acpi"),
        "24": (5, "eth0-rx"),
        "LOC": (200, "Local timer interrupts"),
    }


def journal(folder: Path, *changes: dict[str, object]) -> None:
    made = _journal.Journal(folder, {"schema": 1})
    made.add(changes)
    made.close()


def test_only_what_is_as_it_was_set_is_put_back(tmp_path: Path) -> None:
    ours, theirs, gone = tmp_path / "ours", tmp_path / "theirs", tmp_path / "gone"
    ours.write_text("0000000d\n")
    theirs.write_text("1\n")
    journal(tmp_path / "j", *({"file": str(f), "before": "f", "set": "d"} for f in (ours, theirs, gone)))
    with (tmp_path / "j" / _journal.NAME).open("a") as file:
        file.write('{"file": "' + str(theirs) + '", "before": "7", "se')  # cut off: was never changed
    assert left_behind(tmp_path / "j")
    assert recover(tmp_path / "j") == []
    assert (ours.read_text()[0], theirs.read_text()) == ("f", "1\n")
    assert not left_behind(tmp_path / "j")
    assert recover(tmp_path / "j") is None


def test_a_journal_in_use_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rtgauge._reserve._PATIENCE_S", 0.05)
    made = _journal.Journal(tmp_path, {"schema": 1})
    assert not left_behind(tmp_path)
    with pytest.raises(TargetError, match="another run has reserved"):
        recover(tmp_path)
    with pytest.raises(_journal.BusyError):
        _journal.Journal(tmp_path, {})
    made.close()
    assert left_behind(tmp_path)
    with pytest.raises(_journal.BusyError):  # what a killed run has written is not overwritten before it is put back
        _journal.Journal(tmp_path, {})
    assert recover(tmp_path) == []


class System:
    """Tasks with masks, in place of the kernel's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, masks: dict[Task, set[int]]) -> None:
        self.masks = {task.id: set(mask) for task, mask in masks.items()}
        monkeypatch.setattr(_undo, "tasks", lambda: iter(masks))
        monkeypatch.setattr(_undo, "mask_of", lambda task: frozenset(self.masks[task.id]))
        monkeypatch.setattr(os, "sched_setaffinity", lambda id_, mask: self.masks.update({id_: set(mask)}))
        monkeypatch.setattr(_undo, "PAUSE_S", 0)


def task(id_: int, parent: int = 1, started: int = 5) -> Task:
    return Task(id_, id_, parent, started, "x", kernel=False, fixed=False, deadline=False, processor=0)


def test_tasks_born_meanwhile_get_what_their_parents_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved, pinned, changed, reused = task(10), task(11), task(12), task(13, started=99)
    child, grandchild, of_pinned, orphan = task(20, 10, 50), task(21, 20, 51), task(22, 11, 52), task(23, 1, 53)
    others = {0, 2, 3}
    every = [moved, pinned, changed, reused, child, grandchild, of_pinned, orphan]
    system = System(monkeypatch, {**dict.fromkeys(every, others), changed: {0}})
    known = [(10, ALL), (11, others), (12, ALL), (13, ALL)]
    entries = [
        {"task": i, "process": i, "started": 5, "before": sorted(mask), "set": sorted(others)} for i, mask in known
    ]
    journal(tmp_path, *entries)
    assert _undo.undo(tmp_path / _journal.NAME) == []
    full = {moved.id, reused.id, child.id, grandchild.id, orphan.id}
    assert {id_ for id_, mask in system.masks.items() if mask == set(ALL)} == full
    assert system.masks[pinned.id] == system.masks[of_pinned.id] == others
    assert system.masks[changed.id] == {0}


def test_what_a_manifest_tells_is_read_piece_by_piece() -> None:
    seen = {"seconds": 1.5, "tasks": [], "interrupts": [{"name": "a", "line": "9", "count": 2}], "softirqs": []}
    told = {
        "cpu": 1,
        "others": "0",
        "how": "x",
        "moved": {"tasks": 1, "kernel_threads": 2, "interrupts": ["9 a"], "settings": []},
        "left": [{"what": "tick", "names": [], "count": None, "why": "y"}],
        "seen": seen,
        "not_put_back": [],
    }
    assert reservation_from_json(json.loads(json.dumps(told))) == told
    assert reservation_from_json(None) is None
    for wrong in (
        {},
        [],
        {**told, "cpu": -1},
        {**told, "seen": {**seen, "seconds": float("nan")}},
        {**told, "left": 3},
    ):
        with pytest.raises(StoreError, match="reserved CPU is damaged"):
            reservation_from_json(wrong)
