"""Is the machine busy with something else at this moment?"""

from __future__ import annotations

import re

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "other load",
    "What else runs now is a load that nobody declared: the result holds for it and cannot be repeated.",
    "Stop what competes (top, systemd-cgtop), or declare the load with --load.",
)
BUSY = 10.0  # per cent of the last ten seconds in which some task waited for a processor


def check(system: System) -> Finding:
    reading = system.read("/proc/pressure/cpu")
    match = re.search(r"some avg10=([\d.]+)", reading.text)
    average = system.read("/proc/loadavg")
    if not match:
        return _by_load(system)
    share = float(match[1])
    summary = f"tasks waited for a CPU in {share:g} % of the last 10 s"
    evidence = (("/proc/pressure/cpu some avg10", match[1]), average)
    return TOPIC.warn(summary, *evidence) if share > BUSY else TOPIC.ok(summary, *evidence)


def _by_load(system: System) -> Finding:
    average = system.read("/proc/loadavg")
    if not average:
        return TOPIC.unread(system.read("/proc/pressure/cpu"), average)
    match = re.match(r"[\d.]+", average.text)
    if not match:
        return TOPIC.unknown("/proc/loadavg holds no number", average)
    load = float(match[0])
    summary = f"load average {load:g} on {len(system.allowed)} CPUs"
    return TOPIC.warn(summary, average) if load > len(system.allowed) else TOPIC.ok(summary, average)
