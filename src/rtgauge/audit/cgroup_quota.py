"""May a control group's quota stop this process?"""

from __future__ import annotations

from rtgauge.audit._cgroup import Group, cpu_group
from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "CPU quota",
    "A group that has used up its quota stands still until its next period, often for tens of milliseconds. Real-time "
    "threads are exempt; normal threads of the same program, and loads, are not.",
)


def check(system: System) -> Finding:
    own = system.read("/proc/self/cgroup")
    if not own:
        return TOPIC.unread(own)
    if ":/" not in own.text:
        return TOPIC.unknown("/proc/self/cgroup names no group", own)
    group = cpu_group(system)
    if group is None:
        return TOPIC.ok("no cpu controller is mounted here", own)
    evidence: list[Evidence] = []
    limited = []
    for each in group.chain():
        for reading, limit in _quota(system, each):
            evidence.append(reading)
            if limit:
                limited.append((each.folder, limit))
    if not limited:
        return TOPIC.ok(f"none on {group.folder} and the groups above it", *evidence)
    folder, limit = limited[0]
    unlimited = "echo max > cpu.max" if group.version == 2 else "echo -1 > cpu.cfs_quota_us"
    stat = system.read(f"{folder}/cpu.stat")
    throttled = next((line for line in stat.text.splitlines() if line.startswith("nr_throttled")), "")
    evidence.append((stat.path, throttled or stat.problem or "no nr_throttled"))
    return TOPIC.warn(
        f"{limit} for {folder}",
        *evidence,
        fix=f"In {folder}, as root: {unlimited}; for a container: start it without --cpus.",
    )


def _quota(system: System, group: Group) -> list[tuple[tuple[str, str], str]]:
    """Evidence and the limit in words ("" when there is none) of one group."""
    name = "cpu.max" if group.version == 2 else "cpu.cfs_quota_us"
    reading = system.read(f"{group.folder}/{name}")
    if not reading:
        return []
    quota, _, period = reading.text.partition(" ")
    if group.version == 1:
        period = system.read(f"{group.folder}/cpu.cfs_period_us").text
    return [(reading.pair, "" if quota in ("max", "-1") else f"{quota} us in {period} us")]
