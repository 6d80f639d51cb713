"""What may have taken time and left no event of its own, in words. Real and virtual time differ in it.

In virtual time the guest's clock advances by its own instructions, and while it is idle on to its next timer: nothing
outside of it can take time from it, so neither a hypervisor nor firmware is a cause. What recording itself takes is no
small part of what is left.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Silence:
    """The possible causes, where nothing tells which one it was."""

    kept: str  # a thread went on although the measured one was ready
    gap: str  # the test's own code took longer than usual
    own: str  # the timer's interrupt came late: while one of the test's own threads ran
    idle: str  # while the CPU was idle
    thread: str  # while any other thread ran
    user: tuple[str, str]  # it came upon a program's own code: where, as in tracers.Held, and why
    kernel: str  # it came upon code of the kernel that is not known to switch interrupts on
    handler: str  # an interrupt lasted long between two events


_LATE = "a timer that expires late, or the way into the interrupt with its recording"

REAL = Silence(
    kept="pre-emption switched off, hypervisor or firmware",
    gap="hypervisor, firmware, or code without events",
    own="hypervisor or firmware",
    idle="leaving the idle state, hypervisor or firmware",
    thread="interrupts switched off, hypervisor or firmware",
    user=("in its own code", ", where interrupts cannot be switched off: hypervisor or firmware"),
    kernel="interrupts were off until there, or a hypervisor or firmware had the CPU",
    handler="without any event, as if the hypervisor or firmware had the CPU",
)
VIRTUAL = Silence(
    kept="pre-emption switched off, or the way to the switch with its recording",
    gap="code without events",
    own=f"interrupts switched off, {_LATE}",
    idle=f"leaving the idle state, {_LATE}",
    thread=f"interrupts switched off, {_LATE}",
    user=("", f": interrupts off until it was left, {_LATE}"),
    kernel=f"interrupts off until there, {_LATE}",
    handler="in code without events",
)


def silence_of(virtual: bool) -> Silence:
    """`virtual`: whether the run's time is virtual."""
    return VIRTUAL if virtual else REAL
