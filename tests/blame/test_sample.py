from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtgauge.blame.lane import Task
from rtgauge.blame.sample import Opened, open_up
from rtgauge.blame.words import phrase, verdict_of
from rtgauge.model import EventWindow, KernelEvent
from tests.support.windows import (
    CLOCK,
    LEVEL,
    NAME,
    ORIGIN,
    THREAD,
    event,
    late_wakeup,
    of_clock,
    switch,
    to_measured,
    waking,
    window,
    within,
)


def opened(one: EventWindow, total: int, usual: float = 1_500, periodic: bool = True) -> Opened:
    found = open_up(one, CLOCK, total, usual, periodic)
    assert sum(part.ns for part in found.parts) == total
    assert [piece.begin for piece in found.pieces] == [0, *(piece.end for piece in found.pieces[:-1])]
    assert not found.pieces or found.pieces[-1].end == total
    assert not found.phases or sum(ns for _, _, ns in found.phases) == total
    return found


def shares(found: Opened) -> dict[tuple[str, str], int]:
    return {(part.cause.kind, part.cause.name): part.ns for part in found.parts}


def test_a_late_wakeup_is_taken_apart() -> None:
    found = opened(late_wakeup(), 186_000)
    assert shares(found) == {
        ("thread", "ksoftirqd/1"): 100_000,
        ("softirq", "NET_RX"): 40_000,
        ("late", "hackbench"): 30_000,
        ("thread", "hackbench"): 6_000,
        ("interrupt", "local_timer"): 3_500,
        ("timer", "hrtimer_wakeup"): 1_500,
        ("tick", "tick_nohz_handler"): 3_000,
        ("own", "the test's own threads"): 1_500,
        ("gap", "no event"): 500,
    }
    assert {name: ns for name, _, ns in found.phases} == {
        "interrupt is late": 30_000,
        "interrupt entry": 1_000,
        "timer function": 1_000,
        "interrupt exit": 6_000,
        "switch": 146_000,
        "to user code": 2_000,
    }
    assert (found.measured.id, found.measured.name, found.odd) == (THREAD, NAME, 0)
    verdict = verdict_of(found)
    assert verdict.startswith("186 us: 100 us ksoftirqd/1 (normal), 40 us softirq NET_RX, 30 us until the timer")
    assert verdict.endswith("500 ns not explained")


@pytest.mark.parametrize(("name", "whose"), [("arch_timer", "the processor's own"), ("virtio0-input", "a device")])
def test_a_kernel_without_vectors_tells_of_the_processors_own_interrupts_as_of_devices(name: str, whose: str) -> None:
    events = [
        switch(-400_000, 0, "swapper/1", left=THREAD),
        *within(50_000, 53_000, "irq", 10, name),
        waking(51_000),
        to_measured(56_000),
    ]
    found = opened(window(events, 58_000), 58_000, usual=2_000)
    (part,) = [one for one in found.parts if one.cause.kind == "interrupt"]
    assert (part.cause.name, part.cause.note, part.ns) == (name, f"interrupt of {whose}", 3_000)
    assert found.phases[0][0::2] == ("interrupt is late", 50_000)


def test_an_idle_cpu_that_takes_the_interrupt_late() -> None:
    events = [
        switch(-400_000, 0, "swapper/1", left=THREAD),
        *within(50_000, 53_000, "vector", 236, "local_timer"),
        waking(51_000),
        to_measured(56_000),
    ]
    found = opened(window(events, 58_000), 58_000, usual=2_000)
    assert shares(found)["late", "idle"] == 50_000
    assert shares(found)["switch", "idle"] == 3_000
    assert shares(found)["own", "the test's own threads"] == 2_000
    assert "hypervisor" in found.parts[0].cause.note


def test_before_the_thread_is_due_no_interrupt_is_late() -> None:
    events = [
        switch(-400_000, 0, "swapper/1", left=THREAD),
        *within(50_000, 53_000, "vector", 236, "local_timer"),
        waking(51_000),
        to_measured(56_000),
    ]
    found = opened(window(events, 58_000), 58_000, usual=2_000)
    before = [(piece.begin, piece.end, piece.cause.kind) for piece in found.around if piece.begin <= 0]
    assert before == [(-500_000, -400_000, "own"), (-400_000, 0, "idle"), (0, 50_000, "late")]


def test_time_in_which_nothing_was_recorded_is_not_explained() -> None:
    found = opened(window([to_measured(-9_000)], 50_000), 50_000, usual=100, periodic=False)
    assert shares(found) == {("own", "the test's own threads"): 100, ("gap", "no event"): 49_900}
    assert "49.9 us not explained (nothing was recorded: hypervisor" in verdict_of(found)


def test_without_any_event_the_measured_thread_has_been_running() -> None:
    found = opened(window([], 5_000), 5_000, usual=4_000, periodic=False)
    assert shares(found) == {("own", "the test's own threads"): 4_000, ("gap", "no event"): 1_000}


def test_another_real_time_thread_of_the_test_is_no_stranger() -> None:
    events = [switch(-9_000, THREAD + 1, NAME, LEVEL + 1, left=0), to_measured(4_000, left=THREAD + 1, state="S")]
    found = opened(window(events, 6_000), 6_000, usual=6_000, periodic=False)
    assert shares(found) == {("own", "the test's own threads"): 6_000}
    stranger = [switch(-9_000, 77, NAME, 120, left=0), to_measured(4_000, left=77)]
    assert shares(opened(window(stranger, 6_000), 6_000, periodic=False))["thread", NAME] == 4_000


def test_a_normal_thread_ahead_of_a_ready_real_time_one() -> None:
    events = [
        to_measured(-50_000),
        switch(10_000, 900, "stress", 120, left=THREAD, state="R+"),
        to_measured(60_000, left=900),
    ]
    found = opened(window(events, 62_000), 62_000, usual=12_000, periodic=False)
    assert shares(found)["fair-server", "stress"] == 50_000
    assert "fair server" in verdict_of(found)
    events[1:] = [switch(10_000, 0, "swapper/1", 120, left=THREAD, state="R"), to_measured(60_000)]
    assert shares(opened(window(events, 62_000), 62_000, usual=12_000, periodic=False))["throttled", "idle"] == 50_000
    events[1:] = [switch(10_000, 900, "stress", 120, left=THREAD, state="S"), to_measured(60_000, left=900)]
    assert shares(opened(window(events, 62_000), 62_000, usual=12_000, periodic=False))["thread", "stress"] == 50_000


def test_interrupts_that_began_before_the_window_or_did_not_end() -> None:
    nested = [event(2_000, "irq-exit", 9, "eth0"), event(3_000, "vector-exit", 236, "local_timer")]
    found = opened(window([*nested, to_measured(5_000, left=THREAD)], 9_000, before=0), 9_000, periodic=False)
    assert shares(found)["interrupt", "eth0"] == 2_000
    assert shares(found)["interrupt", "local_timer"] == 1_000
    assert found.odd == 0
    endless = [to_measured(-9), event(2_000, "vector-entry", 236, "local_timer")]
    assert shares(opened(window(endless, 9_000), 9_000, periodic=False))["interrupt", "local_timer"] == 7_000


def test_a_softirq_that_is_switched_away_from_goes_on_later() -> None:
    events = [
        switch(-9_000, 15, "ksoftirqd/1", 120),
        event(1_000, "softirq-entry", 3, "NET_RX"),
        switch(4_000, 16, "rcuc/1", 98, left=15, state="R"),
        switch(6_000, 15, "ksoftirqd/1", 120, left=16),
        event(9_000, "softirq-exit", 3, "NET_RX"),
        to_measured(10_000, left=15),
    ]
    found = opened(window(events, 11_000), 11_000, periodic=False)
    assert shares(found)["softirq", "NET_RX"] == 6_000
    assert shares(found)["thread", "rcuc/1"] == 2_000
    assert shares(found)["thread", "ksoftirqd/1"] == 2_000
    assert found.odd == 0


def test_what_does_not_fit_together_is_counted() -> None:
    events = [
        to_measured(-9_000),
        event(1_000, "vector-entry", 236, "local_timer"),
        event(1_500, "irq-entry", 4, "uart"),
        event(2_000, "vector-exit", 236, "local_timer"),  # the exit of uart is missing
        event(3_000, "irq-exit", 7, "disk"),  # its entry is missing
        switch(4_000, 900, "cc1", left=THREAD + 5),  # so is the switch to that thread
        to_measured(5_000, left=900),
    ]
    assert opened(window(events, 9_000), 9_000, periodic=False).odd == 3


def test_a_thread_that_was_pushed_aside_was_not_woken() -> None:
    events = [waking(-90_000), to_measured(-80_000), switch(1_000, 3, "migration/1", 0, left=THREAD, state="R")]
    found = opened(window([*events, to_measured(9_000, left=3)], 10_000), 10_000)
    assert [(name, ns) for name, _, ns in found.phases] == [("to user code", 10_000)]
    assert shares(found)["thread", "migration/1"] == 8_000
    assert not any(kind == "late" for kind, _ in shares(found))


def test_a_thread_that_is_due_again_before_it_has_gone_to_sleep() -> None:
    events = [
        to_measured(-400_000, left=900),
        *within(300_000, 310_000, "vector", 236, "local_timer"),
        *within(301_000, 303_000, "timer", 0, "hrtimer_wakeup"),
        waking(302_000),
    ]
    found = opened(window(events, 315_000), 315_000, usual=5_000)
    assert shares(found)["late", "the test's own threads"] == 300_000
    assert shares(found)["own", "the test's own threads"] == 5_000
    assert {name: ns for name, _, ns in found.phases} == {
        "interrupt is late": 300_000,
        "interrupt entry": 1_000,
        "timer function": 1_000,
        "interrupt exit": 8_000,
        "to user code": 5_000,
    }


def test_a_thread_that_is_not_preempted_is_told_from_one_that_was_chosen() -> None:
    found = opened(late_wakeup(), 186_000)
    words = {part.cause.name: phrase(part.cause) for part in found.parts if part.cause.kind == "thread"}
    assert words == {"hackbench": "hackbench (normal, not pre-empted)", "ksoftirqd/1": "ksoftirqd/1 (normal)"}


def test_a_switch_from_idle_that_was_not_recorded() -> None:
    events = [
        switch(-400_000, 0, "swapper/1", left=THREAD),
        *within(50_000, 53_000, "vector", 236, "local_timer"),
        waking(51_000),
        switch(80_000, 0, "swapper/1", left=THREAD),
    ]
    for known in (events, events[:-1]):  # by what follows, or by nothing but the waking
        found = opened(window(known, 58_000), 58_000)
        assert (found.measured.id, found.measured.name, found.odd) == (THREAD, NAME, 0)
        assert shares(found) == {
            ("late", "idle"): 50_000,
            ("interrupt", "local_timer"): 3_000,
            ("switch", "from idle to the thread"): 5_000,
        }
        assert [name for name, _, ns in found.phases if ns] == [
            "interrupt is late", "timer function", "interrupt exit", "switch and to user code",
        ]  # fmt: skip


def test_a_switch_from_another_thread_that_was_not_recorded() -> None:
    events = [
        switch(-400_000, 75, "worker", 110, left=THREAD),
        *within(50_000, 53_000, "vector", 236, "local_timer"),
        waking(51_000),
        switch(80_000, 75, "worker", 110, left=THREAD),
    ]
    for known, odd in ((events, 1), (events[:-1], 0)):  # by what follows, or by nothing but the waking
        found = opened(window(known, 58_000), 58_000)
        assert (found.measured.id, found.odd) == (THREAD, odd)
        assert shares(found) == {
            ("late", "worker"): 50_000,
            ("interrupt", "local_timer"): 3_000,
            ("thread", "worker"): 5_000,
        }
        assert "worker (normal, nice -10, until a switch that was not recorded)" in verdict_of(found)
        assert found.phases[-1][0] == "switch and to user code"


def test_an_interrupt_that_lasts_too_long_is_suspect() -> None:
    events = [to_measured(-9_000), *within(1_000, 401_000, "vector", 236, "local_timer")]
    verdict = verdict_of(opened(window(events, 402_000), 402_000, usual=2_000, periodic=False))
    assert verdict.startswith("402 us: 400 us interrupt local_timer (400 us of it without any event, as if the hyp")
    events += [event(200_000, "waking", 900, "cc1", other=THREAD)]
    found = opened(window(events, 402_000), 402_000, usual=2_000, periodic=False)
    assert [part.silent for part in found.parts if part.cause.kind == "interrupt"] == [201_000]


def test_threads_that_the_window_does_not_name() -> None:
    one = window([switch(5_000, 900, "", left=77), to_measured(6_000, left=900)], 7_000)
    unknown = {part.cause.name for part in opened(one, 7_000, periodic=False).parts}
    assert "thread 77" in unknown
    named = open_up(one, CLOCK, 7_000, 1_500, False, {77: Task(77, "cc1", 120)})
    assert "cc1" in {part.cause.name for part in named.parts}


def test_a_wakeup_from_another_cpu() -> None:
    events = [
        switch(-400_000, 0, "swapper/1", left=THREAD),
        *within(20_000, 26_000, "vector", 236, "local_timer", cpu=0),
        *within(21_000, 24_000, "timer", 0, "hrtimer_wakeup", cpu=0),
        waking(22_000, cpu=0),
        *within(23_000, 24_000, "vector", 253, "reschedule"),
        to_measured(25_000),
    ]
    found = opened(window(events, 27_000), 27_000)
    assert [name for name, _, ns in found.phases if ns] == [
        "interrupt is late", "interrupt entry", "timer function", "switch", "to user code",
    ]  # fmt: skip
    assert shares(found)["late", "idle"] == 20_000
    assert shares(found)["interrupt", "reschedule"] == 1_000


@pytest.mark.parametrize(
    "clock",
    [
        replace(CLOCK, rate_num=2_096_000_000, anchor_stamp=5_000_000_000_000),
        replace(CLOCK, width=32, anchor_stamp=2**32 - 20_000),
        replace(CLOCK, direction=-1, anchor_stamp=ORIGIN),
        replace(CLOCK, rate_num=24_000_000_000, rate_den=1_000, width=32, direction=-1, anchor_stamp=300),
    ],
)
def test_every_clock_tells_the_same(clock: object) -> None:
    assert isinstance(clock, type(CLOCK))
    plain = opened(late_wakeup(), 186_000)
    other = open_up(of_clock(clock, late_wakeup()), clock, 186_000, 1_500, True)
    assert sum(part.ns for part in other.parts) == 186_000
    step = max(1, clock.ns_per_tick)
    assert {key: pytest.approx(ns, abs=3 * step) for key, ns in shares(plain).items()} == shares(other)


@pytest.mark.parametrize("total", [1, 100_000, 185_999, 186_000, 186_020, 190_000])
def test_the_parts_add_up_to_the_sample_by_any_clock(total: int) -> None:
    opened(late_wakeup(), total)


_EVENTS = st.builds(
    event,
    st.integers(-600_000, 300_000),
    st.sampled_from(["switch", "waking", *(f"{k}-{e}" for k in ("irq", "softirq", "vector") for e in ("entry", "exit")),
                     "timer-due", "timer-exit"]),
    st.sampled_from([0, 3, THREAD, 900]),
    st.sampled_from(["", NAME, "swapper/1", "x"]),
    st.sampled_from([0, 1]),
    st.sampled_from([-1, 0, LEVEL, 120]),
    other=st.sampled_from([0, THREAD, 900]),
    prev_state=st.sampled_from(["", "R", "S", "R+"]),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(_EVENTS, max_size=40), st.integers(1, 200_000), st.booleans())
def test_any_events_at_all_add_up(events: list[KernelEvent], total: int, periodic: bool) -> None:
    opened(window(events, 150_000), total, periodic=periodic)
