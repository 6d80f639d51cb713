"""Do interrupt handlers run as threads, so that priorities apply to them?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "threaded interrupts",
    "A handler that runs as a thread has a priority (50 by default) and can be pre-empted; one that does not holds up "
    "every thread until it is done.",
    "Boot with the kernel parameter threadirqs (a PREEMPT_RT kernel does so by itself). A program that depends on a "
    "device's interrupt must stay below its thread's priority: chrt -p of irq/NUMBER-NAME.",
    "irq-latency",
)


def check(system: System) -> Finding:
    asked = system.parameter("threadirqs")
    if not system.version:
        return TOPIC.unread(system.version)
    if system.realtime_kernel:
        return TOPIC.ok("threaded by PREEMPT_RT", system.version, asked)
    if "threadirqs" in system.parameters:
        return TOPIC.ok("threaded (threadirqs)", asked)
    return TOPIC.warn("handlers run in interrupt context", system.version, asked)
