"""Does the kernel move memory between nodes?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "NUMA balancing",
    "It unmaps pages now and then to learn who uses them; the next access faults and may copy the page.",
    "sysctl -w kernel.numa_balancing=0, or the kernel parameter numa_balancing=disable; bind programs with numactl.",
)


def check(system: System) -> Finding:
    mode, reading = system.number("/proc/sys/kernel/numa_balancing")
    if mode is None:
        if reading.problem == "not there" and system.option("CONFIG_NUMA_BALANCING") == "n":
            return TOPIC.ok("not built in", system.option_pair("CONFIG_NUMA_BALANCING"))
        return TOPIC.unread(reading)
    return TOPIC.warn(f"on (mode {mode})", reading) if mode else TOPIC.ok("off", reading)
