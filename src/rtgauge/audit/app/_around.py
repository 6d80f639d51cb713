"""What surrounds the program: other real-time threads, its control groups, and the library functions in its files."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import replace
from pathlib import Path

from rtgauge.audit._cgroup import Group, cpu_group
from rtgauge.audit._system import Reading, System, cpu_list
from rtgauge.audit.app._observation import Observation, Other, Quota
from rtgauge.audit.app._proc import KERNEL_THREAD, Proc, parse_stat, parse_status

SYMBOLS = ("pthread_mutexattr_setprotocol", "pthread_setschedparam", "pthread_attr_setschedpolicy",
           "sched_setscheduler", "mlockall", "clock_nanosleep")  # fmt: skip
LARGEST = 64 << 20  # bytes of a file that is searched
MOST_FILES = 64
ALWAYS_THERE = re.compile(r"/(?:ld-|ld64|libc[.-]|libpthread|librt[.-]|ld-musl)")  # what defines them for everybody
MOST_CPUS = 4096


def look_around(proc: Proc, seen: Observation, own: bool) -> Observation:
    """The observation with its surroundings; `own` says that /proc is this system's own."""
    others, problem = _others(proc, seen.pid)
    symbols, symbols_problem = _symbols(proc, seen)
    return replace(
        seen, others=others, others_problem=problem, symbols=symbols, symbols_problem=symbols_problem,
        quota=quota(System(), seen.pid) if own else Quota(problem="not the running system"),
    )  # fmt: skip


def cpus(text: str) -> tuple[int, ...]:
    """CPUs of a list; ValueError for one that no machine has."""
    if any(int(number) >= MOST_CPUS for number in re.findall(r"\d+", text)):
        raise ValueError(f"CPU list {text[:40]!r}")
    return tuple(cpu_list(text))


def _others(proc: Proc, pid: int) -> tuple[tuple[Other, ...], str]:
    found = []
    try:
        processes = [int(name) for name in os.listdir(proc.root) if name.isdigit()]  # noqa: PTH208
    except OSError as error:
        return (), f"{proc.root}: {error.strerror}"
    for process in sorted(processes):
        if process != pid:
            found += _realtime_threads(proc, process)
    return tuple(found), ""


def _realtime_threads(proc: Proc, pid: int) -> list[Other]:
    found = []
    try:
        for tid in proc.tasks(pid):
            each = parse_stat(proc.text(f"{pid}/task/{tid}/stat"))
            if each.policy in (1, 2, 6):
                allowed = parse_status(proc.text(f"{pid}/task/{tid}/status")).get("Cpus_allowed_list", "")
                kernel = bool(each.flags & KERNEL_THREAD)
                found.append(Other(tid, each.name, each.policy, each.priority, cpus(allowed), kernel))
    except (OSError, ValueError):  # it ended meanwhile, or is hidden: then it is nobody's neighbour that could be named
        pass
    return found


class _Of(System):
    """This system, in which "self" stands for another process where control groups are asked for."""

    def __init__(self, pid: int) -> None:
        super().__init__()
        self.pid = pid

    def read(self, path: str) -> Reading:
        return super().read(f"/proc/{self.pid}/cgroup" if path == "/proc/self/cgroup" else path)


def quota(system: System, pid: int) -> Quota:
    """The nearest limit on the way from the program's group to the root."""
    system = _Of(pid) if system.root == Path("/") else system
    membership = system.read("/proc/self/cgroup")
    if not membership:
        return Quota(problem=f"/proc/{pid}/cgroup: {membership.problem}")
    group = cpu_group(system)
    if group is None:
        return Quota(evidence=((f"/proc/{pid}/cgroup", "no cpu controller is mounted here"),))
    evidence: list[tuple[str, str]] = []
    for each in group.chain():
        limit, pair = _limit(system, each)
        evidence += [pair] if pair else []
        if limit:
            counts = system.read(f"{each.folder}/cpu.stat")
            evidence += [(counts.path, line) for line in counts.text.split("\n") if line.startswith("nr_throttled ")]
            return Quota(f"{limit} for {each.folder}", evidence=tuple(evidence))
    return Quota(evidence=tuple(evidence) or ((group.folder, "no limit file: this is the root group"),))


def _limit(system: System, group: Group) -> tuple[str, tuple[str, str] | None]:
    if group.version == 2:
        reading = system.read(f"{group.folder}/cpu.max")
        amount, _, period = reading.text.partition(" ")
    else:
        reading = system.read(f"{group.folder}/cpu.cfs_quota_us")
        amount, period = reading.text, system.read(f"{group.folder}/cpu.cfs_period_us").text
    if not reading:
        return "", None
    return "" if amount in ("max", "-1") else f"{amount} us in {period} us", reading.pair


def _symbols(proc: Proc, seen: Observation) -> tuple[dict[str, bool], str]:
    """Which of SYMBOLS the program and its libraries name, those left out that define them for everybody."""
    paths = list(dict.fromkeys(area.name for area in seen.areas if area.name.startswith("/")))
    paths = [path for path in paths if not ALWAYS_THERE.search(path)]
    if not seen.areas or not paths:
        return {}, seen.areas_problem or "no file is mapped"
    if len(paths) > MOST_FILES:
        return {}, f"{len(paths)} files are mapped: too many to search"
    found = dict.fromkeys(SYMBOLS, False)
    for path in paths:
        # An ELF string table ends each name with a zero byte, and begins with one.
        for name in _named_in(proc.root / f"{seen.pid}/root" / path.lstrip("/")):
            found[name] = True
    return found, ""


def _named_in(path: Path) -> list[str]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return []
    try:
        status = os.fstat(handle)
        if (
            not stat.S_ISREG(status.st_mode)
            or not 4 <= status.st_size <= LARGEST
            or os.pread(handle, 4, 0) != b"\x7fELF"
        ):
            return []
        with os.fdopen(os.dup(handle), "rb") as stream:
            content = stream.read(LARGEST)
        return [name for name in SYMBOLS if b"\0" + name.encode() + b"\0" in content]
    except OSError:
        return []
    finally:
        os.close(handle)
