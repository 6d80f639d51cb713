"""Do other real-time threads run on the program's processors?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import DEADLINE, Observation, Other, Thread
from rtgauge.audit.app._threads import NONE_REALTIME, lines, names, spans

TOPIC = Topic(
    "shared processor",
    "Real-time threads of other programs on the same processor delay this one whenever their priority is the same or "
    "higher; nobody who set the one priority may have known of the other.",
    "Give each real-time program processors of its own (cpusets, isolcpus), or one plan of priorities for all.",
    "thread-priority",
)


def check(seen: Observation) -> Finding:
    if not seen.realtime:
        return TOPIC.unknown(NONE_REALTIME)
    if seen.others_problem:
        return TOPIC.unknown(f"not checked: {seen.others_problem}")
    strangers = [each for each in seen.others if not each.kernel]
    hit = [each for each in seen.realtime if any(_delays(other, each) for other in strangers)]
    meeting = [other for other in strangers if any(_delays(other, each) for each in hit)]
    evidence: list[Evidence] = lines(seen, seen.realtime, "status", lambda each: f"CPUs {spans(each.cpus)}")
    evidence += [
        (
            f"/proc/{each.tid}/stat {each.name}",
            f"policy {each.policy}, priority {each.priority}, CPUs {spans(each.cpus)}",
        )
        for each in meeting[:8]
    ]
    if hit:
        return TOPIC.warn(f"{len(meeting)} real-time threads of other programs can delay {names(hit)}", *evidence)
    return TOPIC.ok("no other program's real-time thread of the same or a higher priority", *evidence)


def _delays(other: Other, thread: Thread) -> bool:
    meet = not other.cpus or not thread.cpus or bool(set(other.cpus) & set(thread.cpus))
    return meet and (100 if other.policy == DEADLINE else other.priority) >= thread.rank
