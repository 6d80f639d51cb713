"""Does a thread run at the priority that the kernel needs for itself?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import NONE_REALTIME, lines, names

TOPIC = Topic(
    "priority 99",
    "At 99 a thread stands beside the kernel's own migration and watchdog threads and above all interrupt threads: the "
    "kernel cannot do its work on that processor while the thread runs.",
    "Use at most 98 (1 to 49 when the thread waits for threaded interrupts, which run at 50).",
    "thread-priority",
)


def check(seen: Observation) -> Finding:
    top = [each for each in seen.realtime if each.priority == 99]
    if not seen.realtime:
        return TOPIC.unknown(NONE_REALTIME)
    if top:
        return TOPIC.warn(f"used by {names(top)}", *lines(seen, top, "stat", lambda _: "rt_priority 99"))
    highest = max(seen.realtime, key=lambda each: each.rank)
    evidence = lines(seen, seen.realtime, "stat", lambda each: f"rt_priority {each.priority}")
    return TOPIC.ok(f"not used; the highest is {highest.label}", *evidence)
