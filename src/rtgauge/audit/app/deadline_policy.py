"""Are reservations of SCHED_DEADLINE sensible?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import DEADLINE, Observation, Thread
from rtgauge.audit.app._threads import count, lines, names
from rtgauge.units import format_ns

TOPIC = Topic(
    "deadline reservations",
    "A thread under SCHED_DEADLINE that uses up its runtime is stopped until its next period: a reservation of nearly "
    "the whole deadline leaves no room, one that is too small is overrun.",
    "Set the runtime to the measured worst case and a margin; ask for SIGXCPU on an overrun (SCHED_FLAG_DL_OVERRUN).",
    "thread-priority",
)
FULL = 0.9  # of the deadline


def check(seen: Observation) -> Finding:
    found = [each for each in seen.threads if each.policy == DEADLINE]
    if not found:
        evidence = lines(seen, seen.threads, "stat", lambda _: "not under SCHED_DEADLINE")
        return TOPIC.ok("no thread uses SCHED_DEADLINE", *evidence)
    evidence = lines(seen, found, "sched_getattr", _words)
    if any(each.reservation is None for each in found):
        return TOPIC.unknown("not checked: this kernel's sched_getattr does not answer for them", *evidence)
    tight = [each for each in found if each.reservation and each.reservation.runtime > FULL * each.reservation.deadline]
    if tight:
        return TOPIC.warn(f"hardly any room between runtime and deadline: {names(tight)}", *evidence)
    return TOPIC.ok(f"{count(len(found), 'reservation')} with room to spare", *evidence)


def _words(thread: Thread) -> str:
    one = thread.reservation
    if one is None:
        return "not told"
    return f"runtime {format_ns(one.runtime)}, deadline {format_ns(one.deadline)}, period {format_ns(one.period)}"
