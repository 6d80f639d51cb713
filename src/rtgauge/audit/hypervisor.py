"""Is this a virtual machine?"""

from __future__ import annotations

import re

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import System

TOPIC = Topic(
    "hypervisor",
    "The host takes processors away without notice (steal) and handles idling, timers and interrupts itself; a virtual "
    "machine can show how good its software is, but promises no deadline.",
    "Measure on the bare machine; or pin the virtual processors to reserved ones and give them real-time priority on "
    "the host.",
)
PRODUCTS = re.compile(
    r"KVM|QEMU|VirtualBox|VMware|Virtual Machine|Bochs|Xen|Firecracker|BHYVE|Google Compute|EC2", re.I
)


def check(system: System) -> Finding:
    cpuinfo = system.read("/proc/cpuinfo")
    flags = next((line for line in cpuinfo.text.splitlines() if line.startswith("flags")), "")
    product, kind = system.read("/sys/class/dmi/id/product_name"), system.read("/sys/hypervisor/type")
    signs = []
    if "hypervisor" in flags.split():
        signs.append(("/proc/cpuinfo flags", "hypervisor"))
    if kind:
        signs.append(kind.pair)
    if product and PRODUCTS.search(product.text):
        signs.append(product.pair)
    if system.exists("/proc/device-tree/hypervisor"):
        signs.append(("/proc/device-tree/hypervisor", "there"))
    if signs:
        return TOPIC.warn(f"a virtual machine; {_steal(system)}", *signs, ("/proc/stat", _steal(system)))
    if not flags and not product:
        return TOPIC.unknown("neither processor flags nor firmware tables tell", cpuinfo if not cpuinfo else product)
    return TOPIC.ok("no sign of one", ("/proc/cpuinfo flags", "no hypervisor" if flags else "none"), product)


def _steal(system: System) -> str:
    for line in system.read("/proc/stat").text.splitlines():
        words = line.split()
        if words and words[0] == f"cpu{system.cpu}" and len(words) > 8:
            return f"{words[8]} ticks stolen from CPU {system.cpu} since boot"
    return "stolen time is not counted"
