"""Does the kernel merge equal pages?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

RUN = "/sys/kernel/mm/ksm/run"
TOPIC = Topic(
    "kernel samepage merging",
    "A merged page is read-only; the first write to it faults and copies, even in locked memory that asked for "
    "merging, and ksmd scans all the time.",
    f"As root: echo 2 > {RUN} (takes merged pages apart again), and systemctl disable --now ksm ksmtuned where they "
    "run.",
)


def check(system: System) -> Finding:
    mode, reading = system.number(RUN)
    if mode is None:
        if reading.problem == "not there" and system.option("CONFIG_KSM") == "n":
            return TOPIC.ok("not built in", system.option_pair("CONFIG_KSM"))
        return TOPIC.unread(reading)
    return TOPIC.warn("running", reading) if mode == 1 else TOPIC.ok("not running", reading)
