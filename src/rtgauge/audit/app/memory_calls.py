"""Do the threads with deadlines ask the kernel for memory?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import judge, of_judged
from rtgauge.audit.app._observation import Observation

TOPIC = Topic(
    "memory calls",
    "Calls that change the address space wait for the lock of the whole process, so also for each other thread that "
    "faults or maps; unmapping interrupts every processor that runs the process.",
    "Allocate at the start, or keep malloc from going to the kernel: mallopt(M_MMAP_MAX, 0) and "
    "mallopt(M_TRIM_THRESHOLD, -1), after touching the heap once.",
    "memory-locked",
)
CALLS = {"brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "mlock", "mlock2", "munlock", "mlockall"}


def check(seen: Observation) -> Finding:
    return judge(
        seen,
        TOPIC,
        of_judged(seen, lambda _, call: call.name in CALLS),
        "Calls that change memory",
        "no call that changes memory",
    )
