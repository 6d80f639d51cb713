"""One process as /proc shows it. Values that make no sense are refused with ValueError, never guessed at."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from rtgauge.audit.app._observation import Area, Counters

KERNEL_THREAD = 0x00200000  # PF_KTHREAD among the flags of stat
NOT_LOCKABLE = {"io", "pf"}  # device memory
SHARED_WITH_KERNEL = ("[vdso]", "[vsyscall]", "[vvar]", "[vvar_vclock]", "[uprobes]")
HEAD = re.compile(r"([0-9a-f]{1,16})-([0-9a-f]{1,16}) [-rwxps]{4} \S+ \S+ \S+ *(.*)")


@dataclass(frozen=True)
class Stat:
    """What the checks need of one stat file."""

    name: str
    state: str
    flags: int
    minor: int
    major: int
    cpu_ticks: int
    threads: int
    start: int  # ticks after boot: with the number it names the process for good
    priority: int
    policy: int


class Proc:
    """A folder with the form of /proc."""

    def __init__(self, root: Path = Path("/proc")) -> None:
        self.root = root

    def text(self, path: str) -> str:
        """The file's text; OSError when it cannot be read."""
        return (self.root / path).read_text("utf-8", "replace")

    def text_or(self, path: str, otherwise: str = "") -> str:
        try:
            return self.text(path)
        except OSError:
            return otherwise

    def tasks(self, pid: int) -> list[int]:
        return sorted(int(name) for name in os.listdir(self.root / f"{pid}/task") if name.isdigit())  # noqa: PTH208

    def descriptors(self, pid: int) -> list[int]:
        return sorted(int(name) for name in os.listdir(self.root / f"{pid}/fd") if name.isdigit())  # noqa: PTH208

    def link(self, path: str) -> str:
        try:
            return str((self.root / path).readlink())
        except OSError:
            return ""


def parse_stat(text: str) -> Stat:
    """A stat file; the name may hold any character, also brackets and line ends."""
    opened, closed = text.find("("), text.rfind(")")
    rest = text[closed + 1 :].split()
    if opened < 0 or closed < opened or len(rest) < 39:
        raise ValueError("not the form of a stat file")
    number = [int(word) for word in rest[1:39]]
    return Stat(
        name=text[opened + 1 : closed],
        state=rest[0],
        flags=number[5],
        minor=number[6],
        major=number[8],
        cpu_ticks=number[10] + number[11],
        threads=number[16],
        start=number[18],
        priority=number[36],
        policy=number[37],
    )


def parse_status(text: str) -> dict[str, str]:
    """Name and value of each line. A name with a line end in it is written escaped by the kernel."""
    return {name: value.strip() for name, colon, value in (line.partition(":") for line in text.split("\n")) if colon}


def parse_memory(status: dict[str, str]) -> dict[str, int]:
    """The Vm* values in bytes."""
    found = {}
    for name, value in status.items():
        words = value.split()
        if name.startswith("Vm") and len(words) == 2 and words[0].isdigit() and words[1] == "kB":
            found[name] = int(words[0]) * 1024
    return found


def counters(stat: Stat, status: dict[str, str], schedstat: str, tick_ns: int) -> Counters:
    """A reading; processor time from schedstat (ns), or from the ticks of stat where a kernel has none."""
    words = schedstat.split()
    exact = len(words) == 3 and all(word.isdigit() for word in words)
    return Counters(
        minor=stat.minor,
        major=stat.major,
        cpu_ns=int(words[0]) if exact else stat.cpu_ticks * tick_ns,
        wait_ns=int(words[1]) if exact else 0,
        voluntary=int(status.get("voluntary_ctxt_switches", "0")),
        involuntary=int(status.get("nonvoluntary_ctxt_switches", "0")),
    )


def parse_limits(text: str) -> dict[str, tuple[str, str]]:
    """Soft and hard limit by name: "Max open files"."""
    found = {}
    for line in text.split("\n"):
        if match := re.match(r"(Max [a-z ]+?) +(unlimited|\d+) +(unlimited|\d+)(?: |$)", line):
            found[match[1]] = (match[2], match[3])
    return found


def parse_areas(smaps: str, before: set[tuple[int, int]]) -> tuple[Area, ...]:
    """Mappings of an smaps file; `before` has the (start, end) of those there at the first reading."""
    found: list[Area] = []
    head: re.Match[str] | None = None
    resident = 0
    for line in smaps.split("\n"):
        if match := HEAD.fullmatch(line):
            head, resident = match, 0
        elif line.startswith("Rss:"):
            resident = int(line.split()[1]) * 1024
        elif line.startswith("VmFlags:") and head is not None:
            flags = set(line.split()[1:])
            start, end, name = int(head[1], 16), int(head[2], 16), head[3]
            lockable = not flags & NOT_LOCKABLE and name not in SHARED_WITH_KERNEL
            old = sum(max(0, min(end, last) - max(start, first)) for first, last in before)
            found.append(Area(start, end, name, "lo" in flags, resident, lockable, max(0, end - start - old)))
            head = None
    return tuple(found)


def parse_maps(text: str) -> set[tuple[int, int]]:
    return {(int(match[1], 16), int(match[2], 16)) for line in text.split("\n") if (match := HEAD.fullmatch(line))}
