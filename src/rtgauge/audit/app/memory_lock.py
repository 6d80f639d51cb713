"""Is the program's memory locked?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.units import format_size

TOPIC = Topic(
    "locked memory",
    "The kernel may take away any page that is not locked; the thread that touches it next waits for a page fault, "
    "perhaps for a disk.",
    "Call mlockall(MCL_CURRENT | MCL_FUTURE) at the start, before the threads are created, and check its result; "
    "raise RLIMIT_MEMLOCK if it is refused.",
    "memory-locked",
)


def check(seen: Observation) -> Finding:
    memory = seen.memory[-1] if seen.memory else {}
    if "VmLck" not in memory or "VmRSS" not in memory:
        return TOPIC.unknown(f"not checked: /proc/{seen.pid}/status shows no VmLck")
    status = f"/proc/{seen.pid}/status"
    evidence: list[Evidence] = [
        (f"{status} {name}", format_size(memory[name])) for name in ("VmLck", "VmRSS", "VmSize") if name in memory
    ]
    evidence.append((f"/proc/{seen.pid}/limits Max locked memory", seen.limits.get("Max locked memory", ("?",))[0]))
    if not memory["VmLck"]:
        return TOPIC.fail(f"nothing of {format_size(memory['VmRSS'])} in memory is locked", *evidence)
    if seen.areas_problem or not seen.areas:
        return TOPIC.unknown(f"not checked for each mapping: {seen.areas_problem or 'none is shown'}", *evidence)
    loose = sorted((area for area in seen.areas if area.lockable and not area.locked), key=lambda area: -area.resident)
    held = sum(area.resident for area in loose)
    if held:
        evidence += [
            (f"/proc/{seen.pid}/smaps {area.title}", f"{format_size(area.resident)} in memory, not locked")
            for area in loose[:8] if area.resident
        ]  # fmt: skip
        return TOPIC.warn(f"{format_size(held)} of {format_size(memory['VmRSS'])} in memory is not locked", *evidence)
    return TOPIC.ok(f"all of {format_size(memory['VmRSS'])} in memory", *evidence)
