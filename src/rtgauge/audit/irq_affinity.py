"""Which device interrupts may arrive on the processor under test?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rtgauge.audit._finding import Finding, Topic
from rtgauge.audit._system import Reading, System, cpu_list

TOPIC = Topic(
    "interrupt affinity",
    "An interrupt handler runs before any thread of the processor it arrives on; a busy disk or network adds its "
    "handlers to every latency there.",
    guideline="irq-latency",
)
FIXED = re.compile(r"arch_timer|arm-pmu|\bIPI\b|\btimer$|cascade")  # belong to one processor, cannot be moved
SHOWN = 4


@dataclass(frozen=True)
class Interrupt:
    number: str
    name: str
    count: int  # handled by the processor under test since boot
    affinity: Reading


def check(system: System) -> Finding:
    cpu = system.cpu
    table = system.read("/proc/interrupts")
    if not table:
        return TOPIC.unread(table)
    movable = _movable(system, table.text)
    if not movable:
        return TOPIC.unknown("no movable interrupt with a readable affinity", table)
    here = [one for one in movable if cpu in cpu_list(one.affinity.text)]
    busy = sorted((one for one in here if one.count), key=lambda one: -one.count)
    evidence = [
        (one.affinity.path, f"{one.affinity.text} ({one.name}, {one.count} on CPU {cpu})") for one in busy or here
    ]
    if not here:
        return TOPIC.ok(f"none of {len(movable)} movable interrupts may arrive on CPU {cpu}", (table.path, "read"))
    summary = f"{len(here)} of {len(movable)} movable interrupts may arrive on CPU {cpu}; {len(busy)} did since boot"
    if busy:
        most = ", ".join(f"{one.number} {one.name} ({one.count})" for one in busy[:SHOWN])
        summary += f": {most}{', ...' if len(busy) > SHOWN else ''}"
    other = next((each for each in system.allowed if each != cpu), None)
    fix = (
        f"As root, for each of them: echo {0 if other is None else other} > /proc/irq/NUMBER/smp_affinity_list; for "
        f"all at boot: kernel parameter irqaffinity=LIST without {cpu}. Interrupts of storage queues that the kernel "
        f"manages refuse it: boot with isolcpus=managed_irq,domain,{cpu}."
    )
    if other is None:
        fix = "There is no other CPU to move them to."
    return TOPIC.warn(summary, *evidence, fix=fix)


def _movable(system: System, table: str) -> list[Interrupt]:
    lines = table.splitlines()
    columns = [int(word[3:]) for word in lines[0].split() if word.startswith("CPU")] if lines else []
    column = columns.index(system.cpu) if system.cpu in columns else None
    found = []
    for line in lines[1:]:
        number, _, rest = line.partition(":")
        words = rest.split()
        name = " ".join(words[len(columns) :])
        if not number.strip().isdigit() or FIXED.search(name):
            continue
        affinity = system.read(f"/proc/irq/{number.strip()}/smp_affinity_list")
        if affinity:
            count = int(words[column]) if column is not None and len(words) > column else 0
            found.append(Interrupt(number.strip(), words[-1] if words else "", count, affinity))
    return found
