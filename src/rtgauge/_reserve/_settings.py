"""Interrupts and settings of the kernel that name CPUs: each a file that is read, changed and put back."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rtgauge._reserve._masks import from_list, from_mask, to_list, to_mask
from rtgauge._reserve._undo import read

ROOT = Path("/")
STATISTICS_S = 120  # between two passes of the kernel's memory statistics over each CPU


@dataclass(frozen=True)
class Change:
    """`first`: what is written before `before` when it is put back, so that it comes where it was."""

    file: str
    before: str
    set: str
    what: str
    first: tuple[str, ...] = ()
    interrupt: int | None = None

    def entry(self) -> dict[str, object]:
        return {"file": self.file, "before": self.before, "set": self.set, "first": list(self.first)}


def interrupts(cpu: int, others: frozenset[int], root: Path = ROOT) -> Iterator[Change]:
    """Those that may come, or do come, to `cpu`."""
    names = interrupt_names(root)
    folder = root / "proc/irq"
    with contextlib.suppress(OSError):
        for number in sorted(int(name) for name in os.listdir(folder) if name.isdecimal()):  # noqa: PTH208
            file = folder / str(number) / "smp_affinity_list"
            with contextlib.suppress(OSError, ValueError):
                before = read(str(file))
                allowed = from_list(before)
                now = effective(number, root)
                if cpu in allowed or cpu in now:
                    first = (to_list(now),) if now and now <= allowed else ()
                    new = to_list(allowed - {cpu} or others)
                    what = names.get(str(number), "") or f"interrupt {number}"
                    yield Change(str(file), before, new, what, first, number)


def effective(number: int, root: Path = ROOT) -> frozenset[int]:
    """The CPUs that an interrupt really goes to; empty where the kernel does not tell."""
    try:
        return from_list(read(str(root / f"proc/irq/{number}/effective_affinity_list")))
    except (OSError, ValueError):
        return frozenset()


def interrupt_names(root: Path = ROOT) -> dict[str, str]:
    """By what stands at the beginning of their lines: a number, or a short word."""
    from rtgauge._reserve._seen import interrupt_lines

    return {key: name for key, (_, name) in interrupt_lines(root, 0).items()}


def settings(cpu: int, others: frozenset[int], root: Path = ROOT) -> Iterator[Change]:
    """Where new interrupts, unbound work, checks and timers of the kernel go."""
    for path, what, parse, show in _MASKS:
        for file in sorted(root.glob(path)):
            with contextlib.suppress(OSError, ValueError):
                before = read(str(file))
                cpus = parse(before)
                if cpu in cpus:
                    left = cpus - {cpu} or (others if "queues" not in path else frozenset())
                    yield Change(str(file), before, show(left), what)
    with contextlib.suppress(OSError, ValueError):
        file = root / "proc/sys/kernel/timer_migration"
        if read(str(file)) == "0":
            yield Change(str(file), "0", "1", "timers of idle CPUs may move")
    with contextlib.suppress(OSError, ValueError):
        file = root / "proc/sys/vm/stat_interval"
        if int(before := read(str(file))) < STATISTICS_S:
            yield Change(str(file), before, str(STATISTICS_S), "seconds between passes of the memory statistics")


_Parse = Callable[[str], frozenset[int]]
_MASKS: tuple[tuple[str, str, _Parse, Callable[[frozenset[int]], str]], ...] = (
    ("proc/irq/default_smp_affinity", "CPUs of new interrupts", from_mask, to_mask),
    ("sys/devices/virtual/workqueue/cpumask", "CPUs of the kernel's unbound work", from_mask, to_mask),
    ("proc/sys/kernel/watchdog_cpumask", "CPUs that the kernel's watchdog checks", from_list, to_list),
    ("sys/class/net/*/queues/rx-*/rps_cpus", "CPUs that received packets are spread over", from_mask, to_mask),
)
