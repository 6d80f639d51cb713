"""Puts back what a journal says. Needs nothing but the journal, and can be done again after it was cut off.

Only what still is as it was set is put back: who changed a task, an interrupt or a setting meanwhile keeps the change.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rtgauge._reserve._journal import entries
from rtgauge._reserve._tasks import Task, mask_of, tasks

Entry = Mapping[str, Any]
PASSES = 20  # over tasks that are born while others are moved
LATE_PASSES, PAUSE_S = 5, 0.02  # for those that were being born, with their parent's old mask, while it was moved


def undo(journal: Path) -> list[str]:
    """Puts everything back and removes the journal. What could not be put back, one line each."""
    every = entries(journal)
    problems: list[str] = []
    for entry in every:
        if "group" in entry:
            begun = _ticks()
            problems += _empty_group(str(entry["group"]), str(entry["parent"]))
            _just_born(frozenset(entry.get("set", ())), begun)
    _tasks_back([entry for entry in every if "task" in entry])
    for entry in reversed(every):
        if "file" in entry:
            problems += _file_back(entry)
    with contextlib.suppress(OSError):
        journal.unlink()
    return problems


def _empty_group(group: str, parent: str) -> list[str]:
    """All its tasks, those born in it too, go up; the kernel gives them the CPUs that they may use there."""
    for _ in range(PASSES):
        if not Path(group).is_dir():
            return []
        for task in _lines(f"{group}/tasks"):
            with contextlib.suppress(OSError):
                write(f"{parent}/tasks", task)
        try:
            Path(group).rmdir()
        except OSError:
            time.sleep(PAUSE_S)
    return [f"{group} cannot be removed"] if Path(group).is_dir() else []


def _just_born(theirs: frozenset[int], since: int) -> None:
    """A task whose parent is moved while it is being born comes up with its parent's old mask, and belongs to the new
    group all the same: it gets its parent's mask. `theirs`: that of the group; `since`: when the moving began."""
    for _ in range(LATE_PASSES):
        time.sleep(PAUSE_S)
        every = {task.id: task for task in tasks()}
        for task in every.values():
            if task.kernel or task.started < since or mask_of(task) != theirs:
                continue
            above = every.get(task.process if task.id != task.process else task.parent)
            mask = mask_of(above) if above is not None else None
            if mask is not None and mask != theirs:
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(task.id, mask)


def _ticks() -> int:
    """Now, as the kernel notes when a task was born: rounded down, and one less for good measure."""
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK")) - 1


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("ascii").split()
    except OSError:
        return []


def _tasks_back(moved: Sequence[Entry]) -> None:
    """Each by what is written of it; one that was born meanwhile has its mask from whoever started it."""
    known = {(int(one["task"]), int(one["started"])): one for one in moved}
    processes = {int(one["task"]): one for one in moved if one["task"] == one["process"]}
    widest: dict[frozenset[int], frozenset[int]] = {}
    for one in moved:
        before, now = frozenset(one["before"]), frozenset(one["set"])
        if before != now and len(before) > len(widest.get(now, ())):
            widest[now] = before
    done: set[tuple[int, int]] = set()
    for _ in range(LATE_PASSES if widest else 0):
        fresh = [task for task in tasks() if task.key not in done]
        parents = {task.process: task.parent for task in fresh}
        for task in fresh:
            done.add(task.key)
            mask = mask_of(task)
            if mask is None or mask not in widest:
                continue
            entry = known.get(task.key)
            if entry is not None:
                before, ours = frozenset(entry["before"]), mask == frozenset(entry["set"])
            else:
                before, ours = _inherited(task, mask, parents, processes, widest), not task.fixed
            if ours and before != mask:
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(task.id, before)
        time.sleep(PAUSE_S)


def _inherited(
    task: Task,
    mask: frozenset[int],
    parents: Mapping[int, int],
    processes: Mapping[int, Entry],
    widest: Mapping[frozenset[int], frozenset[int]],
) -> frozenset[int]:
    """What a task that was not there at the beginning would have, had nothing been moved."""
    process, seen = task.process, 0
    while process > 1 and seen < 100:  # deeper than any real tree of what was born within a run
        entry = processes.get(process)
        if entry is not None and frozenset(entry["set"]) == mask:
            return frozenset(entry["before"])
        process, seen = parents.get(process, 0), seen + 1
    return widest[mask]


def _file_back(entry: Entry) -> list[str]:
    path, before, ours = str(entry["file"]), str(entry["before"]), str(entry["set"])
    try:
        if same(read(path), ours) and not same(ours, before):
            for text in (*entry.get("first", ()), before):
                write(path, str(text))
    except FileNotFoundError:
        return []  # an interrupt that is no longer there
    except OSError as error:
        return [f"{path} cannot be put back to {before}: {error.strerror}"]
    return []


def same(one: str, other: str) -> bool:
    """Whether two writings of a mask, a list of CPUs or a number are one: leading zeros do not count."""
    return _bare(one) == _bare(other)


def _bare(text: str) -> list[str]:
    parts = [part.lstrip("0") or "0" for part in text.strip().split(",")]
    while len(parts) > 1 and parts[0] == "0":
        parts.pop(0)
    return parts


def read(path: str) -> str:
    return Path(path).read_text("ascii").strip()


def write(path: str, text: str) -> None:
    """In one call, as such files want it."""
    handle = os.open(path, os.O_WRONLY)
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)
