"""Has anything been loaded into the kernel that is not part of it?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "kernel taint",
    "Modules from outside the kernel's tree were not reviewed for real time: one driver that holds a lock or switches "
    "interrupts off is enough to miss a deadline.",
    "Remove the module (lsmod, modprobe -r) or use the driver of the kernel's own tree, then reboot.",
    "hardware-drivers",
)
BITS = {
    0: "proprietary module",
    1: "module forced to load",
    2: "out of specification",
    3: "module forced to unload",
    4: "machine check",
    5: "bad page",
    6: "set by a user",
    7: "the kernel died",
    8: "ACPI table overridden",
    9: "warning issued",
    10: "staging driver",
    11: "firmware defect worked around",
    12: "out-of-tree module",
    13: "unsigned module",
    14: "soft lock-up",
    15: "live patched",
    16: "set by the distribution",
    17: "structure randomised",
    18: "in-kernel test",
}
HARMLESS = {11, 16, 17}


def check(system: System) -> Finding:
    value, reading = system.number("/proc/sys/kernel/tainted")
    if value is None:
        return TOPIC.unread(reading)
    names = [BITS.get(bit, f"bit {bit}") for bit in range(value.bit_length()) if value >> bit & 1]
    if not names:
        return TOPIC.ok("not tainted", reading)
    summary = f"{value}: {', '.join(names)}"
    serious = any(value >> bit & 1 and bit not in HARMLESS for bit in range(value.bit_length()))
    return TOPIC.warn(summary, reading) if serious else TOPIC.ok(summary, reading)
