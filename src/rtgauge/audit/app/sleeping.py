"""Do the threads with deadlines sleep until a moment, or for a while?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import evidence_of, judge, none_seen, of_judged
from rtgauge.audit.app._observation import Call, Observation
from rtgauge.audit.app._threads import count

TOPIC = Topic(
    "relative sleeps",
    "A sleep for a while begins when the thread gets to it: each delay and each period's own work moves all later "
    "periods, so the cycle drifts.",
    "Keep the next due time and call clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, ...), or read a timerfd.",
)
TIMER_ABSTIME = 1


def check(seen: Observation) -> Finding:
    relative = of_judged(seen, lambda _, call: _relative(call))
    if relative:
        return judge(seen, TOPIC, relative, "Sleeps for a while", "no relative sleep")
    absolute = of_judged(seen, lambda _, call: call.name == "clock_nanosleep")
    what = f"no relative sleep; {count(len(absolute), 'absolute one')}" if absolute else "no sleep"
    finding = none_seen(seen, TOPIC, what)
    return (
        finding if not absolute or finding.status != "ok" else TOPIC.ok(finding.summary, *evidence_of(seen, absolute))
    )


def _relative(call: Call) -> bool:
    if call.name == "nanosleep":
        return True
    return call.name == "clock_nanosleep" and len(call.args) > 1 and not call.args[1] & TIMER_ABSTIME
