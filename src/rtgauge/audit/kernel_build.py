"""Is the running kernel the one that was meant, or an older one left behind?"""

from __future__ import annotations

import re

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "booted kernel",
    "A real-time kernel that is installed but not booted protects nothing, and the boot loader falls back in silence.",
    "Choose the real-time kernel in the boot loader (GRUB: grub-set-default, then update-grub) and reboot.",
    "kernel-built-after-patch",
)


def check(system: System) -> Finding:
    if not system.version:
        return TOPIC.unread(system.version)
    others = [name for name in system.names("/boot") if re.match(r"vmlinu[xz]-.*-rt", name)]
    if not system.realtime_kernel and others:
        return TOPIC.warn(
            f"{', '.join(others)} is installed but not running", system.release, ("/boot", ", ".join(others))
        )
    built = system.option("CONFIG_PREEMPT_RT")
    if built is None:
        return TOPIC.unknown(
            "no kernel configuration to compare the running kernel with", system.version, fix=system.config[1].hint
        )
    if (built == "y") != system.realtime_kernel:
        summary = f"the configuration says CONFIG_PREEMPT_RT={built}, the running kernel says otherwise"
        return TOPIC.warn(summary, system.version, system.option_pair("CONFIG_PREEMPT_RT"))
    return TOPIC.ok(
        "the running kernel and its configuration agree", system.version, system.option_pair("CONFIG_PREEMPT_RT")
    )
