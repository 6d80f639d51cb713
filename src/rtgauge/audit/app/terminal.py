"""Do the threads with deadlines print?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import TRANSFERS, judge, kind, of_judged
from rtgauge.audit.app._observation import Call, Observation

TOPIC = Topic(
    "terminal and pipe output",
    "A terminal, a serial console or a pipe takes output only as fast as its reader: printf in a loop stops the thread "
    "when the window is scrolled or the log's reader is slow.",
    "Write messages into a ring in memory that a normal thread prints.",
    "no-blocking-io",
)


def check(seen: Observation) -> Finding:
    return judge(seen, TOPIC, of_judged(seen, _is_output), "Terminal or pipe used", "no terminal or pipe used")


def _is_output(seen: Observation, call: Call) -> bool:
    return call.name == "syslog" or (call.name in TRANSFERS and kind(seen, call) in ("terminal", "pipe"))
