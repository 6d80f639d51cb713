"""Will memory that the program gets from now on be locked?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.units import format_size

TOPIC = Topic(
    "lock of new memory",
    "Without MCL_FUTURE, memory that is mapped later (stacks of new threads, growth of the heap, libraries) is neither "
    "locked nor filled: its first use faults.",
    "Call mlockall(MCL_CURRENT | MCL_FUTURE), or get all memory before mlockall(MCL_CURRENT).",
    "memory-locked",
)
MCL_FUTURE = 2


def check(seen: Observation) -> Finding:
    asked = [call for call in seen.calls if call.name == "mlockall" and call.args]
    if seen.areas_problem or not seen.areas:
        return TOPIC.unknown(f"not checked: {seen.areas_problem or 'no mapping is shown'}")
    new = [area for area in seen.areas if area.fresh and area.lockable]
    evidence: list[Evidence] = [
        (
            f"/proc/{seen.pid}/smaps {area.title}",
            f"{format_size(area.fresh)} new, {'locked' if area.locked else 'not locked'}",
        )
        for area in new[:8]
    ]
    evidence += [("trace: mlockall", f"flags {call.args[0]:#x}, result {call.result}") for call in asked[:3]]
    loose = [area for area in new if not area.locked]
    if loose:
        size = format_size(sum(area.fresh for area in loose))
        return TOPIC.warn(f"{size} mapped during the watch are not locked", *evidence)
    if new:
        size = format_size(sum(area.fresh for area in new))
        return TOPIC.ok(f"{size} mapped during the watch are locked", *evidence)
    if any(call.args[0] & MCL_FUTURE and call.result == 0 for call in asked):
        return TOPIC.ok("mlockall with MCL_FUTURE succeeded during the watch", *evidence)
    return TOPIC.unknown(
        "not checked: nothing was mapped during the watch, and the kernel shows no program's MCL_FUTURE", *evidence
    )
