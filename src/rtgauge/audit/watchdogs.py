"""Do lock-up detectors interrupt the processors?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System, cpu_list

TOPIC = Topic(
    "lock-up watchdogs",
    "The detectors wake a thread above all priorities on each processor every few seconds, and the hard one comes as "
    "an interrupt that cannot be masked.",
)
SOFT, HARD = "/proc/sys/kernel/soft_watchdog", "/proc/sys/kernel/nmi_watchdog"
MASK = "/proc/sys/kernel/watchdog_cpumask"


def check(system: System) -> Finding:
    soft, soft_reading = system.number(SOFT)
    hard, hard_reading = system.number(HARD)
    mask = system.read(MASK)
    if soft is None and hard is None:
        if system.option("CONFIG_LOCKUP_DETECTOR") == "n":
            return TOPIC.ok("not built in", system.option_pair("CONFIG_LOCKUP_DETECTOR"))
        return TOPIC.unread(soft_reading, hard_reading)
    evidence = (soft_reading, hard_reading, mask)
    on = [name for name, value in (("soft", soft), ("hard (NMI)", hard)) if value]
    watched = cpu_list(mask.text) if mask else [system.cpu]
    if not on:
        return TOPIC.ok("off", *evidence)
    if system.cpu not in watched:
        return TOPIC.ok(f"{' and '.join(on)}, but not on CPU {system.cpu}", *evidence)
    rest = ",".join(str(cpu) for cpu in watched if cpu != system.cpu)
    keep = f"sysctl -w kernel.watchdog_cpumask={rest} keeps them off CPU {system.cpu}; or " if rest else ""
    fix = f"{keep}sysctl -w kernel.watchdog=0, or the kernel parameter nowatchdog. A hang then goes unnoticed."
    return TOPIC.warn(f"{' and '.join(on)} on CPU {system.cpu}", *evidence, fix=fix)
