"""The share of each processor that normal tasks get even against real-time threads (Linux 6.12 and later)."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import AS_ROOT, System

BASE = "/sys/kernel/debug/sched/fair_server"
SINCE = (6, 12)

TOPIC = Topic(
    "fair server",
    "When a normal task wants the same processor, the kernel takes time from FIFO and RR threads for it: by default "
    "5 %, so a busy FIFO thread can lose up to 50 ms in each second in one piece. A thread that leaves at least 5 % "
    "idle, or has its processor to itself, loses nothing.",
    guideline="rt-policies",
)


def check(system: System) -> Finding:
    cpu = system.cpu
    if system.kernel != (0, 0) and system.kernel < SINCE:
        return TOPIC.ok(f"not in this kernel ({system.release.text}; it came with 6.12)", system.release)
    runtime, reading = system.number(f"{BASE}/cpu{cpu}/runtime")
    period, period_reading = system.number(f"{BASE}/cpu{cpu}/period")
    fix = (
        f"Keep normal tasks off CPU {cpu} (see CPU isolation). Or, as root: echo 0 > {BASE}/cpu{cpu}/runtime; a FIFO "
        "thread that never blocks can then starve the kernel's own work on that processor."
    )
    if runtime is None or not period:
        if not system.release:
            return TOPIC.unread(system.release)
        hint = reading.hint or AS_ROOT
        summary = f"cannot be read ({reading.problem or period_reading.problem}); the default is 50 ms in each second"
        return TOPIC.unknown(summary, reading, period_reading, fix=hint)
    if runtime == 0:
        return TOPIC.ok(f"off on CPU {cpu}: real-time threads can starve normal tasks there", reading, period_reading)
    share = 100 * runtime / period
    summary = f"normal tasks get up to {runtime / 1e6:g} ms in {period / 1e6:g} ms ({share:.3g} %) of CPU {cpu}"
    return TOPIC.warn(summary, reading, period_reading, fix=fix)
