"""The share of time that real-time threads may use before the kernel stops them."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "real-time throttling",
    "A real-time thread that runs longer than the budget within a period is stopped until the period ends, whatever "
    "its deadline: 50 ms each second at the default of 95 %.",
    "If every real-time program here is proven to block in time: sysctl -w kernel.sched_rt_runtime_us=-1 (keep it in "
    "/etc/sysctl.d/). A FIFO thread that then loops for ever holds its processor until reboot.",
    "rt-policies",
)
RUNTIME = "/proc/sys/kernel/sched_rt_runtime_us"
PERIOD = "/proc/sys/kernel/sched_rt_period_us"


def check(system: System) -> Finding:
    runtime, reading = system.number(RUNTIME)
    period, period_reading = system.number(PERIOD)
    if runtime is None or not period:
        return TOPIC.unread(reading, period_reading)
    evidence = (reading, period_reading, system.option_pair("CONFIG_RT_GROUP_SCHED"))
    if runtime == 0:
        return TOPIC.fail(
            "the budget is 0: no real-time thread may run",
            *evidence,
            fix="sysctl -w kernel.sched_rt_runtime_us=950000 (the kernel's default).",
        )
    if runtime < 0:
        return TOPIC.ok("off; a real-time thread that never blocks holds its processor for ever", *evidence)
    if runtime >= period:
        return TOPIC.ok(f"the budget is the whole period ({runtime} us)", *evidence)
    share = f"{runtime} us in {period} us"
    if system.kernel >= (6, 12) and system.option("CONFIG_RT_GROUP_SCHED") == "n":
        # From 6.12 this budget bounds FIFO and RR threads only where they are scheduled by group.
        return TOPIC.ok(
            f"{share}, but this kernel does not apply it to FIFO and RR threads (see fair server)", *evidence
        )
    return TOPIC.warn(f"real-time threads are stopped after {share}", *evidence)
