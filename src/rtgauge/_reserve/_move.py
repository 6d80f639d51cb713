"""Moves everything that can be moved, and tells what was and what was not."""

from __future__ import annotations

import errno
import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rtgauge._reserve._groups import Group
from rtgauge._reserve._journal import Journal
from rtgauge._reserve._masks import from_list, to_list
from rtgauge._reserve._settings import Change, effective, interrupts, settings
from rtgauge._reserve._tasks import Task, mask_of, tasks
from rtgauge._reserve._undo import LATE_PASSES, PAUSE_S, write

_NAMES = 40  # of a list


@dataclass
class Moved:
    cpu: int
    others: frozenset[int]
    group: Group | None = None
    programs: set[tuple[int, int]] = field(default_factory=set)  # tasks of programs that might run on the CPU before
    kernel: set[tuple[int, int]] = field(default_factory=set)  # kernel threads likewise
    refused: dict[tuple[int, int], str] = field(default_factory=dict)  # tasks that stay, and why
    interrupts: list[Change] = field(default_factory=list)
    settings: list[Change] = field(default_factory=list)
    stay: list[dict[str, Any]] = field(default_factory=list)  # what stays beside tasks

    def told(self) -> dict[str, Any]:
        """For the run."""
        return {
            "cpu": self.cpu,
            "others": to_list(self.others),
            "how": "CPU set of the others" if self.group else "affinity of each task",
            "moved": {
                "tasks": len(self.programs),
                "kernel_threads": len(self.kernel),
                "interrupts": [f"{one.interrupt} {one.what}" for one in self.interrupts],
                "settings": [f"{one.what}: {one.before} -> {one.set}" for one in self.settings],
            },
            "left": [*self._tasks_left(), *self.stay, *_always(self.cpu)],
            "seen": None,
            "not_put_back": [],
        }

    def _tasks_left(self) -> list[dict[str, Any]]:
        """Who may still run there, by reason."""
        found: dict[str, Counter[str]] = {}
        for task in tasks():
            mask = mask_of(task)
            if mask is not None and self.cpu in mask:
                why = _why(task, mask, self.refused.get(task.key))
                found.setdefault(why, Counter())[task.name] += 1
        return [_left("tasks", names, why) for why, names in found.items()]


def move_all(cpu: int, others: frozenset[int], group: Group | None, journal: Journal) -> Moved:
    moved = Moved(cpu, others)
    if group is not None:
        journal.add([{"group": group.path, "parent": group.parent, "set": sorted(others)}])
        try:
            group.make(to_list(others))
            moved.group = group
        except OSError:
            moved.group = None
    for change in settings(cpu, others):
        _change(change, journal, moved, moved.settings)
    _move_tasks(moved, journal)
    for change in interrupts(cpu, others):
        _change(change, journal, moved, moved.interrupts)
    return moved


def _move_tasks(moved: Moved, journal: Journal) -> None:
    """Again until no new ones appear: who is moved may have started another one just before."""
    seen: set[tuple[int, int]] = set()
    for _ in range(LATE_PASSES):
        fresh = [task for task in tasks() if task.key not in seen]
        seen.update(task.key for task in fresh)
        programs = [task for task in fresh if not task.kernel and not task.deadline]
        in_group = _into_group(moved, programs)
        _by_affinity(moved, [task for task in fresh if task.key not in in_group], journal)
        time.sleep(PAUSE_S)


def _into_group(moved: Moved, programs: Sequence[Task]) -> set[tuple[int, int]]:
    if moved.group is None:
        return set()
    may = {task.key for task in programs if moved.cpu in (mask_of(task) or ())}
    got = moved.group.take(task for task in programs if moved.group.holds(task))
    moved.programs |= got & may
    return got


def _by_affinity(moved: Moved, those: Iterable[Task], journal: Journal) -> None:
    """All are written down, also those that stay where they are: who they start meanwhile looks like them."""
    plan = []
    for task in those:
        mask = mask_of(task)
        if mask is not None and not task.fixed:
            plan.append((task, mask, mask - {moved.cpu} or moved.others))
    journal.add(
        {
            "task": task.id,
            "process": task.process,
            "started": task.started,
            "before": sorted(before),
            "set": sorted(after),
        }
        for task, before, after in plan
    )
    for task, before, after in plan:
        if before == after:
            continue
        try:
            os.sched_setaffinity(task.id, after)
            (moved.kernel if task.kernel else moved.programs).add(task.key)
        except ProcessLookupError:
            continue
        except OSError as error:
            moved.refused[task.key] = os.strerror(error.errno or errno.EINVAL).lower()


def _change(change: Change, journal: Journal, moved: Moved, done: list[Change]) -> None:
    """Makes it, and looks whether it came about."""
    journal.add([change.entry()])
    try:
        write(change.file, change.set)
    except OSError as error:
        why = f"the kernel refuses: {os.strerror(error.errno or errno.EINVAL).lower()}"
        if change.interrupt is not None and error.errno in (errno.EIO, errno.EINVAL, errno.EPERM):
            why = "the kernel, or the driver, spreads it over the CPUs by itself"
        _stays(moved, change, why)
        return
    number = change.interrupt
    if number is not None and moved.cpu in effective(number):
        _stays(moved, change, "its controller moves it with its next interrupt only")
        return
    done.append(change)


def _stays(moved: Moved, change: Change, why: str) -> None:
    kind = "interrupts" if change.interrupt is not None else "settings"
    name = f"{change.interrupt} {change.what}" if change.interrupt is not None else change.what
    for one in moved.stay:
        if (one["what"], one["why"]) == (kind, why):
            one["count"] += 1
            one["names"] = [*one["names"], name][:_NAMES]
            return
    moved.stay.append({"what": kind, "names": [name], "count": 1, "why": why})


def _why(task: Task, mask: frozenset[int], refused: str | None) -> str:
    if refused:
        return f"the kernel refuses to move them: {refused}"
    if task.deadline:
        return "scheduled by deadlines, which were admitted for all their CPUs"
    if task.kernel and task.fixed and len(mask) == 1:
        return "kernel threads of this CPU: they do its own work and are bound to it"
    if task.kernel and task.fixed:
        return "kernel workers that choose their CPUs themselves; new unbound work goes elsewhere"
    return "came when everything else had been moved"


def _left(what: str, names: Counter[str], why: str) -> dict[str, Any]:
    return {"what": what, "names": sorted(names)[:_NAMES], "count": sum(names.values()), "why": why}


def _always(cpu: int) -> list[dict[str, Any]]:
    """What no program can move while the system runs."""
    left = []
    if cpu not in _cpus("/sys/devices/system/cpu/nohz_full"):
        left.append(_fact("tick", "the CPU's own clock interrupt; nohz_full= on the kernel's command line lessens it"))
        left.append(_fact("RCU callbacks", "run where they were queued; rcu_nocbs= on the command line moves them"))
    left.append(_fact("calls between CPUs", "rescheduling, function calls and TLB shootdowns reach every CPU"))
    siblings = _cpus(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list") - {cpu}
    if siblings:
        left.append(_fact("CPU core", f"shared with CPU {to_list(siblings)}, on which the others run"))
    if _virtual():
        left.append(_fact("hypervisor", "this is a virtual machine: its host decides when the CPU runs at all"))
    return left


def _fact(name: str, why: str) -> dict[str, Any]:
    return {"what": name, "names": [], "count": None, "why": why}


def _cpus(path: str) -> frozenset[int]:
    try:
        return from_list(Path(path).read_text("ascii"))
    except (OSError, ValueError):
        return frozenset()


def _virtual() -> bool:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    return any(line.startswith("flags") and "hypervisor" in line.split() for line in lines)
