"""Are normal tasks grouped by terminal session?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "scheduler autogroup",
    "It shares processors between sessions rather than tasks, so nice values do not act across sessions. Real-time "
    "threads are not touched; loads and normal threads of a program are.",
)


def check(system: System) -> Finding:
    mode, reading = system.number("/proc/sys/kernel/sched_autogroup_enabled")
    if mode is None:
        if reading.problem == "not there" and system.option("CONFIG_SCHED_AUTOGROUP") == "n":
            return TOPIC.ok("not built in", system.option_pair("CONFIG_SCHED_AUTOGROUP"))
        return TOPIC.unread(reading)
    return TOPIC.ok("on: no effect on real-time threads" if mode else "off", reading)
