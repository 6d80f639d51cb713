"""Samples laid over the kernel's events: a recording in which all is well, then one thing changed at a time."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from _matching import (
    Match,
    containment_flaws,
    match,
    order_flaws,
    party_flaws,
    rate_flaws,
    waking_to_switch,
)
from _side_by_side import blocking, in_turn, releasing
from _tracefs import Switches, Wakings, parse_switches, parse_wakings
from tests.bench.conftest import DATA

TEXT = (DATA / "sched.txt").read_text()
SWITCHES, WAKINGS = parse_switches(TEXT), parse_wakings(TEXT)
DRIVER = 27168


def samples(series: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    stored = json.loads((DATA / "sched-samples.json").read_text())[series]
    start, stop, waiters = (np.array(stored[key], dtype=np.int64) for key in ("start", "stop", "waiters"))
    return start, stop, waiters


def matched(series: str, switches: Switches = SWITCHES, shift: int = 0) -> Match:
    start, stop, waiters = samples(series)
    return match(start + shift, stop + shift, waiters, switches)


def without(switches: Switches, *which: int) -> Switches:
    return Switches(
        np.delete(switches.at, which),
        np.delete(switches.to, which),
        np.delete(switches.priority, which),
        np.delete(switches.command, which),
    )


@pytest.mark.parametrize(("series", "parts"), [("acquire", blocking), ("release", releasing)])
def test_a_recording_in_which_all_is_well(series: str, parts: object) -> None:
    found = matched(series)
    assert (len(found.start), found.without, found.disturbed) == (12, 0, 0)
    assert containment_flaws(found) == []
    assert callable(parts)
    assert parts(found, WAKINGS)[0] == []
    assert np.median(found.ours / found.kernel) == pytest.approx(1, abs=0.15)


def test_the_first_acquire_by_hand() -> None:
    found = matched("acquire")
    assert (found.starter[0], found.stopper[0]) == (27169, DRIVER)
    assert (found.switch[0], found.kernel[0]) == (31571072870947, 31571072870947 - 31571072862133)
    assert found.ours[0] == 31571072873573 - 31571072866085


@pytest.mark.parametrize("shift", [-9000, -3500, 5500, 9000])
def test_stamps_of_another_time_are_found_out(shift: int) -> None:
    """Some 1 or 2 us are enough: then a switch falls out of its sample. Where the one before or after it falls in,
    the threads are not the right ones."""
    for series, parts in (("acquire", blocking), ("release", releasing)):
        found = matched(series, shift=shift)
        assert containment_flaws(found) + parts(found, WAKINGS)[0]


def test_a_sample_without_a_switch() -> None:
    start, stop, _ = samples("release")
    inside = int(np.flatnonzero((SWITCHES.at > start[0]) & (SWITCHES.at < stop[0]))[0])
    found = matched("release", without(SWITCHES, inside))
    assert (len(found.start), found.without) == (11, 1)
    assert containment_flaws(found) == ["1 of 12 samples hold no switch"]


def test_another_thread_within_a_sample() -> None:
    start, _, _ = samples("release")
    at = np.append(SWITCHES.at, [start[0] + 10, start[0] + 20])
    order = np.argsort(at)
    other = Switches(
        at[order],
        np.append(SWITCHES.to, [1, DRIVER])[order],
        np.append(SWITCHES.priority, [120, 98])[order],
        np.append(SWITCHES.command, ["other", "rtgauge-engine"])[order],
    )
    found = matched("release", other)
    assert (len(found.start), found.disturbed) == (11, 1)
    assert containment_flaws(found) == ["1 of 12 samples hold more than one switch"]
    many = replace(found, **{name: np.repeat(getattr(found, name), 9) for name in ("start", "starter", "stopper")})
    assert containment_flaws(many) == []  # one in a hundred is a guest, not a flaw


def test_no_events_at_all() -> None:
    found = matched("release", parse_switches(""))
    assert (len(found.start), found.without) == (0, 12)
    assert containment_flaws(found) == ["12 of 12 samples hold no switch"]


def test_the_wrong_thread() -> None:
    found = matched("release")
    wrong = replace(found, stopper=np.where(found.aux == 2, found.stopper[0], found.stopper))
    assert releasing(wrong, WAKINGS)[0][0] == "the waiters: 3 different threads by the kernel, 4 expected"
    assert blocking(replace(found, stopper=found.starter + np.arange(12)), WAKINGS)[0][0].startswith("the driver: 12")
    assert containment_flaws(replace(found, stopper=found.starter))[0].startswith("in 12 samples")


def test_the_released_waiter_must_be_the_highest() -> None:
    aux = np.array([3, 2, 1, 3, 2, 1])
    assert order_flaws(aux, np.array([10, 20, 30, 10, 20, 30])) == []
    assert "not always the highest" in order_flaws(aux, np.array([30, 20, 10, 30, 20, 10]))[0]
    assert "not always the highest" in order_flaws(aux, np.array([10, 10, 30, 10, 10, 30]))[0]
    assert "different priorities" in order_flaws(aux, np.array([10, 20, 30, 20, 10, 30]))[0]
    assert order_flaws(np.array([], dtype=np.int64), np.array([], dtype=np.int64)) == []


def test_waking_to_switch() -> None:
    found = matched("release")
    delays, missing = waking_to_switch(found, WAKINGS)
    assert missing == 0
    assert len(delays) == 12
    assert np.all((delays > 0) & (delays < found.ours))
    first = np.flatnonzero(WAKINGS.at > found.start[0])[0]
    assert delays[0] == found.switch[0] - WAKINGS.at[first]
    others = Wakings(WAKINGS.at, WAKINGS.of + 100)
    assert waking_to_switch(found, others)[1] == 12
    assert releasing(found, others)[0] == ["in 12 samples the kernel did not wake the thread that ran next"]


def test_a_ring_of_two() -> None:
    found = matched("release")
    two = replace(found, starter=np.tile([1, 2], 6), stopper=np.tile([2, 1], 6))
    assert in_turn(two, WAKINGS) == ([], "")
    assert party_flaws("the ring", two.starter, 3) == ["the ring: 2 different threads by the kernel, 3 expected"]


def test_the_rate_of_the_clock() -> None:
    assert rate_flaws(0.3852, 0.3852 * 1.0005) == []
    assert rate_flaws(0.3852, 0.3852 * 1.01)[0].endswith("by 0.99%")
