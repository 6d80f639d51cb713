"""Does a thread wait by giving way again and again?"""

from __future__ import annotations

from collections import Counter

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import evidence_of, none_seen, of_judged
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import count

TOPIC = Topic(
    "sched_yield",
    "sched_yield gives way to threads of the same priority only: a real-time thread that waits so for a lower one "
    "waits for ever, and burns its processor meanwhile.",
    "Wait on a condition variable, a futex or a semaphore instead.",
    "no-busy-wait",
)
LOOP = 100  # calls per second by one thread


def check(seen: Observation) -> Finding:
    calls = of_judged(seen, lambda _, call: call.name == "sched_yield")
    if not calls:
        return none_seen(seen, TOPIC, "no sched_yield")
    seconds = seen.trace.seconds if seen.trace else 0.0
    _, most = Counter(call.tid for call in calls).most_common(1)[0]
    if seen.source == "trace" and seconds > 0 and most / seconds < LOOP:
        if not seen.trace or seen.trace.lost:
            return none_seen(seen, TOPIC, f"no loop of sched_yield ({count(len(calls), 'call')})")
        return TOPIC.ok(f"no loop: {count(len(calls), 'call')} in {seconds:.3g} s", *evidence_of(seen, calls))
    rate = f", up to {most / seconds:.0f} in a second by one thread" if seconds > 0 else ""
    return TOPIC.warn(f"{count(len(calls), 'call')}{rate}", *evidence_of(seen, calls))
