"""Do the threads with deadlines use sockets?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._calls import TRANSFERS, judge, kind, of_judged
from rtgauge.audit.app._observation import Call, Observation

TOPIC = Topic(
    "sockets",
    "A socket call runs the network stack in the thread, allocates memory, and waits for buffers and peers that keep "
    "no deadline.",
    "Let another thread talk to the network; where the network is the purpose (a fieldbus), use packet sockets or "
    "AF_XDP without blocking, with threaded interrupts above the thread, and measure.",
    "no-blocking-io",
)
ALWAYS = {"connect", "accept", "accept4", "sendto", "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "socket",
          "bind", "listen"}  # fmt: skip


def check(seen: Observation) -> Finding:
    return judge(seen, TOPIC, of_judged(seen, _is_network), "Socket calls", "no socket call")


def _is_network(seen: Observation, call: Call) -> bool:
    return call.name in ALWAYS or (call.name in TRANSFERS and kind(seen, call) == "socket")
