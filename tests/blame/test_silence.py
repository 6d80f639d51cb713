"""Causes without an event of their own: in virtual time neither hypervisor nor firmware is one."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from rtgauge.blame.sample import Opened, open_up
from rtgauge.blame.silence import REAL, VIRTUAL, Silence, silence_of
from rtgauge.blame.words import phrase, verdict_of
from rtgauge.model import KernelEvent
from tests.support.windows import CLOCK, THREAD, event, switch, to_measured, waking, window, within

OUTSIDE = ("hypervisor", "firmware")


def woken(silence: Silence, first: KernelEvent, *stack: str) -> Opened:
    """A wake-up whose interrupt is taken 50 us late upon what `first` switched to, and, if given, upon `stack`."""
    taken = [event(50_100, "place", depth - 1, name) for depth, name in enumerate(stack)]
    events = [first, *within(50_000, 53_000, "vector", 236, "local_timer"), *taken, waking(51_000)]
    ends = window([*events, to_measured(56_000, left=first.id)], 58_000)
    return open_up(ends, CLOCK, 58_000, 2_000, True, silence=silence)


def note(found: Opened, kind: str) -> str:
    (told,) = {part.cause.note for part in found.parts if part.cause.kind == kind}
    return told


OTHER = switch(-300_000, 900, "hackbench")
LATE = (
    (OTHER, (), "thread"),
    (OTHER, ("", "ext4_map_blocks"), "kernel"),
    (switch(-300_000, 0, "swapper/1", left=THREAD), (), "idle"),
    (to_measured(-300_000), (), "own"),
)


@pytest.mark.parametrize("virtual", [False, True])
@pytest.mark.parametrize(("first", "stack", "which"), LATE)
def test_a_late_interrupt(first: KernelEvent, stack: tuple[str, ...], which: str, virtual: bool) -> None:
    told = note(woken(silence_of(virtual), first, *stack), "late")
    assert told.endswith(f": {asdict(silence_of(virtual))[which]}")
    assert any(word in told for word in OUTSIDE) is not virtual


def test_an_interrupt_upon_a_programs_own_code_may_have_been_held_off_before_in_virtual_time_only() -> None:
    real, virtual = (woken(silence, OTHER, "") for silence in (REAL, VIRTUAL))
    told = [next(phrase(part.cause) for part in one.parts if part.cause.kind == "late") for one in (real, virtual)]
    assert told == [
        "until the timer interrupt was taken, while hackbench ran in its own code",
        "until the timer interrupt was taken, while hackbench ran",
    ]
    assert note(real, "late").endswith("where interrupts cannot be switched off: hypervisor or firmware")
    assert note(virtual, "late").startswith("interrupted outside of the kernel: interrupts off until it was left")


@pytest.mark.parametrize("silence", [REAL, VIRTUAL])
def test_a_thread_that_kept_the_cpu_is_not_preempted_in_either(silence: Silence) -> None:
    found = woken(silence, OTHER)
    (part,) = [part for part in found.parts if part.cause.kind == "thread"]
    assert part.cause.note == f"kept the CPU although the measured thread was ready: {silence.kept}"
    assert phrase(part.cause) == "hackbench (normal, not pre-empted)"


def test_what_nothing_was_recorded_in() -> None:
    events = [to_measured(-9_000), *within(1_000, 301_000, "vector", 236, "local_timer")]
    found = open_up(window(events, 402_000), CLOCK, 402_000, 2_000, False, silence=VIRTUAL)
    assert verdict_of(found) == (
        "402 us: 300 us interrupt local_timer (300 us of it in code without events), 2 us in 1 other, "
        "100 us not explained (nothing was recorded: code without events)"
    )
