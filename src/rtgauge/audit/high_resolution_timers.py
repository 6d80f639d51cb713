"""Do timers expire when they are due, or at the next tick?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "high-resolution timers",
    "Without them every timed wait ends at the next clock tick: up to 10 ms late, whatever the priority.",
    "Use a kernel with CONFIG_HIGH_RES_TIMERS=y and remove highres=off from the kernel command line.",
    "config-options",
)


def check(system: System) -> Finding:
    built = system.option_pair("CONFIG_HIGH_RES_TIMERS")
    if system.probes.timer_resolution:
        resolution = system.probes.timer_resolution()
        evidence = ("clock_getres(CLOCK_MONOTONIC)", f"{resolution * 1e9:.0f} ns")
        if resolution < 1e-6:
            return TOPIC.ok(f"in use, {resolution * 1e9:.0f} ns resolution", evidence, built)
        return TOPIC.warn(f"not in use: timers are {resolution * 1e3:.3g} ms coarse", evidence, built)
    if system.parameters.get("highres") in ("off", "0"):
        return TOPIC.warn("switched off on the kernel command line", system.parameter("highres"))
    built_in = system.option("CONFIG_HIGH_RES_TIMERS")
    if built_in is None:
        return TOPIC.unread(system.config[1])
    return TOPIC.ok("built in", built) if built_in == "y" else TOPIC.warn("not built in", built)
