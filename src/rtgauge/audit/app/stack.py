"""Is the main stack in memory before it is needed?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.units import format_size

TOPIC = Topic(
    "stack",
    "The main thread's stack grows by page faults when a call goes deeper than any before; so does any stack that was "
    "not touched.",
    "Touch the stack to its full depth at the start (an array as large as the deepest use), after mlockall.",
    "memory-locked",
)


def check(seen: Observation) -> Finding:
    sizes = [memory["VmStk"] for memory in seen.memory if "VmStk" in memory]
    area = next((area for area in seen.areas if area.name == "[stack]"), None)
    if len(sizes) < 2 or area is None:
        return TOPIC.unknown(f"not checked: {seen.areas_problem or 'no [stack] mapping is shown'}")
    evidence: list[Evidence] = [
        (f"/proc/{seen.pid}/status VmStk", f"{format_size(sizes[0])} to {format_size(sizes[-1])}"),
        (f"/proc/{seen.pid}/smaps [stack]", f"{'locked' if area.locked else 'not locked'}, "
         f"{format_size(area.resident)} of {format_size(area.end - area.start)} in memory"),
        (f"/proc/{seen.pid}/limits Max stack size", seen.limits.get("Max stack size", ("unknown",))[0]),
    ]  # fmt: skip
    if sizes[-1] > sizes[0]:
        return TOPIC.warn(f"the main stack grew by {format_size(sizes[-1] - sizes[0])} while running", *evidence)
    if not area.locked:
        return TOPIC.warn("the main stack is not locked", *evidence)
    return TOPIC.ok(f"the main stack is locked and did not grow ({format_size(sizes[-1])})", *evidence)
