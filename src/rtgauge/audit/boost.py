"""Does the processor run above its nominal frequency at times?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "CPU boost",
    "Boost depends on temperature and on what the other cores do, so the same code takes different times; a worst case "
    "measured with boost does not hold without it.",
)
INTEL = "/sys/devices/system/cpu/intel_pstate/no_turbo"
OTHER = "/sys/devices/system/cpu/cpufreq/boost"


def check(system: System) -> Finding:
    no_turbo, boost = system.read(INTEL), system.read(OTHER)
    if not no_turbo and not boost:
        summary = "no control for boost is visible; whether the processor boosts is not known"
        return TOPIC.unknown(
            summary, no_turbo, boost, fix="Look in the firmware's set-up (Turbo, Core Performance Boost)."
        )
    if no_turbo:
        on, evidence, command = no_turbo.text == "0", no_turbo, f"echo 1 > {INTEL}"
    else:
        on, evidence, command = boost.text == "1", boost, f"echo 0 > {OTHER}"
    if evidence.text not in ("0", "1"):
        return TOPIC.unknown(f"{evidence.path} says {evidence.text[:40]!r}", evidence)
    if on:
        return TOPIC.warn("on", evidence, fix=f"As root: {command} (until reboot), or switch it off in the firmware.")
    return TOPIC.ok("off", evidence)
