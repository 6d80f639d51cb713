"""Does the processor change its frequency?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "CPU frequency",
    "A governor that saves power lowers the frequency of a processor that sleeps between periods: each activation then "
    "runs slower, by a factor that depends on what ran before, and the change itself can take tens of microseconds.",
)


def check(system: System) -> Finding:
    cpu = system.cpu
    base = f"/sys/devices/system/cpu/cpu{cpu}/cpufreq"
    governor = system.read(f"{base}/scaling_governor")
    if not governor:
        summary = f"no frequency control is visible for CPU {cpu}; firmware or a host may still change it"
        return TOPIC.unknown(summary, governor)
    driver = system.read(f"{base}/scaling_driver")
    low, low_reading = system.number(f"{base}/scaling_min_freq")
    high, high_reading = system.number(f"{base}/scaling_max_freq")
    evidence = [governor, driver, low_reading, high_reading]
    span = f", {low // 1000} to {high // 1000} MHz" if low and high else ""
    if governor.text == "performance" or (low and low == high):
        return TOPIC.ok(f"governor {governor.text} on CPU {cpu}{span}", *evidence)
    fix = (
        f"cpupower -c {cpu} frequency-set -g performance, or as root: echo performance > {base}/scaling_governor "
        "(until reboot; for all processors at boot: kernel parameter cpufreq.default_governor=performance)."
    )
    return TOPIC.warn(f"governor {governor.text} on CPU {cpu}{span}", *evidence, fix=fix)
