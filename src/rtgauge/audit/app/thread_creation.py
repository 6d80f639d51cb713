"""Are threads or processes created while the program runs?"""

from __future__ import annotations

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._calls import coverage
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import asleep, count

TOPIC = Topic(
    "thread creation",
    "A new thread costs memory, page faults on its fresh stack and locks of the kernel, and starts with whatever "
    "policy it inherits; a fork copies the page tables and makes every page of the parent fault when next written.",
    "Create all threads before the first period and let them wait; start other programs with posix_spawn from a "
    "normal thread.",
    "resource-release",
)


def check(seen: Observation) -> Finding:
    born = [each for each in seen.threads if each.born]
    evidence: list[Evidence] = [(f"/proc/{seen.pid}/task", f"new: {each.label}") for each in born[:8]]
    evidence += [(f"/proc/{seen.pid}/task", f"ended: {name}") for name in seen.ended[:4]]
    trace = seen.trace
    if trace is not None:
        threads, processes = (sum(thread is one for _, _, thread in trace.births) for one in (True, False))
        evidence.append(("trace: task_newtask", f"{count(threads, 'thread')}, {processes} processes"))
        if threads or processes:
            words = f"{count(threads, 'thread')} and {processes} process{'' if processes == 1 else 'es'} created"
            return TOPIC.warn(f"{words} in {trace.seconds:.3g} s", *evidence)
    if born or seen.ended:
        return TOPIC.warn(f"{len(born)} started and {len(seen.ended)} ended during the watch", *evidence)
    if trace is None or trace.lost:
        why = seen.problem if trace is None else "the event buffer was full"
        summary = f"not checked for those that live shortly: no other was created in {seen.seconds:.3g} s; {why}"
        return TOPIC.unknown(summary, *evidence)
    if idle := asleep(seen, TOPIC):
        return idle
    return TOPIC.ok(f"none created in {seen.seconds:.3g} s", *evidence, coverage(seen))
