"""Sets of CPUs in the two ways in which the kernel writes them: `0-1,4` and `13`."""

from __future__ import annotations

from collections.abc import Iterable

_BITS = 32  # of a group in a mask


def from_list(text: str) -> frozenset[int]:
    """`0-1,4`. ValueError where it is not one."""
    cpus: set[int] = set()
    for part in text.strip().split(","):
        if part:
            low, dash, high = part.partition("-")
            cpus.update(range(int(low), int(high if dash else low) + 1))
    return frozenset(cpus)


def to_list(cpus: Iterable[int]) -> str:
    words: list[str] = []
    run: list[int] = []
    for cpu in [*sorted(cpus), -1]:
        if run and cpu != run[-1] + 1:
            words.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
            run = []
        run.append(cpu)
    return ",".join(words)


def from_mask(text: str) -> frozenset[int]:
    """`1,00000003`: groups of 32 bits, the highest first. ValueError where it is not one."""
    value = 0
    for group in text.strip().split(","):
        value = value << _BITS | int(group, 16)
    return frozenset(cpu for cpu in range(value.bit_length()) if value >> cpu & 1)


def to_mask(cpus: Iterable[int]) -> str:
    value = sum(1 << cpu for cpu in cpus)
    groups = [f"{value & 0xFFFFFFFF:08x}"]
    while value := value >> _BITS:
        groups.insert(0, f"{value & 0xFFFFFFFF:08x}")
    return ",".join(groups).lstrip("0") or "0"
