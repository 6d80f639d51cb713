"""Do the threads with deadlines wait for page faults?"""

from __future__ import annotations

from collections import Counter

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation, Thread
from rtgauge.audit.app._threads import asleep, count, lines

TOPIC = Topic(
    "page faults",
    "A page fault costs microseconds and locks of the kernel; one that must read from a disk costs milliseconds.",
    "Lock all memory, touch it once before the first period (heap, and each stack to its full depth), and keep the "
    "allocator from giving it back (mallopt M_TRIM_THRESHOLD, M_MMAP_MAX).",
    "memory-locked",
)


def check(seen: Observation) -> Finding:
    judged = seen.judged
    major = sum(each.last.major - each.first.major for each in judged)
    minor = sum(each.last.minor - each.first.minor for each in judged)
    faulting = [each for each in judged if each.last.minor + each.last.major > each.first.minor + each.first.major]
    evidence = lines(seen, faulting or judged, "stat minflt, majflt", _change) + _places(seen)
    words = f"{major} with a disk and {minor} without in {seen.seconds:.3g} s"
    if major:
        return TOPIC.fail(f"{words} while running", *evidence)
    if minor:
        return TOPIC.warn(f"{words} while running", *evidence)
    if idle := asleep(seen, TOPIC):
        return idle
    return TOPIC.ok(f"none in {seen.seconds:.3g} s in {count(len(judged), 'judged thread')}", *evidence)


def _change(thread: Thread) -> str:
    first, last = thread.first, thread.last
    return f"minor {first.minor} to {last.minor}, major {first.major} to {last.major}"


def _places(seen: Observation) -> list[Evidence]:
    """Where in its memory the program faulted most."""
    if seen.trace is None:
        return []
    tids = {each.tid for each in seen.judged}
    where = Counter(
        next((area.title for area in seen.areas if area.start <= address < area.end), "memory that is gone")
        for tid, address in seen.trace.faults
        if tid in tids
    )
    return [(f"trace: page_fault_user in {place}", count(number, "fault")) for place, number in where.most_common(4)]
