"""Does this kernel version carry real-time pre-emption?"""

from __future__ import annotations

import re

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

MAINLINE = (6, 12)  # from here PREEMPT_RT is part of the kernel itself

TOPIC = Topic(
    "kernel version",
    "Before 6.12 PREEMPT_RT was a series of patches for one exact version. A patch of another version leaves parts of "
    "the kernel that cannot be pre-empted.",
    "Use a kernel of 6.12 or later, or one whose -rt suffix names the patch series of the same version "
    "(localversion-rt, e.g. 6.1.35-rt10).",
    "kernel-version-match",
)


def check(system: System) -> Finding:
    release = system.release
    if not release or system.kernel == (0, 0):
        return TOPIC.unread(release) if not release else TOPIC.unknown(f"release {release.text!r} is not a version")
    series = re.search(r"-rt\d*", release.text)
    if system.kernel >= MAINLINE:
        return TOPIC.ok(f"{release.text}: PREEMPT_RT can be built from this version without a patch", release)
    if series and system.realtime_kernel:
        return TOPIC.ok(f"{release.text}: patched for real time ({series[0][1:]})", release, system.version)
    if system.realtime_kernel:
        return TOPIC.warn(
            f"{release.text}: a patched kernel that does not name its patch series", release, system.version
        )
    return TOPIC.warn(f"{release.text}: before 6.12 and without the real-time patch", release, system.version)
