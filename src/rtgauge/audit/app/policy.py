"""Have the threads with deadlines a real-time policy?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import count, lines

TOPIC = Topic(
    "real-time policy",
    "A normal thread shares its processor fairly with every other program: each of them can delay it, for as long as "
    "the scheduler finds just.",
    "Give the threads with deadlines SCHED_FIFO (pthread_setschedparam, or chrt -f -p PRIORITY TID), and check that "
    "the call succeeded.",
    "thread-priority",
)


def check(seen: Observation) -> Finding:
    evidence = lines(seen, seen.threads, "stat", lambda each: "real-time" if each.realtime else "not real-time")
    found, total = len(seen.realtime), count(len(seen.threads), "thread")
    if not found:
        return TOPIC.fail(f"none of {total} is real-time", *evidence)
    return TOPIC.ok(f"{found} of {total} real-time", *evidence)
