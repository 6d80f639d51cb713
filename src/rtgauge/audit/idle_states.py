"""How deep may an idle processor sleep?"""

from __future__ import annotations

import struct

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "idle states",
    "A processor that sleeps needs the exit latency of its state before it runs the first instruction, and often "
    "refills its caches after: the deeper the state, the later every wake-up.",
    "For a program: keep /dev/cpu_dma_latency open with a 32-bit 0 written to it (cyclictest does; rtgauge only with "
    "--tune). For the system: kernel parameter processor.max_cstate=1 (Intel: intel_idle.max_cstate=1), or as root: "
    "cpupower idle-set -D 10. Power and heat go up.",
)
LIMIT_US = 10  # states that are left faster than this are not worth a warning
FOLDER = "/sys/devices/system/cpu/cpu{cpu}/cpuidle"
PARAMETERS = ("idle", "processor.max_cstate", "intel_idle.max_cstate")


def check(system: System) -> Finding:
    driver = system.read("/sys/devices/system/cpu/cpuidle/current_driver")
    given = [system.parameter(name) for name in PARAMETERS if name in system.parameters]
    if system.parameters.get("idle") == "poll":
        return TOPIC.ok("idle=poll: idle processors do not sleep", *given)
    states = _states(system)
    if not states:
        summary = f"no idle states are visible for CPU {system.cpu}; firmware or a host may still let it sleep"
        return TOPIC.unknown(summary, driver, *given)
    evidence: list[Evidence] = [driver, *given]
    evidence += [(path, f"{name}, {latency} us, {'off' if off else 'on'}") for path, name, latency, off in states]
    request, asked = _request(system)
    if asked is not None:
        evidence.append(request)
    usable = [(latency, name) for _, name, latency, off in states if not off and (asked is None or latency <= asked)]
    latency, name = max(usable, default=(0, "none"))
    if "hypervisor" in system.read("/proc/cpuinfo").text.split():
        summary = f"in a virtual machine the host decides how an idle CPU {system.cpu} sleeps (here: {name})"
        return TOPIC.unknown(summary, *evidence)
    summary = f"deepest state of CPU {system.cpu} now: {name}, {latency} us to leave it ({driver.text or 'no driver'})"
    return TOPIC.warn(summary, *evidence) if latency > LIMIT_US else TOPIC.ok(summary, *evidence)


def _states(system: System) -> list[tuple[str, str, int, bool]]:
    """Path, name, exit latency in us, and whether it is switched off, of each state."""
    base = FOLDER.format(cpu=system.cpu)
    states = []
    for folder in system.names(base):
        latency, _ = system.number(f"{base}/{folder}/latency")
        if latency is not None:
            off = system.read(f"{base}/{folder}/disable").text == "1"
            states.append((f"{base}/{folder}", system.read(f"{base}/{folder}/name").text, latency, off))
    return states


def _request(system: System) -> tuple[tuple[str, str], int | None]:
    """The latency limit in us that programs ask for at this moment, None when it cannot be read."""
    raw, _ = system.bytes_at("/dev/cpu_dma_latency", 0, 4)
    if len(raw) != 4:
        return ("", ""), None
    limit: int = struct.unpack("=i", raw)[0]
    return ("/dev/cpu_dma_latency", f"{limit} us"), limit
