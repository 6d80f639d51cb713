"""May the kernel delay timers of the threads with deadlines?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import lines, names
from rtgauge.units import format_ns

TOPIC = Topic(
    "timer slack",
    "A normal thread's timers may expire late by its slack (50 us unless set), so that several expire together. "
    "Real-time threads have none, whatever is set.",
    "Use a real-time policy; or prctl(PR_SET_TIMERSLACK, 1) in each thread.",
)


def check(seen: Observation) -> Finding:
    if seen.realtime:
        return TOPIC.ok("none: the kernel ignores it for real-time threads",
                        *lines(seen, seen.realtime, "stat", lambda _: "real-time"))  # fmt: skip
    told = [each for each in seen.threads if each.slack_ns is not None]
    if not told:
        return TOPIC.unknown(
            f"not checked: /proc/{seen.pid}/timerslack_ns may not be read", fix="Run the audit as root."
        )
    evidence = lines(seen, told, "timerslack_ns", lambda each: each.slack_ns)
    late = [each for each in told if (each.slack_ns or 0) > 1000]
    if late:
        longest = max(each.slack_ns or 0 for each in late)
        return TOPIC.warn(f"timers may be up to {format_ns(longest)} late: {names(late)}", *evidence)
    return TOPIC.ok("at most 1 us", *evidence)
