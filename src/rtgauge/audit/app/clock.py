"""Do timed waits use a clock that can be set?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import judge, of_judged
from rtgauge.audit.app._observation import Call, Observation

TOPIC = Topic(
    "clock of timed waits",
    "CLOCK_REALTIME is set by NTP, by hand and by leap seconds: a wait until a moment of it ends early or late by as "
    "much as the clock was set.",
    "Use CLOCK_MONOTONIC: in clock_nanosleep, timer_create, timerfd_create, and for condition variables with "
    "pthread_condattr_setclock or pthread_cond_clockwait.",
)
REALTIME, REALTIME_ALARM, TIMER_ABSTIME = 0, 8, 1
FUTEX_CLOCK_REALTIME = 256
LOCK_PI = 6  # its timeout is of CLOCK_REALTIME always


def check(seen: Observation) -> Finding:
    return judge(
        seen, TOPIC, of_judged(seen, _settable), "CLOCK_REALTIME for timed waits", "no timed wait by CLOCK_REALTIME"
    )


def _settable(_: Observation, call: Call) -> bool:
    args = call.args
    if call.name == "clock_nanosleep":
        return len(args) > 1 and args[0] in (REALTIME, REALTIME_ALARM) and bool(args[1] & TIMER_ABSTIME)
    if call.name in ("timer_create", "timerfd_create"):
        return bool(args) and args[0] in (REALTIME, REALTIME_ALARM)
    if call.name == "futex" and len(args) > 3 and args[3]:  # with a timeout
        return bool(args[1] & FUTEX_CLOCK_REALTIME) or args[1] & 0x7F == LOCK_PI
    return False
