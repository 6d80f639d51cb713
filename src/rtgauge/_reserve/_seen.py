"""What ran on a CPU between two looks: counted by the kernel, so that looking disturbs nothing in between."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rtgauge._reserve._tasks import Task, mask_of, tasks, work_of

_ROOT = Path("/")
_SHOWN = 40  # entries of each list
Key = tuple[int, int]


@dataclass(frozen=True)
class Look:
    """Counts since the system began."""

    at: float  # s
    cpu: int
    work: dict[Key, tuple[int, int]]  # of tasks: how often they got a CPU, ns
    interrupts: dict[str, tuple[int, str]]
    softirqs: dict[str, tuple[int, str]]


def look(cpu: int, root: Path = _ROOT) -> Look:
    work = {task.key: counts for task in tasks() if (counts := work_of(task)) is not None}
    softirqs = _lines(root / "proc/softirqs", cpu)
    return Look(time.monotonic(), cpu, work, interrupt_lines(root, cpu), softirqs)


def seen_since(first: Look, root: Path = _ROOT) -> dict[str, Any]:
    """What ran on the CPU since `first`: of tasks those that still live and may run there. A task that is bound to the
    CPU is counted exactly; of another only those count that ran there last, with all that they did anywhere."""
    last = look(first.cpu, root)
    found = []
    for task in tasks():
        mask = mask_of(task)
        if mask is None or first.cpu not in mask:
            continue
        times, ns = last.work.get(task.key, (0, 0))
        before = first.work.get(task.key, (0, 0))
        bound = len(mask) == 1
        if times > before[0] and (bound or task.processor == first.cpu):
            found.append(
                {"name": task.name, "times": times - before[0], "ns": ns - before[1], "bound": bound, "id": task.id}
            )
    found.sort(key=lambda one: -int(str(one["ns"])))
    return {
        "seconds": round(last.at - first.at, 3),
        "tasks": found[:_SHOWN],
        "interrupts": _more(first.interrupts, last.interrupts),
        "softirqs": _more(first.softirqs, last.softirqs),
    }


def bystanders(cpu: int, own: set[int]) -> list[Task]:
    """Tasks that may run on the CPU and do not belong to the processes `own`."""
    return [task for task in tasks() if task.process not in own and (mask := mask_of(task)) is not None and cpu in mask]


def _more(first: dict[str, tuple[int, str]], last: dict[str, tuple[int, str]]) -> list[dict[str, Any]]:
    grown = [
        {"name": name or key, "line": key, "count": count - first.get(key, (0, ""))[0]}
        for key, (count, name) in last.items()
        if count > first.get(key, (0, ""))[0]
    ]
    return sorted(grown, key=lambda one: -int(str(one["count"])))[:_SHOWN]


def interrupt_lines(root: Path, cpu: int) -> dict[str, tuple[int, str]]:
    """Count on `cpu` and name of each line of /proc/interrupts."""
    return _lines(root / "proc/interrupts", cpu)


def _lines(file: Path, cpu: int) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    with contextlib.suppress(OSError, ValueError, IndexError):
        head, *rest = file.read_text("utf-8", "replace").splitlines()
        columns = head.split()
        column = columns.index(f"CPU{cpu}")
        for line in rest:
            key, _, text = line.partition(":")
            words = text.split()
            counts, names = words[: len(columns)], words[len(columns) :]
            if len(counts) == len(columns) and counts[column].isdecimal():
                named = " ".join(names) if not key.strip().isdecimal() else names[-1] if names else ""
                found[key.strip()] = int(counts[column]), named
    return found
