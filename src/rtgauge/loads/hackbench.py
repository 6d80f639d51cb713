"""hackbench: many processes that send each other messages through sockets."""

from __future__ import annotations

import re

from rtgauge.loads.base import HostLoad

GROUPS, PEERS = 10, 20  # a group has so many senders, and as many receivers; each sends to all of the latter
LOOPS, GUEST_LOOPS = 100, 5  # so many times; a guest takes seconds of its time for as many as here
_SAYS = re.compile(r"^Each sender will pass ([0-9]+) messages", re.MULTILINE)
_ROUND = re.compile(r"^Time: *[0-9.]+", re.MULTILINE)


def _messages(output: str) -> int:
    loops = next((int(count) for count in _SAYS.findall(output)), 0)
    return len(_ROUND.findall(output)) * GROUPS * PEERS * PEERS * loops


def _args(loops: int) -> tuple[str, ...]:
    return ("--groups", str(GROUPS), "--loops", str(loops))


LOAD = HostLoad(
    name="hackbench",
    program="hackbench",
    package="rt-tests",
    what="400 processes in 10 groups that send each other messages of 100 bytes",
    degree="continuous",
    unit="messages",
    args=lambda _: _args(LOOPS),
    guest_args=_args(GUEST_LOOPS),
    count=_messages,
    version=("--help",),
    libraries=("libc6", "libnuma1"),
    instead="messaging, which the engine brings",
)
