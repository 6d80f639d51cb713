"""What defences against processor flaws cost at each kernel entry."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "CPU mitigations",
    "They lengthen every system call and thread switch, so figures can only be compared with figures under the same "
    "ones. That is a cost, not a fault: leave them on where other people's code runs.",
)
FOLDER = "/sys/devices/system/cpu/vulnerabilities"


def check(system: System) -> Finding:
    readings = [system.read(f"{FOLDER}/{name}") for name in system.names(FOLDER)]
    asked = system.parameter("mitigations")
    if not readings:
        return TOPIC.unknown(f"{FOLDER} cannot be read", asked)
    active = [one for one in readings if one.text.startswith("Mitigation")]
    open_ = [one for one in readings if one.text.startswith("Vulnerable")]
    names = ", ".join(one.path.rsplit("/", 1)[-1] for one in active) or "none"
    summary = f"{len(active)} in force ({names}), {len(open_)} flaws left open"
    return TOPIC.ok(summary, *active, *open_, asked)
