"""Do signals interrupt the threads with deadlines?"""

from __future__ import annotations

from collections import Counter

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import ROOT, coverage
from rtgauge.audit.app._observation import Observation

TOPIC = Topic(
    "signals",
    "A signal's handler runs in any thread that does not block it, in the middle of its work, and ends its waits with "
    "EINTR.",
    "Block all signals in real-time threads (pthread_sigmask before they are created), and take them in a normal "
    "thread with sigwaitinfo or signalfd.",
)


def check(seen: Observation) -> Finding:
    if seen.trace is None:
        return TOPIC.unknown(f"not checked: {seen.problem}", fix=ROOT)
    judged = {each.tid: each for each in seen.judged}
    delivered = Counter((tid, number) for tid, number in seen.trace.signals if tid in judged)
    evidence = [(f"trace: signal_deliver to {judged[tid].label}", f"signal {number}, {times} times")
                for (tid, number), times in delivered.most_common(8)]  # fmt: skip
    if delivered:
        total = delivered.total()
        return TOPIC.warn(f"{total} signal{'' if total == 1 else 's'} delivered in {seen.trace.seconds:.3g} s",
                          *evidence, coverage(seen))  # fmt: skip
    if seen.trace.lost:
        return TOPIC.unknown("not checked to the end: the event buffer was full", coverage(seen))
    return TOPIC.ok(f"none delivered in {seen.seconds:.3g} s", coverage(seen))
