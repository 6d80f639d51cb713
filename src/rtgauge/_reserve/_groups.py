"""A CPU set for everybody else: where the kernel has such groups (cpuset, version 1), programs that are moved into one
cannot come back by themselves, and those that they start are in it too.

The group is one of the others, not of the test: the test keeps all CPUs, and can put its loads, and threads of tests
across CPUs, elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rtgauge._reserve._tasks import Task
from rtgauge._reserve._undo import read, write

KEEPS_MASKS = (6, 2)  # Linux: since then a task gets the mask back that it had asked for when it leaves a group


@dataclass(frozen=True)
class Group:
    """`parent` is where the tasks come from and go back to."""

    path: str
    parent: str

    def make(self, others: str) -> None:
        """Raises OSError where the kernel refuses."""
        Path(self.path).mkdir()
        try:
            write(f"{self.path}/cpuset.mems", read(f"{self.parent}/cpuset.effective_mems"))
            write(f"{self.path}/cpuset.cpus", others)
        except OSError:
            Path(self.path).rmdir()
            raise

    def take(self, moved: Iterable[Task]) -> set[tuple[int, int]]:
        """Moves the tasks in. The keys of those that it got."""
        got = set()
        for task in moved:
            with contextlib.suppress(OSError):
                write(f"{self.path}/tasks", str(task.id))
                got.add(task.key)
        return got

    def holds(self, task: Task) -> bool:
        """Whether the task is where this group's tasks come from."""
        return _place(f"/proc/{task.process}/task/{task.id}/cgroup") == "/"


def group_for(name: str) -> Group | None:
    """A group of that name which can be made, None where the system has none of this kind, or it is not ours to use."""
    found = re.match(r"([0-9]+)\.([0-9]+)", platform.release())
    if found is None or (int(found[1]), int(found[2])) < KEEPS_MASKS:
        return None
    try:
        mounts = Path("/proc/self/mounts").read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    for line in mounts:
        _, mount, kind, options, *_ = [*line.split(), "", "", "", ""]
        if kind == "cgroup" and "cpuset" in options.split(",") and "noprefix" not in options.split(","):
            usable = os.access(mount, os.W_OK) and _place("/proc/self/cgroup") == "/"
            return Group(f"{mount}/{name}", mount) if usable else None
    return None


def _place(path: str) -> str | None:
    """The path of a task's CPU set below its mount."""
    with contextlib.suppress(OSError):
        for line in Path(path).read_text("utf-8", "replace").splitlines():
            _, kinds, place = [*line.split(":", 2), "", ""][:3]
            if "cpuset" in kinds.split(","):
                return place
    return None
