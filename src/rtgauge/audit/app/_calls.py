"""System calls: their numbers where only /proc shows them, and what a thread with deadlines should leave to others."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Iterable

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Call, Observation
from rtgauge.audit.app._threads import asleep, count, ran

_X86_64 = {
    0: "read", 1: "write", 2: "open", 7: "poll", 17: "pread64", 18: "pwrite64", 19: "readv", 20: "writev",
    23: "select", 24: "sched_yield", 26: "msync", 35: "nanosleep", 42: "connect", 43: "accept", 44: "sendto",
    45: "recvfrom", 46: "sendmsg", 47: "recvmsg", 61: "wait4", 73: "flock", 74: "fsync", 75: "fdatasync",
    162: "sync", 202: "futex", 230: "clock_nanosleep", 232: "epoll_wait", 257: "openat", 270: "pselect6",
    271: "ppoll", 281: "epoll_pwait", 288: "accept4",
}  # fmt: skip
_GENERIC = {
    22: "epoll_pwait", 32: "flock", 56: "openat", 63: "read", 64: "write", 65: "readv", 66: "writev", 67: "pread64",
    68: "pwrite64", 72: "pselect6", 73: "ppoll", 81: "sync", 82: "fsync", 83: "fdatasync", 98: "futex",
    101: "nanosleep", 115: "clock_nanosleep", 124: "sched_yield", 202: "accept", 203: "connect", 206: "sendto",
    207: "recvfrom", 211: "sendmsg", 212: "recvmsg", 227: "msync", 242: "accept4", 260: "wait4",
}  # fmt: skip
NUMBERS = {"x86_64": _X86_64, "aarch64": _GENERIC, "riscv64": _GENERIC}

TRANSFERS = {"read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2",
             "sendfile64", "splice", "copy_file_range"}  # fmt: skip
Test = Callable[[Observation, Call], bool]


def parse_syscall(text: str, tid: int, machine: str = "") -> Call | None:
    """The call that a thread waits in, from its syscall file; None when it runs or the call is not among NUMBERS."""
    words = text.split()
    if len(words) < 7 or not words[0].isdigit():
        return None
    name = NUMBERS.get(machine or platform.machine(), {}).get(int(words[0]))
    return Call(tid, name, tuple(int(word, 16) for word in words[1:7])) if name else None


def kind(seen: Observation, call: Call) -> str:
    """What the descriptor in its first argument leads to: file, socket, terminal, pipe, other, or "" when unknown."""
    target = seen.files.get(call.args[0] & 0xFFFFFFFF, "") if call.args else ""
    if target.startswith("socket:"):
        return "socket"
    if target.startswith("pipe:"):
        return "pipe"
    if target.startswith(("/dev/tty", "/dev/pts/", "/dev/console", "/dev/kmsg", "/dev/hvc")):
        return "terminal"
    if not target or target.startswith(("anon_inode:", "/dev/", "/proc/", "/sys/", "/memfd:")):
        return "other" if target else ""
    return "file"


def of_judged(seen: Observation, test: Test) -> list[Call]:
    """Calls of the threads with deadlines that pass the test."""
    tids = {thread.tid for thread in seen.judged}
    return [call for call in seen.calls if call.tid in tids and test(seen, call)]


def evidence_of(seen: Observation, calls: Iterable[Call]) -> list[Evidence]:
    """One line per thread and call: how often, for how long it slept there at most, and what its descriptors were."""
    calls = list(calls)
    groups = Counter((call.tid, call.name) for call in calls)
    lines: list[Evidence] = []
    for (tid, name), number in groups.most_common(12):
        mine = [call for call in calls if (call.tid, call.name) == (tid, name)]
        longest = max(call.blocked_ns for call in mine)
        files = sorted({seen.files[call.args[0]] for call in mine if call.args and call.args[0] in seen.files})
        text = f"{number} times" if seen.source == "trace" else f"met in {number} of {seen.samples} looks"
        text += f", slept up to {longest / 1000:.0f} us" if longest else ""
        text += f" (descriptors of {', '.join(files[:3])})" if files and name in TRANSFERS else ""
        thread = seen.thread(tid)
        lines.append((f"{seen.source}: thread {thread.label if thread else tid}: {name}", text))
    return lines


def coverage(seen: Observation) -> tuple[str, str]:
    """Evidence: what the statement about calls rests on."""
    if seen.trace is not None and seen.source == "trace":
        lost = f", {seen.trace.lost} more did not fit" if seen.trace.lost else ""
        return "trace", f"{seen.trace.events} events in {seen.trace.seconds:.3g} s{lost}"
    return "/proc/PID/task/TID/syscall", f"{seen.samples} looks at each thread in {seen.seconds:.3g} s; {seen.problem}"


def traced(seen: Observation) -> bool:
    """Whether all calls of the watch were seen."""
    return seen.source == "trace" and seen.trace is not None and not seen.trace.lost


def judge(seen: Observation, topic: Topic, calls: list[Call], what: str, none: str) -> Finding:
    """A warning when there are such calls; none is ok only where every call was seen."""
    names = ", ".join(name for name, _ in Counter(call.name for call in calls).most_common(5))
    if calls:
        threads = len({call.tid for call in calls})
        summary = f"{what} in {threads} of {len(seen.judged)} judged threads: {names}"
        return topic.warn(summary, *evidence_of(seen, calls), coverage(seen))
    return none_seen(seen, topic, none)


def none_seen(seen: Observation, topic: Topic, what: str) -> Finding:
    """Ok where every call was seen, else unknown with the reason."""
    if idle := asleep(seen, topic):
        return idle
    if traced(seen):
        active = f"{ran(seen.judged)} of {count(len(seen.judged), 'judged thread')} ran"
        return topic.ok(f"{what} in {seen.seconds:.3g} s", coverage(seen), ("/proc/PID/task/TID/schedstat", active))
    if seen.source == "trace" and seen.trace is not None:
        summary = f"{what} in the first {seen.trace.seconds:.3g} s; then the event buffer was full"
        return topic.unknown(summary, coverage(seen), fix="Watch for a shorter time: --watch 0.5.")
    if seen.source == "samples":
        return topic.unknown(f"not checked: {what} in {seen.samples} looks, which miss what is short: {seen.problem}",
                             coverage(seen), fix=ROOT)  # fmt: skip
    return topic.unknown(f"not checked: {seen.problem}", fix=ROOT)


ROOT = "Run the audit as root on a kernel with system call events (CONFIG_FTRACE_SYSCALLS): then every call is seen."
