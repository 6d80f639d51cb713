"""How often, and when, the clock tick interrupts a processor."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "clock tick",
    "Each tick takes microseconds from whatever runs; its rate is also the grain of time slices and of everything that "
    "is not a high-resolution timer.",
    "Use a kernel with CONFIG_NO_HZ_IDLE=y or CONFIG_NO_HZ_FULL=y (and no nohz=off on the kernel command line).",
    "config-options",
)
MODES = {
    "CONFIG_NO_HZ_FULL": "tickless when idle, and with one task where nohz_full= asks for it",
    "CONFIG_NO_HZ_IDLE": "tickless when idle",
}


def check(system: System) -> Finding:
    options, source = system.config
    if options is None:
        return TOPIC.unread(source)
    rate = options.get("CONFIG_HZ", "unknown")
    evidence = (f"{source.path} CONFIG_HZ", rate), system.parameter("nohz"), system.parameter("nohz_full")
    mode = next((option for option in MODES if options.get(option) == "y"), None)
    if mode is None or system.parameters.get("nohz") == "off":
        return TOPIC.warn(f"HZ={rate}, periodic on every processor, idle ones too", *evidence)
    return TOPIC.ok(f"HZ={rate}, {MODES[mode]}", *evidence, (f"{source.path} {mode}", "y"))
