"""May this user lock memory?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import CAP_IPC_LOCK, System
from rtgauge.model import RunSpec

TOPIC = Topic(
    "memory lock limit",
    "Memory that is not locked can be taken away, and the thread that touches it next waits for a page fault, perhaps "
    "for a disk.",
    "Run rtgauge doctor: it gives the lines for /etc/security/limits.d (memlock unlimited).",
    "rt-policies",
)
LIMIT = "Max locked memory"
NEEDED = RunSpec(jobs=()).memory + (128 << 20)  # bytes: samples; code, heap, and the stacks of a thousand threads


def check(system: System) -> Finding:
    soft, hard = system.limit(LIMIT)
    if not soft:
        return TOPIC.unread(system.read("/proc/self/limits"))
    evidence = (f"/proc/self/limits {LIMIT}", f"soft {soft}, hard {hard}")
    if system.capable(CAP_IPC_LOCK):
        return TOPIC.ok("unlimited (CAP_IPC_LOCK)", evidence, ("/proc/self/status CapEff", "CAP_IPC_LOCK"))
    if soft == "unlimited":
        return TOPIC.ok("unlimited", evidence)
    have = int(soft)
    if have >= NEEDED:
        return TOPIC.ok(f"{have >> 20} MiB", evidence)
    return TOPIC.warn(f"{have / (1 << 20):.4g} MiB; the engine wants {NEEDED >> 20} MiB", evidence)
