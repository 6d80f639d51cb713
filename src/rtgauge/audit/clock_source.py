"""Which counter does the kernel take time from, and does it trust the processor's own?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "clock source",
    "Every time stamp and every timer rests on it. A source outside the processor costs a microsecond and more for "
    "each reading; one that is not stable makes all figures meaningless.",
)
BASE = "/sys/devices/system/clocksource/clocksource0"
GOOD = ("tsc", "arch_sys_counter", "riscv_clocksource", "timebase", "tod", "stp", "mct-frc")
GUEST = ("kvm-clock", "xen", "hyperv_clocksource_tsc_page", "hyperv_clocksource_msr", "vmware-clock")
SLOW = ("hpet", "acpi_pm", "pit")
TICK = ("jiffies", "refined-jiffies")
FLAGS = ("constant_tsc", "nonstop_tsc")
REJECTED = (
    "Find out why the kernel rejected the TSC (dmesg | grep -i tsc): update the firmware, switch off its power "
    "saving or spread-spectrum options, or use another machine. tsc=reliable only hides it."
)
GUEST_FIX = "Measure on the host, or give the guest a stable TSC and boot it with clocksource=tsc."
STEADY = "Fix the frequency (governor performance, no deep idle states), or use another machine."


def check(system: System) -> Finding:
    current, available = system.read(f"{BASE}/current_clocksource"), system.read(f"{BASE}/available_clocksource")
    if not current:
        return TOPIC.unread(current)
    evidence: list[Evidence] = [current, available]
    name = current.text
    if name == "tsc":
        return _tsc(system, evidence)
    if name in GOOD:
        return TOPIC.ok(name, *evidence)
    if name in TICK:
        return TOPIC.fail(f"{name}: time advances only with the clock tick", *evidence, fix=REJECTED)
    if name in GUEST:
        return TOPIC.warn(f"{name}: a guest's clock, kept by its host", *evidence, fix=GUEST_FIX)
    if "tsc" in available.text.split():
        fix = f"As root: echo tsc > {BASE}/current_clocksource, and remove clocksource= from the kernel command line."
        return TOPIC.warn(f"{name}, though tsc is available", *evidence, fix=fix)
    if name in SLOW:
        return TOPIC.fail(
            f"{name}: the processor's own counter is absent or was rejected as unstable", *evidence, fix=REJECTED
        )
    return TOPIC.unknown(f"{name}: not known to this check", *evidence)


def _tsc(system: System, evidence: list[Evidence]) -> Finding:
    lines = system.read("/proc/cpuinfo").text.splitlines()
    flags = next((line.split(":", 1)[1].split() for line in lines if line.startswith("flags")), [])
    missing = [flag for flag in FLAGS if flag not in flags]
    evidence = [*evidence, ("/proc/cpuinfo flags", "without " + ", ".join(missing) if missing else " ".join(FLAGS))]
    if missing:
        return TOPIC.warn(f"tsc, but the processor does not promise {' and '.join(missing)}", *evidence, fix=STEADY)
    return TOPIC.ok("tsc, constant and running in all sleep states", *evidence)
