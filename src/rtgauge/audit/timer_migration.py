"""May timers of one processor be run by another?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "timer migration",
    "An idle processor hands its timers to a busy one; those of other programs then expire on the processor under "
    "test. Timers of real-time threads that are pinned stay.",
    "sysctl -w kernel.timer_migration=0; on an isolated processor nothing is handed over anyway.",
)


def check(system: System) -> Finding:
    mode, reading = system.number("/proc/sys/kernel/timer_migration")
    if mode is None:
        return TOPIC.unread(reading)
    return TOPIC.warn("on", reading) if mode else TOPIC.ok("off", reading)
