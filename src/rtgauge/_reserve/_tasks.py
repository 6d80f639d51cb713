"""The tasks of this system, kernel threads among them, as /proc tells of them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass

_PROC = "/proc"
_KERNEL_THREAD = 0x00200000  # PF_KTHREAD
_FIXED = 0x04000000  # PF_NO_SETAFFINITY
_DEADLINE = 6  # SCHED_DEADLINE
_PARENT, _FLAGS, _STARTED, _PROCESSOR, _POLICY = 1, 6, 19, 36, 38  # places behind the name, see proc(5)


@dataclass(frozen=True)
class Task:
    """One thread. `id` and `started` together name it for as long as the system runs."""

    id: int
    process: int
    parent: int
    started: int  # clock ticks since the system began
    name: str
    kernel: bool
    fixed: bool  # the kernel refuses to move it
    deadline: bool  # scheduled by deadlines, which were admitted for its CPUs
    processor: int  # where it ran last

    @property
    def key(self) -> tuple[int, int]:
        return self.id, self.started


def tasks() -> Iterator[Task]:
    """All that can be seen from here. One that ends meanwhile is left out."""
    for process in _numbers(_PROC):
        for thread in _numbers(f"{_PROC}/{process}/task"):
            if (task := _task(process, thread)) is not None:
                yield task


def mask_of(task: Task) -> frozenset[int] | None:
    """The CPUs that it may run on; None when it has ended."""
    try:
        return frozenset(os.sched_getaffinity(task.id))
    except OSError:
        return None


def work_of(task: Task) -> tuple[int, int] | None:
    """How often it got a CPU since it began, and for how many ns; None where the kernel does not count."""
    try:
        ran, _, times = _read(f"{_PROC}/{task.process}/task/{task.id}/schedstat").split()
        return int(times), int(ran)
    except (OSError, ValueError):
        return None


def _task(process: int, thread: int) -> Task | None:
    try:
        stat = _read(f"{_PROC}/{process}/task/{thread}/stat")
        name, _, rest = stat.partition("(")[2].rpartition(")")
        fields = rest.split()
        flags = int(fields[_FLAGS])
        return Task(
            id=thread,
            process=process,
            parent=int(fields[_PARENT]),
            started=int(fields[_STARTED]),
            name=name,
            kernel=bool(flags & _KERNEL_THREAD),
            fixed=bool(flags & _FIXED),
            deadline=int(fields[_POLICY]) == _DEADLINE,
            processor=int(fields[_PROCESSOR]),
        )
    except (OSError, ValueError, IndexError):
        return None


def _numbers(folder: str) -> list[int]:
    with contextlib.suppress(OSError):
        return sorted(int(name) for name in os.listdir(folder) if name.isdecimal())  # noqa: PTH208 - thousands of them
    return []


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        return file.read()
