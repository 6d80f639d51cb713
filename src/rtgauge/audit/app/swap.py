"""Is a part of the program swapped out?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.units import format_size

TOPIC = Topic(
    "swapped memory",
    "What is swapped out must be read back before the thread that touches it can go on: milliseconds, without a bound.",
    "Lock the memory (mlockall); swapoff -a on a system whose programs have deadlines.",
    "memory-locked",
)


def check(seen: Observation) -> Finding:
    amount = seen.memory[-1].get("VmSwap") if seen.memory else None
    source = f"/proc/{seen.pid}/status VmSwap"
    if amount is None:
        return TOPIC.unknown(f"not checked: {source} is not shown")
    evidence = (source, format_size(amount))
    return TOPIC.fail(f"{format_size(amount)} is swapped out", evidence) if amount else TOPIC.ok("none", evidence)
