"""Does a daemon move interrupts around?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "irqbalance",
    "The daemon moves interrupts between processors at its own times, on to the reserved one too unless it is told not "
    "to.",
    guideline="irq-latency",
)


def check(system: System) -> Finding:
    processes = [name for name in system.names("/proc") if name.isdigit()]
    if not processes:
        return TOPIC.unknown("the list of processes (/proc) cannot be read")
    running = [name for name in processes if system.read(f"/proc/{name}/comm").text == "irqbalance"]
    if not running:
        return TOPIC.ok("not running", ("/proc/*/comm", f"no irqbalance among {len(processes)} processes"))
    fix = (
        f"systemctl disable --now irqbalance; or keep it off CPU {system.cpu}: IRQBALANCE_BANNED_CPULIST={system.cpu} "
        "in /etc/default/irqbalance."
    )
    return TOPIC.warn(f"running (process {running[0]})", (f"/proc/{running[0]}/comm", "irqbalance"), fix=fix)
