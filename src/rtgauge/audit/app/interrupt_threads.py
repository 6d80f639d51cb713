"""Do the program's priorities stand clear of those of interrupt threads?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation, Other, Thread
from rtgauge.audit.app._threads import NONE_REALTIME, lines, names

TOPIC = Topic(
    "interrupt thread priorities",
    "Threaded interrupt handlers are real-time threads, by default at 50. One at the same or a higher priority delays "
    "the program whenever its device interrupts; one below is held up by the program, also when the program waits "
    "for that very device.",
    "Place each thread on purpose: above all interrupt threads but below the one whose device it waits for "
    "(chrt -f -p PRIORITY TID changes either).",
    "thread-priority",
)


def check(seen: Observation) -> Finding:
    fixed = [each for each in seen.realtime if each.priority]
    if not fixed:
        return TOPIC.unknown(NONE_REALTIME)
    if seen.others_problem:
        return TOPIC.unknown(f"not checked: {seen.others_problem}")
    handlers = [each for each in seen.others if each.kernel and each.name.startswith("irq/")]
    evidence: list[Evidence] = lines(seen, fixed, "stat", lambda each: f"rt_priority {each.priority}")
    evidence += [(f"/proc/{each.tid}/stat {each.name}", f"rt_priority {each.priority}") for each in handlers[:12]]
    if not handlers:
        return TOPIC.ok("there are no interrupt threads: handlers run above every thread", *evidence)
    below = [each for each in fixed if any(_meet(each, one) and one.priority >= each.priority for one in handlers)]
    if below:
        return TOPIC.warn(f"interrupt threads run at or above the priority of {names(below)}", *evidence)
    return TOPIC.ok(f"all of {len(fixed)} stand above the {len(handlers)} interrupt threads", *evidence)


def _meet(thread: Thread, handler: Other) -> bool:
    return not thread.cpus or not handler.cpus or bool(set(thread.cpus) & set(handler.cpus))
