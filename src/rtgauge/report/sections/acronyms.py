"""The acronyms that stand in a report, each with its words; made last, from the other sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rtgauge.definitions import FAMILIES, KINDS
from rtgauge.report.blocks import Cell, Column, Facts, Panel, Part, Row, Section, Table

ACRONYMS = {
    "ABI": "application binary interface",
    "API": "application programming interface",
    "BIOS": "basic input/output system: the firmware of a PC",
    "CBOR": "concise binary object representation (RFC 8949), the form of a trace",
    "CI": "continuous integration",
    "CPU": "central processing unit",
    "CSV": "comma-separated values",
    "DMA": "direct memory access",
    "EDF": "earliest deadline first",
    "FIFO": "first in, first out; as SCHED_FIFO: runs until it blocks, yields or is pre-empted",
    "GCC": "GNU compiler collection",
    "GNU": "GNU's not Unix",
    "HPET": "high precision event timer of a PC",
    "HTML": "hypertext markup language",
    "IPC": "communication between processes",
    "IPI": "interrupt from one processor to another",
    "IRQ": "interrupt request",
    "ISR": "interrupt service routine",
    "JSON": "JavaScript object notation",
    "KSM": "kernel samepage merging",
    "KVM": "kernel-based virtual machine",
    "MMU": "memory management unit",
    "MPU": "memory protection unit",
    "NMI": "non-maskable interrupt",
    "NUMA": "non-uniform memory access",
    "OS": "operating system",
    "PCI": "peripheral component interconnect, a bus",
    "PDF": "portable document format",
    "PI": "priority inheritance",
    "POSIX": "portable operating system interface (IEEE Std 1003.1)",
    "PSE51": "POSIX profile of a minimal real-time system (IEEE Std 1003.13)",
    "PSE52": "POSIX profile of a real-time controller (IEEE Std 1003.13)",
    "PSE53": "POSIX profile of a dedicated real-time system (IEEE Std 1003.13)",
    "PSE54": "POSIX profile of a multi-purpose real-time system (IEEE Std 1003.13)",
    "QEMU": "an emulator of whole machines",
    "RAM": "random access memory",
    "RCU": "read-copy-update, a way to share data in a kernel",
    "RR": "round robin",
    "RT": "real time",
    "RTOS": "real-time operating system",
    "SHA": "secure hash algorithm",
    "SMI": "system management interrupt: taken by the firmware, unseen by the system",
    "SMP": "symmetric multiprocessing",
    "SMT": "simultaneous multithreading: several hardware threads of one core",
    "TLB": "translation lookaside buffer",
    "TSC": "time stamp counter of a processor",
    "UTC": "coordinated universal time",
    "VM": "virtual machine",
}
"""All that a report may explain, in the order of the alphabet."""

_WORD = re.compile(r"[A-Za-z0-9]+")
_ID = re.compile(r"\b([A-Z]{2,5})-([BPS])-[A-Z]{1,8}\b")
_FIELDS = ("text", "todo", "note", "title", "label", "empty", "what", "caption", "x_label", "y_label", "name", "unit")


def closing(built: Iterable[Section]) -> Section | None:
    """The section on the acronyms of the sections `built`; None where there are none."""
    words: set[str] = set()
    ids: set[tuple[str, str]] = set()
    for text in {text for section in built for text in texts(section.part)}:
        if any(sign.isupper() for sign in text):
            ids.update(_ID.findall(text))
            words.update(_WORD.findall(_ID.sub(" ", text)))
    seen = {
        word.upper() if word.lower() == "tsc" else word.removesuffix("s") if word[:-1].isupper() else word
        for word in words
    }
    rows = [(name, meaning) for name, meaning in ACRONYMS.items() if name in seen]
    panels = [Panel("Acronyms", (_table("Acronym", rows),))] if rows else []
    families, kinds = {family for family, _ in ids}, {kind for _, kind in ids}
    parts = [(f"{name}-", meaning) for name, meaning in FAMILIES.items() if name in families]
    parts += [(f"-{kind}-", meaning) for kind, meaning in KINDS.items() if kind in kinds]
    if parts:
        panels.append(Panel("What the id of a test says", (_table("In an id", parts),)))
    return Section(96, Part("acronyms", "Acronyms", (Row(tuple(panels)),)), "Acronyms") if panels else None


def _table(head: str, rows: Iterable[tuple[str, str]]) -> Table:
    return Table((Column(head), Column("Meaning")), tuple((Cell(name), Cell(meaning)) for name, meaning in rows))


def texts(block: Any) -> Iterator[str]:
    """Every text of a block and of what it holds."""
    for name in _FIELDS:
        value = getattr(block, name, None)
        if isinstance(value, str) and value:
            yield value
    for name in ("blocks", "items", "links", "columns"):
        for inner in getattr(block, name, ()):
            yield from texts(inner)
    if isinstance(block, Facts):
        for name, value in block.rows:
            yield name
            yield from texts(value)
    elif isinstance(block, Table):
        for row in block.rows:
            for cell in row:
                yield from texts(cell)
