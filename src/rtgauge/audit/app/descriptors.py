"""Does the number of open descriptors grow?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._growth import steady
from rtgauge.audit.app._observation import Observation
from rtgauge.audit.app._threads import asleep

TOPIC = Topic(
    "descriptors",
    "A program that opens and does not close works for days, then every open, accept and timerfd_create fails; and the "
    "table of descriptors grows with locks held.",
    "Open what is needed before the first period; find what is not closed with: ls -l /proc/PID/fd.",
    "resource-release",
)
NEAR = 0.8  # of the limit


def check(seen: Observation) -> Finding:
    numbers, limit = seen.descriptors, seen.limits.get("Max open files", ("", ""))[0]
    source = f"/proc/{seen.pid}/fd"
    if len(numbers) < 2:
        return TOPIC.unknown(f"not checked: {source} was read less than twice")
    evidence = ((source, f"open at each reading: {', '.join(map(str, numbers))}"),
                (f"/proc/{seen.pid}/limits Max open files", limit or "unknown"))  # fmt: skip
    change = f"{numbers[0]} to {numbers[-1]} in {seen.seconds:.3g} s"
    if steady(numbers):
        return TOPIC.warn(f"growing steadily: {change}", *evidence)
    if limit.isdigit() and numbers[-1] > NEAR * int(limit):
        return TOPIC.warn(f"{numbers[-1]} of {limit} that are allowed are open", *evidence)
    if numbers[-1] > numbers[0]:
        fix = "Watch for longer, e.g. --watch 60, to tell a trend from an event."
        return TOPIC.unknown(f"not decided: {change}, in fewer steps than make a trend", *evidence, fix=fix)
    if idle := asleep(seen, TOPIC):
        return idle
    return TOPIC.ok(f"not growing: {change}", *evidence)
