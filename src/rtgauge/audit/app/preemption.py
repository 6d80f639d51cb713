"""Are the threads with deadlines interrupted by other threads, or kept waiting for a processor?"""

from __future__ import annotations

from collections import Counter

from rtgauge.audit._finding import Evidence, Finding, Topic
from rtgauge.audit.app._observation import Observation, Thread
from rtgauge.audit.app._threads import asleep, count, lines
from rtgauge.units import format_ns

TOPIC = Topic(
    "pre-emption",
    "Each involuntary switch is time in which another thread ran while this one had work to do. From a higher priority "
    "that may be meant; then its time belongs into the deadline's account.",
    "Raise the thread's priority above what pre-empts it, or keep that off its processor.",
    "thread-priority",
)


def check(seen: Observation) -> Finding:
    judged = seen.judged
    forced = sum(each.last.involuntary - each.first.involuntary for each in judged)

    def value(thread: Thread) -> str:
        waited = format_ns(thread.last.wait_ns - thread.first.wait_ns)
        return f"{thread.last.involuntary - thread.first.involuntary} involuntary switches, waited {waited} to run"

    hit = [each for each in judged if each.last.involuntary > each.first.involuntary]
    evidence = lines(seen, hit or judged, "status, schedstat", value) + _who(seen)
    if forced:
        return TOPIC.warn(_words(forced, len(hit), seen.seconds), *evidence)
    if idle := asleep(seen, TOPIC):
        return idle
    return TOPIC.ok(f"no involuntary switch in {seen.seconds:.3g} s", *evidence)


def _words(forced: int, threads: int, seconds: float) -> str:
    return f"{forced} involuntary switch{'' if forced == 1 else 'es'} of {count(threads, 'thread')} in {seconds:.3g} s"


def _who(seen: Observation) -> list[Evidence]:
    if seen.trace is None:
        return [("trace", f"who pre-empted is not known: {seen.problem}")]
    tids = {each.tid for each in seen.judged}
    who = Counter(f"{name} ({other})" for tid, name, other in seen.trace.preempted if tid in tids)
    return [(f"trace: sched_switch to {name}", count(number, "time")) for name, number in who.most_common(6)]
