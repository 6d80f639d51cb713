"""Has every device in use a driver?"""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "drivers",
    "A device without its driver may be served by a slow substitute, or raise interrupts that nobody handles.",
    "Install the driver or its firmware (dmesg | grep -i firmware), or switch the device off in the firmware's set-up.",
    "hardware-drivers",
)
BUS = "/sys/bus/pci/devices"
NO_DRIVER_NEEDED = (
    "0x00",
    "0x05",
    "0x06",
    "0x08",
    "0x10",
    "0x11",
)  # bridges, memory, system parts, cryptography, sensors


def check(system: System) -> Finding:
    devices = system.names(BUS)
    if not devices:
        return TOPIC.unknown(f"no PCI device is visible ({BUS}); other buses are not looked at")
    bare = []
    for device in devices:
        kind = system.read(f"{BUS}/{device}/class").text
        if not system.exists(f"{BUS}/{device}/driver") and not kind.startswith(NO_DRIVER_NEEDED):
            bare.append((f"{BUS}/{device}/class", f"{kind}, no driver"))
    if bare:
        return TOPIC.warn(f"{len(bare)} of {len(devices)} PCI devices have no driver", *bare)
    return TOPIC.ok(f"all of {len(devices)} PCI devices that need a driver have one", (BUS, f"{len(devices)} devices"))
