"""What was seen of one running program during a watch. Frozen: the checks are pure functions over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

OTHER, FIFO, RR, DEADLINE = 0, 1, 2, 6
POLICIES = {0: "OTHER", 1: "FIFO", 2: "RR", 3: "BATCH", 4: "ISO", 5: "IDLE", 6: "DEADLINE", 7: "EXT"}

Source = Literal["trace", "samples", "nothing"]


@dataclass(frozen=True)
class Counters:
    """One reading of a thread's counters; all only grow."""

    minor: int = 0  # page faults without a disk
    major: int = 0  # page faults that waited for one
    cpu_ns: int = 0  # time on a processor
    wait_ns: int = 0  # time ready to run and not running
    voluntary: int = 0  # context switches because it waited
    involuntary: int = 0  # context switches because another ran instead


@dataclass(frozen=True)
class Reservation:
    """Parameters of SCHED_DEADLINE, in ns."""

    runtime: int
    deadline: int
    period: int


@dataclass(frozen=True)
class Thread:
    """One thread over the watch."""

    tid: int
    name: str
    policy: int
    priority: int  # 1 to 99 under FIFO and RR, else 0
    cpus: tuple[int, ...]  # where it may run; empty when unknown
    first: Counters
    last: Counters
    migrations: int | None = None  # changes of processor during the watch, None when not told
    slack_ns: int | None = None  # timer slack, None when it may not be read
    reservation: Reservation | None = None
    born: bool = False  # it was not there at the first reading

    @property
    def realtime(self) -> bool:
        return self.policy in (FIFO, RR, DEADLINE)

    @property
    def rank(self) -> int:
        """Higher runs first: SCHED_DEADLINE above every priority, normal threads 0."""
        return 100 if self.policy == DEADLINE else self.priority if self.realtime else 0

    @property
    def policy_name(self) -> str:
        name = POLICIES.get(self.policy, f"policy {self.policy}")
        return f"{name} {self.priority}" if self.policy in (FIFO, RR) else name

    @property
    def label(self) -> str:
        return f"{self.tid} {self.name} ({self.policy_name})"


@dataclass(frozen=True)
class Other:
    """A real-time thread that does not belong to the program."""

    tid: int
    name: str
    policy: int
    priority: int
    cpus: tuple[int, ...]
    kernel: bool = False


@dataclass(frozen=True)
class Area:
    """One mapping of the address space."""

    start: int
    end: int
    name: str  # file, "[heap]", "[stack]", "" for anonymous memory
    locked: bool
    resident: int  # bytes
    lockable: bool = True  # false for device memory and what the kernel shares with every program
    fresh: int = 0  # bytes that were not mapped at the first reading

    @property
    def title(self) -> str:
        return self.name or f"anonymous memory at {self.start:#x}"


@dataclass(frozen=True)
class Call:
    """One system call of the program, traced, or met by a sample while it lasted."""

    tid: int
    name: str  # without a prefix, e.g. futex
    args: tuple[int, ...] = ()
    result: int | None = None  # None when its end was not seen; errors are negative
    blocked_ns: int = 0  # from its start to its end when the thread slept in it; 0 also when not known
    start_ns: int = 0


@dataclass(frozen=True)
class Trace:
    """Kernel events of the program besides its calls."""

    events: int = 0
    lost: int = 0  # events that did not fit; those kept are the earliest
    seconds: float = 0.0  # from the start of the trace to the last event kept when some were lost, else the whole watch
    faults: tuple[tuple[int, int], ...] = ()  # (tid, address)
    births: tuple[tuple[int, int, bool], ...] = ()  # (creator, new tid, true for a thread and false for a process)
    signals: tuple[tuple[int, int], ...] = ()  # (tid, number) delivered
    preempted: tuple[tuple[int, str, int], ...] = ()  # (tid, name of what ran instead, its tid)


@dataclass(frozen=True)
class Quota:
    """Limit of processor time by control groups."""

    limit: str = ""  # in words, "" when there is none
    evidence: tuple[tuple[str, str], ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Observation:
    """Everything that the checks may ask."""

    pid: int
    name: str
    program: str  # path of the executable, "" when unknown
    seconds: float  # between the first and the last reading
    threads: tuple[Thread, ...]
    memory: tuple[Mapping[str, int], ...]  # Vm* of /proc/PID/status in bytes, first to last reading
    descriptors: tuple[int, ...] = ()  # number open, first to last reading
    limits: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # soft and hard, as /proc/PID/limits words them
    areas: tuple[Area, ...] = ()
    areas_problem: str = ""
    files: Mapping[int, str] = field(default_factory=dict)  # what a descriptor leads to
    source: Source = "nothing"  # where `calls` come from
    calls: tuple[Call, ...] = ()
    samples: int = 0  # looks at each thread
    problem: str = ""  # why there is no trace
    trace: Trace | None = None
    others: tuple[Other, ...] = ()
    others_problem: str = ""
    quota: Quota = field(default_factory=Quota)
    symbols: Mapping[str, bool] = field(
        default_factory=dict
    )  # name of a library function: is it in the program's files
    symbols_problem: str = ""
    tracer: int = 0  # process that traces the program, e.g. a debugger
    ended: tuple[str, ...] = ()  # names of threads that ended during the watch
    names: Mapping[int, str] = field(default_factory=dict)  # all threads ever seen

    @property
    def realtime(self) -> tuple[Thread, ...]:
        return tuple(thread for thread in self.threads if thread.realtime)

    @property
    def judged(self) -> tuple[Thread, ...]:
        """The threads with deadlines: the real-time ones; all when there is none."""
        return self.realtime or self.threads

    def thread(self, tid: int) -> Thread | None:
        return next((thread for thread in self.threads if thread.tid == tid), None)
