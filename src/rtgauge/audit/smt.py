"""Does the processor under test share its core?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System, cpu_list

TOPIC = Topic(
    "SMT (hyper-threading)",
    "Two hardware threads share one core's units and caches; what the other one runs slows this one by tens of per "
    "cent, and no priority can prevent it.",
)


def check(system: System) -> Finding:
    cpu = system.cpu
    siblings = system.read(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
    active = system.read("/sys/devices/system/cpu/smt/active")
    if not siblings:
        return TOPIC.unread(siblings)
    if cpu not in cpu_list(siblings.text):
        return TOPIC.unknown(f"{siblings.path} does not list CPU {cpu}", siblings)
    others = [other for other in cpu_list(siblings.text) if other != cpu]
    if not others:
        return TOPIC.ok(f"CPU {cpu} has its core to itself", siblings, active)
    names = ", ".join(map(str, others))
    offline = " and ".join(f"echo 0 > /sys/devices/system/cpu/cpu{other}/online" for other in others)
    fix = (
        f"Keep CPU {names} idle (as root: {offline}), or for the whole machine: kernel parameter nosmt, "
        "or echo off > /sys/devices/system/cpu/smt/control."
    )
    return TOPIC.warn(f"CPU {cpu} shares its core with CPU {names}", siblings, active, fix=fix)
