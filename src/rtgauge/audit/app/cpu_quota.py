"""May a control group's quota stop the program?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import count

TOPIC = Topic(
    "CPU quota",
    "A group that has used up its quota stands still until its next period, often for tens of milliseconds. Real-time "
    "threads are exempt; normal threads of the same program, which may hold a lock they need, are not.",
    "echo max > cpu.max in that group (cgroup v1: echo -1 > cpu.cfs_quota_us); start a container without --cpus.",
)


def check(seen: Observation) -> Finding:
    quota = seen.quota
    if quota.problem:
        return TOPIC.unknown(f"not checked: {quota.problem}", *quota.evidence)
    if not quota.limit:
        return TOPIC.ok("none on the program's groups", *quota.evidence)
    exposed = [each for each in seen.threads if not each.realtime]
    if not exposed:
        return TOPIC.ok(f"{quota.limit}, but every thread is real-time and exempt", *quota.evidence)
    return TOPIC.warn(f"{quota.limit} holds for {count(len(exposed), 'normal thread')} of the program", *quota.evidence)
