"""System management interrupts: time that firmware takes and no kernel sees."""

from __future__ import annotations

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import AS_ROOT, System

TOPIC = Topic(
    "firmware interrupts (SMI)",
    "Firmware stops all processors for its own work, often for 100 us and more; no operating system can prevent or "
    "even see it.",
    "Update the firmware; switch off in its set-up what needs it (legacy USB, power and thermal management, memory "
    "error logging); or choose another board.",
)
COUNTER = 0x34  # MSR_SMI_COUNT of Intel processors, 32 bits
PER_HOUR = 6  # up to this many are taken for what happens at boot and now and then


def check(system: System) -> Finding:
    lines = system.read("/proc/cpuinfo").text.splitlines()
    words = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in reversed(lines))}
    microcode = ("/proc/cpuinfo microcode", words.get("microcode", "not given"))
    if "hypervisor" in words.get("flags", "").split():
        return TOPIC.unknown("those of the host cannot be counted from inside a virtual machine", microcode)
    if words.get("vendor_id") != "GenuineIntel":
        return TOPIC.unknown("this processor has no counter of them that Linux can read", microcode)
    raw, reading = system.bytes_at(f"/dev/cpu/{system.cpu}/msr", COUNTER, 8)
    if len(raw) != 8:
        hint = "modprobe msr, then run the audit as root." if reading.problem == "not there" else AS_ROOT
        return TOPIC.unknown(f"not counted: {reading.path}: {reading.problem}", reading, microcode, fix=hint)
    count = int.from_bytes(raw[:4], "little")
    hours = float((system.read("/proc/uptime").text or "0").split()[0]) / 3600
    evidence = ((f"{reading.path} 0x34", str(count)), ("/proc/uptime", f"{hours:.1f} h"), microcode)
    summary = f"{count} since power-on, {hours:.1f} h ago or more"
    return TOPIC.warn(summary, *evidence) if count > PER_HOUR * max(hours, 1) else TOPIC.ok(summary, *evidence)
