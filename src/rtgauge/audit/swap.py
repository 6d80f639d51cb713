"""Can memory be written out to a disk?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "swap",
    "A page that was written out costs milliseconds when it is touched again; memory that is not locked can be, and "
    "the search for pages to write out disturbs everybody.",
    "As root: swapoff -a, and remove the swap entries of /etc/fstab. A program protects itself with mlockall.",
)


def check(system: System) -> Finding:
    swaps = system.read("/proc/swaps")
    if not swaps:
        return TOPIC.unread(swaps)
    if not swaps.text.startswith("Filename"):
        return TOPIC.unknown("/proc/swaps is not a table of swap areas", swaps)
    areas = [line.split() for line in swaps.text.splitlines()[1:] if line.strip()]
    if not areas:
        return TOPIC.ok("none", ("/proc/swaps", "empty"))
    names = ", ".join(f"{words[0]} ({int(words[2]) >> 10} MiB, {int(words[3]) >> 10} used)" for words in areas)
    return TOPIC.warn(
        names, ("/proc/swaps", names), ("/proc/sys/vm/swappiness", system.read("/proc/sys/vm/swappiness").text)
    )
