"""May the threads with deadlines move between processors?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation, Thread
from rtgauge.audit.app._threads import NONE_REALTIME, count, lines, names, spans

TOPIC = Topic(
    "CPU affinity",
    "A thread that moves finds cold caches, and its load moves onto a processor that others count on; which thread "
    "runs where is then different in each run.",
    "Pin each real-time thread to one processor (pthread_setaffinity_np, or taskset -cp CPU TID), best isolated.",
)


def check(seen: Observation) -> Finding:
    fixed = [each for each in seen.realtime if each.policy != 6]
    if not fixed:
        return TOPIC.unknown(NONE_REALTIME)

    def value(thread: Thread) -> str:
        moved = "moves not counted by this kernel" if thread.migrations is None else count(thread.migrations, "move")
        return f"CPUs {spans(thread.cpus)}, {moved}"

    if any(not each.cpus for each in fixed):
        return TOPIC.unknown("not checked: Cpus_allowed_list is not shown", *lines(seen, fixed, "status", value))
    free = [each for each in fixed if len(each.cpus) > 1]
    if free:
        return TOPIC.warn(f"may move: {names(free)}", *lines(seen, free, "status", value))
    return TOPIC.ok(f"{count(len(fixed), 'real-time thread')} pinned to one processor each",
                    *lines(seen, fixed, "status", value))  # fmt: skip
