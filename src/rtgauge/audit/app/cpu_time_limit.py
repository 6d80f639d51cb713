"""Does a limit end the program when it runs for long?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit.app._observation import Observation

TOPIC = Topic(
    "limit of real-time running",
    "With RLIMIT_RTTIME a real-time thread that runs this long without blocking gets SIGXCPU, then SIGKILL.",
    "Unless it is meant as a guard: prlimit --pid PID --rttime=unlimited, or the service's LimitRTTIME=infinity.",
)
LIMITS = {"Max realtime timeout": "us", "Max cpu time": "s"}


def check(seen: Observation) -> Finding:
    found = {name: seen.limits.get(name) for name in LIMITS}
    if found["Max realtime timeout"] is None:
        return TOPIC.unknown(f"not checked: /proc/{seen.pid}/limits shows no realtime timeout")
    evidence = [
        (f"/proc/{seen.pid}/limits {name}", f"soft {pair[0]}, hard {pair[1]} ({LIMITS[name]})")
        for name, pair in found.items() if pair
    ]  # fmt: skip
    finite = [f"{name} {pair[0]} {LIMITS[name]}" for name, pair in found.items() if pair and pair[0] != "unlimited"]
    if finite:
        return TOPIC.warn(f"set: {', '.join(finite)}", *evidence)
    return TOPIC.ok("unlimited", *evidence)
