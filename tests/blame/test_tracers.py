"""What the kernel's own tracers add: where interrupts were off, NMIs, its account, and the share of the recording."""

from __future__ import annotations

import pytest

from rtgauge.blame.lane import Task, lane_of, tasks_in
from rtgauge.blame.sample import Opened, open_up
from rtgauge.blame.tracers import Noise
from rtgauge.blame.words import phrase, verdict_of
from rtgauge.cli._blame import _account
from rtgauge.model import KernelEvent
from tests.support.windows import CLOCK, event, switch, to_measured, waking, window, within


def woken(*more: KernelEvent, entry: int = 50_000) -> Opened:
    """A wake-up whose interrupt is taken at `entry`, while hackbench runs, and left 6 us later."""
    events = [
        switch(-300_000, 900, "hackbench"),
        *within(entry, entry + 6_000, "vector", 236, "local_timer"),
        *within(entry + 3_000, entry + 4_000, "timer", 0, "hrtimer_wakeup"),
        waking(entry + 3_500),
        to_measured(entry + 8_000, left=900),
        *more,
    ]
    found = open_up(window(events, entry + 10_000), CLOCK, entry + 10_000, 2_000, True)
    assert sum(part.ns for part in found.parts) == entry + 10_000
    assert found.odd == 0
    return found


def stack(at: int, *functions: str) -> list[KernelEvent]:
    return [event(at, "place", depth - 1, name) for depth, name in enumerate(("", *functions))]


def late(found: Opened) -> str:
    (part,) = [part for part in found.parts if part.cause.kind == "late"]
    return phrase(part.cause)


def test_the_function_until_which_interrupts_were_off_is_named() -> None:
    found = woken(*stack(51_000, "_raw_spin_unlock_irqrestore", "free_one_page.isra.0", "free_pages"))
    assert (
        late(found)
        == "until the timer interrupt was taken, while hackbench ran with interrupts off until free_one_page"
    )
    (part,) = [part for part in found.parts if part.cause.kind == "late"]
    assert part.ns == 50_000
    assert part.cause.note == (
        "the interrupt was taken in _raw_spin_unlock_irqrestore, called by free_one_page, called by free_pages"
    )
    assert "free_one_page" in verdict_of(found)


def test_where_an_interrupt_merely_came_is_not_said_to_have_kept_it_off() -> None:
    found = woken(*stack(51_000, "ext4_map_blocks", "vfs_read"))
    assert late(found) == "until the timer interrupt was taken, while hackbench ran"
    (part,) = [part for part in found.parts if part.cause.kind == "late"]
    assert part.cause.note.startswith("the interrupt was taken in ext4_map_blocks, called by vfs_read: ")
    assert part.cause.note.endswith("or a hypervisor or firmware had the CPU")


def test_locks_alone_are_named_as_they_are() -> None:
    assert late(woken(*stack(51_000, "_raw_spin_unlock_irq"))).endswith("interrupts off until _raw_spin_unlock_irq")


def test_a_program_cannot_switch_interrupts_off() -> None:
    found = woken(*stack(51_000))
    assert late(found) == "until the timer interrupt was taken, while hackbench ran in its own code"


def test_the_stack_of_another_interrupt_says_nothing() -> None:
    earlier = [*within(-90_000, -80_000, "vector", 236, "local_timer"), *stack(-89_000, "_raw_spin_unlock_irq", "f")]
    after = [*within(59_000, 59_500, "vector", 236, "local_timer"), *stack(59_200, "_raw_spin_unlock_irq", "g")]
    assert late(woken(*earlier, *after)) == "until the timer interrupt was taken, while hackbench ran"


def test_the_switching_itself_says_more_than_a_stack() -> None:
    switching = [event(-5_000, "irqs-off", 0, "rmqueue"), event(49_990, "irqs-on", 0, "free_one_page")]
    found = woken(*switching, *stack(51_000, "_raw_spin_unlock_irqrestore", "free_one_page"))
    assert late(found).endswith("while hackbench ran with interrupts off from rmqueue to free_one_page")
    unfinished = [event(-9_000, "irqs-on", 0, "x"), event(49_990, "irqs-off", 0, "y")]
    assert late(woken(*unfinished)) == "until the timer interrupt was taken, while hackbench ran"


def test_an_idle_cpu_is_late_for_reasons_of_its_own() -> None:
    events = [
        switch(-300_000, 0, "swapper/1", left=500),
        *within(50_000, 53_000, "vector", 236, "local_timer"),
        *stack(50_500, "pv_native_safe_halt"),
        waking(52_000),
        to_measured(56_000),
    ]
    found = open_up(window(events, 58_000), CLOCK, 58_000, 2_000, True)
    assert late(found) == "until the timer interrupt was taken, idle"


def test_the_recording_has_its_own_share() -> None:
    found = woken(*stack(51_000, "f"))
    shares = {part.cause.kind: part.ns for part in found.parts}
    assert shares["tracing"] == 1_000
    assert shares["interrupt"] == 4_000  # of 6 without the recording and the timer's function
    assert [phrase(part.cause) for part in found.parts if part.cause.kind == "tracing"] == ["the recording itself"]


def test_an_nmi_lies_upon_all_that_it_interrupted() -> None:
    nmi = event(52_000, "noise", 0, "", prev_state="nmi", due_ns=20_000)
    found = woken(nmi)
    shares = {part.cause.kind: part.ns for part in found.parts}
    assert shares["nmi"] == 20_000
    assert shares["late"] == 32_000
    assert found.noises == (Noise("nmi", "", 0, 20_000),)


def test_an_nmi_is_scaled_to_the_clock_and_may_begin_before_the_window() -> None:
    told = event(10, "noise", 0, "", prev_state="nmi", due_ns=15)
    lane = lane_of(1, [(10, told)], -20, 40, {}, lambda ns: 3 * ns)
    assert [(one.begin, one.end, [frame.kind for frame in one.frames]) for one in lane.stretches] == [
        (-20, 10, ["nmi"]),
        (10, 40, []),
    ]


def test_the_kernels_account_is_of_the_sample_and_of_others() -> None:
    def noise(at: int, kind: str, name: str, id: int, ns: int, cpu: int = 1) -> KernelEvent:
        return event(at, "noise", id, name, cpu, prev_state=kind, due_ns=ns, other=900)

    found = woken(
        noise(-1, "irq", "early", 1, 7),
        noise(55_000, "irq", "local_timer", 236, 4_800),
        noise(58_500, "thread", "hackbench", 900, 350_000),
        noise(59_000, "thread", "rtgauge-engine", 500, 90),
        noise(59_100, "softirq", "RCU", 9, 600, cpu=0),
        noise(90_000, "irq", "later", 1, 7),
    )
    assert found.noises == (Noise("irq", "local_timer", 236, 4_800), Noise("thread", "hackbench", 900, 350_000))


def test_a_thread_that_only_the_kernels_account_names_has_that_name() -> None:
    account = event(900, "noise", 891, "hackbench", prev_state="thread", due_ns=800, other=891)
    assert tasks_in([account]) == {891: Task(891, "hackbench")}
    named = switch(100, 891, "renamed", 98)
    assert tasks_in([named, account]) == {891: Task(891, "renamed", 98)}
    events = [event(300, "waking", 7, "another", other=891), account, to_measured(950, left=891)]
    known = {891: Task(891, "hackbench", 98)}
    for given, level in ((known, 98), ({}, None)):
        found = open_up(window(events, 1_000), CLOCK, 1_000, 50, False, given)
        (ran,) = [part.cause for part in found.parts if part.cause.id == 891]
        assert (ran.name, ran.level) == ("hackbench", level)


def test_what_began_before_the_sample_is_told_so() -> None:
    account = [{"kind": "thread", "name": "hackbench", "id": 9, "ns": ns} for ns in (1_001, 1_000)]
    assert _account({"total": 1_000, "account": account}) == (
        "1 us thread hackbench (begun before the sample), 1 us thread hackbench"
    )


def test_the_longest_of_many_disturbances_are_kept() -> None:
    many = [event(100 * i, "noise", i, "x", prev_state="irq", due_ns=i, other=900) for i in range(1, 60)]
    assert [one.ns for one in woken(*many).noises] == list(range(40, 60))


@pytest.mark.parametrize("kind", ["noise", "place", "irqs-off", "irqs-on"])
def test_without_what_surrounds_them_they_change_nothing(kind: str) -> None:
    plain = woken()
    odd = woken(event(20_000, kind, 3, "x", prev_state="irq", due_ns=5, other=900))
    assert {p.cause: p.ns for p in odd.parts} == {p.cause: p.ns for p in plain.parts}
