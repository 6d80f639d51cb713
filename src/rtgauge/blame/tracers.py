"""What the kernel's own tracers tell beside its events: where interrupts were off, and its account of disturbances."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

from rtgauge.blame.lane import BEGINS
from rtgauge.blame.silence import Silence
from rtgauge.model import KernelEvent

NOISES_MOST = 20  # of one sample that are kept, the longest ones
_LOCKS = ("_raw_", "__raw_", "rt_spin_", "rt_read_", "rt_write_", "__local_bh_", "raw_spin_", "migrate_enable")
_UNLOCKS = re.compile(r"_raw_\w+_unlock_irq\w*|finish_task_switch|handle_softirqs|__do_softirq")
"""Functions that switch interrupts on: one that is due is taken within them. Others may do so as well, inlined."""
_ENTRIES = ("vector-entry", "irq-entry", "vector-exit", "irq-exit")
_CHAIN = 4  # functions of a stack that a note names

Timed = tuple[int, KernelEvent]


@dataclass(frozen=True)
class Held:
    """Why the interrupt of a timer came late."""

    where: str  # goes on "while NAME ran"; "" where it is not sure
    note: str


@dataclass(frozen=True)
class Noise:
    """An interrupt, softirq, NMI or thread as the kernel itself accounts for it."""

    kind: str  # "irq", "softirq", "nmi", "thread"
    name: str
    id: int
    ns: int  # that it lasted, without what interrupted it


def held_off(events: Sequence[Timed], cpu: int, entry: int, silence: Silence) -> Held | None:
    """Until when, and by whom, interrupts were off before one was entered at `entry`; None where nothing tells."""
    here = [(at, event) for at, event in events if event.cpu == cpu]
    off = _section(here, entry)
    stack = _stack(here, entry)
    if off is not None:
        return Held(f"with interrupts off from {off[0]} to {off[1]}", f"switched off in {off[0]}, on in {off[1]}")
    if stack is None:
        return None
    if not stack:
        where, why = silence.user
        return Held(where, f"interrupted outside of the kernel{why}")
    taken = f"the interrupt was taken in {', called by '.join(stack[:_CHAIN])}"
    if not _UNLOCKS.fullmatch(stack[0]):
        return Held("", f"{taken}: {silence.kernel}")
    named = next(dropwhile(lambda name: name.startswith(_LOCKS), stack), stack[0])
    return Held(f"with interrupts off until {named}", taken)


def noises_in(events: Sequence[Timed], cpu: int, stop: int, measured: int) -> tuple[Noise, ...]:
    """What ended on `cpu` within the sample, from 0 to `stop`, the measured thread left out."""
    told = [
        Noise(event.prev_state, event.name, event.id, event.due_ns)
        for at, event in events
        if event.kind == "noise" and event.cpu == cpu and 0 <= at <= stop
    ]
    others = [one for one in told if one.kind != "thread" or one.id != measured]
    longest = sorted(others, key=lambda one: -one.ns)[:NOISES_MOST]
    return tuple(one for one in others if one in longest)


def _section(events: Sequence[Timed], entry: int) -> tuple[str, str] | None:
    """(who switched interrupts off, who switched them on) last before `entry`, where the kernel records that."""
    before = [event for at, event in events if at <= entry and event.kind in ("irqs-off", "irqs-on")]
    if not before or before[-1].kind != "irqs-on":
        return None
    off = next((event for event in reversed(before) if event.kind == "irqs-off"), None)
    return None if off is None else (off.name, before[-1].name)


def _stack(events: Sequence[Timed], entry: int) -> list[str] | None:
    """The functions that the interrupt entered at `entry` came upon, innermost first; None where that was not put
    down."""
    known, found = False, list[str]()
    for at, event in events:
        if at > entry and event.kind in _ENTRIES:
            break
        if at >= entry and event.kind == "place":
            known = known or event.id == BEGINS
            found += [event.name.partition(".")[0]] if event.id > BEGINS else []  # without what compilers add
    return found if known else None
