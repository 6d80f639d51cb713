"""What a test does in a guest where the user does not say it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rtgauge.lab.defaults import FEW, in_a_guest
from rtgauge.lab.systems import lab
from rtgauge.model import Descriptor, ParamInfo, SeriesInfo
from rtgauge.plan import combinations

SERIES = (SeriesInfo("", "ns", "", "", "", "", "os", ()),)
SOURCE = ParamInfo("source", "choice", "timer", "timer hpet counter hrtimer", "")


def descriptor(name: str, samples: int = 1000, params: tuple[ParamInfo, ...] = (), about_ns: int = 1000) -> Descriptor:
    return Descriptor(name, "", "", (), (samples, 10 * samples, 100 * samples), about_ns, 0, params, SERIES)


def swept(one: Descriptor, **named: list[str]) -> list[dict[str, Any]]:
    return list(combinations(one, named))


def test_interrupts_come_from_a_source_of_their_own() -> None:
    one = in_a_guest(
        descriptor("IRQ-P-LAT", params=(SOURCE, ParamInfo("from", "choice", "thread due", "", ""))), "hpet"
    )
    assert one.params[0].sweep == "hpet"
    assert one.params[0].legal == SOURCE.legal
    assert one.params[1].sweep == "thread due"
    assert swept(in_a_guest(descriptor("IRQ-P-LAT", params=(SOURCE,)), "hpet"), source=["timer"]) == [
        {"source": "timer"}
    ]


def test_without_the_module_nothing_of_it_changes() -> None:
    assert in_a_guest(descriptor("IRQ-P-LAT", params=(SOURCE,)), None).params == (SOURCE,)


def test_a_test_that_does_not_know_the_source_keeps_its_own() -> None:
    other = ParamInfo("source", "choice", "a", "a b", "")
    assert in_a_guest(descriptor("TMR-P-CYC", params=(other,)), "hpet").params == (other,)


def test_the_sustained_frequency_is_asked_for_at_both_levels() -> None:
    level = ParamInfo("level", "choice", "thread", "thread handler", "")
    one = in_a_guest(descriptor("IRQ-S-SUS", params=(SOURCE, level)), "counter")
    assert [params["level"] for params in swept(one)] == ["thread", "handler"]
    assert in_a_guest(descriptor("IRQ-S-SUS", params=(SOURCE, level)), None).params[1] == level
    assert in_a_guest(descriptor("IRQ-P-DLT", params=(SOURCE, level)), "counter").params[1] == level


def test_the_profile_quick_takes_fewer_samples() -> None:
    assert in_a_guest(descriptor("THR-P-SLS", 10000), None).samples == (250, 100000, 1000000)
    assert in_a_guest(descriptor("THR-P-SLS", 500), None).samples[0] == 50
    assert in_a_guest(descriptor("THR-P-SLS", 30), None).samples[0] == 30
    assert in_a_guest(descriptor("SIG-P-QUE", 100, about_ns=100_000), None).samples[0] == 20
    assert in_a_guest(descriptor("MUT-B-PRI", 15), None).samples[0] == 15
    assert in_a_guest(descriptor("SEM-B-ALL", 400), None).samples == (100, 4000, 40000)


def test_tests_that_would_take_long_are_given_their_number() -> None:
    assert in_a_guest(descriptor("THR-B-RR", 15), None).samples[0] == FEW["THR-B-RR"] == 6
    assert in_a_guest(descriptor("MEM-P-ALC", 500), None).samples[0] == FEW["MEM-P-ALC"]
    assert in_a_guest(descriptor("MEM-P-ALC", 5), None).samples[0] == 5


def test_what_is_proven_by_all_samples_takes_fewer_as_a_standard() -> None:
    assert in_a_guest(descriptor("IRQ-S-SUS", 1000), None).samples == (1000, 10_000, 100_000)
    long = replace(descriptor("IRQ-S-SUS"), samples=(1000, 1_000_000, 1_000_000))
    assert in_a_guest(long, None).samples == (1000, 10_000, 1_000_000)
    cyclic = replace(descriptor("TMR-P-CYC"), samples=(10_000, 60_000, 3_600_000))
    assert in_a_guest(cyclic, None).samples == (250, 10_000, 3_600_000)


def test_each_board_names_a_source_that_the_module_has() -> None:
    sources = {board.source for board in lab().boards.values()} - {""}  # of boards without Linux
    assert sources <= {"hpet", "counter"}
