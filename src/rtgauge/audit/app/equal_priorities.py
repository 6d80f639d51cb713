"""Do several threads share a priority?"""

from __future__ import annotations

from collections import defaultdict

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import RR, Observation, Thread
from rtgauge.audit.app._threads import NONE_REALTIME, count, lines

TOPIC = Topic(
    "equal priorities",
    "Threads of one priority do not pre-empt each other: under FIFO the second waits until the first blocks, under RR "
    "for whole time slices. The order of their deadlines is then left to chance.",
    "Give each thread a priority of its own: the shorter its period or deadline, the higher.",
    "thread-priority",
)


def check(seen: Observation) -> Finding:
    groups: dict[int, list[Thread]] = defaultdict(list)
    for thread in seen.realtime:
        if thread.priority:
            groups[thread.priority].append(thread)
    if not groups:
        return TOPIC.unknown(NONE_REALTIME)
    shared = {
        priority: group
        for priority, group in groups.items()
        if any(_meet(a, b) for at, a in enumerate(group) for b in group[at + 1 :])
    }
    everyone = [thread for group in groups.values() for thread in group]
    if not shared:
        evidence = lines(seen, everyone, "stat", lambda each: f"rt_priority {each.priority}")
        return TOPIC.ok(
            f"no priority is shared on a processor by {count(len(everyone), 'real-time thread')}", *evidence
        )
    parts = [
        f"{len(group)} at {priority}{' (RR)' if any(each.policy == RR for each in group) else ''}"
        for priority, group in sorted(shared.items(), reverse=True)
    ]
    evidence = lines(
        seen, [thread for group in shared.values() for thread in group], "stat",
        lambda each: f"rt_priority {each.priority}",
    )  # fmt: skip
    return TOPIC.warn(f"threads on the same processors: {', '.join(parts)}", *evidence)


def _meet(one: Thread, two: Thread) -> bool:
    return not one.cpus or not two.cpus or bool(set(one.cpus) & set(two.cpus))
