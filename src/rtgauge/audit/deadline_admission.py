"""How much time SCHED_DEADLINE may reserve."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "deadline reservations",
    "A reservation is guaranteed only because the kernel refuses those that do not fit; with the limit off it accepts "
    "more than the processors can give.",
    "sysctl -w kernel.sched_rt_runtime_us=950000 when SCHED_DEADLINE is used.",
    "rt-policies",
)


def check(system: System) -> Finding:
    runtime, reading = system.number("/proc/sys/kernel/sched_rt_runtime_us")
    period, period_reading = system.number("/proc/sys/kernel/sched_rt_period_us")
    if runtime is None or not period:
        return TOPIC.unread(reading, period_reading)
    if runtime < 0:
        return TOPIC.warn("no admission test: reservations are accepted beyond what there is", reading)
    return TOPIC.ok(f"up to {100 * runtime / period:.3g} % of each processor can be reserved", reading, period_reading)
