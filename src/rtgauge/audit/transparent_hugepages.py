"""Does the kernel assemble huge pages behind a program's back?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System, chosen

BASE = "/sys/kernel/mm/transparent_hugepage"
TOPIC = Topic(
    "transparent huge pages",
    "To assemble a huge page the kernel moves memory and stops its users, at a page fault or from khugepaged: a delay "
    "of up to milliseconds.",
    f"As root: echo never > {BASE}/enabled (until reboot), or the kernel parameter transparent_hugepage=never. "
    "madvise is fine when no real-time program asks for them.",
)


def check(system: System) -> Finding:
    enabled, defrag = system.read(f"{BASE}/enabled"), system.read(f"{BASE}/defrag")
    if not enabled:
        if system.option("CONFIG_TRANSPARENT_HUGEPAGE") == "n":
            return TOPIC.ok("not built in", system.option_pair("CONFIG_TRANSPARENT_HUGEPAGE"))
        return TOPIC.unread(enabled)
    mode = chosen(enabled.text)
    if mode == "always":
        return TOPIC.warn("always", enabled, defrag)
    if mode not in ("never", "madvise"):
        return TOPIC.unknown(f"{enabled.path} says {mode[:40]!r}", enabled)
    return TOPIC.ok(mode, enabled, defrag)
