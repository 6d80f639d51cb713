"""hackbench: many processes that send each other messages through sockets."""

from __future__ import annotations

import re

from rtgauge.loads.base import HostLoad

GROUPS, PEERS, LOOPS = (
    10,
    20,
    100,
)  # a group has so many senders, and as many receivers; each sends to all of the latter
_ROUND = re.compile(r"^Time: *[0-9.]+", re.MULTILINE)


def _messages(output: str) -> int:
    return len(_ROUND.findall(output)) * GROUPS * PEERS * PEERS * LOOPS


LOAD = HostLoad(
    name="hackbench",
    program="hackbench",
    package="rt-tests",
    what="400 processes in 10 groups that send each other messages of 100 bytes",
    degree="continuous",
    unit="messages",
    args=lambda _: ("--groups", str(GROUPS), "--loops", str(LOOPS)),
    count=_messages,
    version=("--help",),
    instead="messaging, which the engine brings",
)
