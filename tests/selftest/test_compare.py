from __future__ import annotations

import pytest

from rtgauge.selftest.compare import Differences, alike, differences
from rtgauge.selftest.expected import Expectation, adds, caught, gives, says, unexpected
from rtgauge.selftest.seen import Fact, Seen, owner_of

SLS = "THR-P-SLS threads=2"


@pytest.mark.parametrize(
    ("fact", "known", "seen", "same"),
    [
        ("median", 800.0, 810.0, True),
        ("median", 800.0, 811.0, False),
        ("max", 800.0, 3110.0, True),
        ("max", 800.0, 3111.0, False),
        ("lost", 0, 1, False),
        ("negatives", 0, 1, False),
        ("resolution", 10, 1, False),
        ("evidence tick_ns", 999_998, 1_000_040, True),
        ("evidence tick_ns", 999_998, 1_000_400, False),
        ("status", "ok", "ok", True),
        ("status", "ok", "invalid", False),
        ("min", 800.0, None, False),
        ("evidence order_violations", 0, 11, False),
    ],
)
def test_what_counts_as_equal(fact: str, known: Fact, seen: Fact, same: bool) -> None:
    assert alike(SLS, fact, known, seen) is same


def test_absent_figures_of_a_broken_result_need_no_word() -> None:
    known: Seen = {SLS: {"status": "ok", "min": 800.0}}
    assert differences(known, {SLS: {"status": "invalid: order"}}) == {SLS: {"status": ("ok", "invalid: order")}}
    assert differences(known, {SLS: {"status": "ok"}}) == {SLS: {"min": (800.0, None)}}
    assert differences(known, {}) == {SLS: {"status": ("ok", None)}}
    assert differences({}, known) == {SLS: {"status": (None, "ok"), "min": (None, 800.0)}}


def test_signs() -> None:
    found: Differences = {SLS: {"max": (800.0, 50_800.0), "status": ("ok", "invalid: x")}}
    assert caught(adds("THR-P-SLS *", "max", 1000.0), found, 50) == [(SLS, "max", 50_800.0)]
    assert caught(adds("THR-P-SLS *", "max", 1000.0), found, 51) == []
    assert caught(gives("THR-P-SLS *", "max", 1000.0), found, 50) == []
    assert caught(gives("THR-P-SLS *", "status", 1000.0), found, 50) == []
    assert caught(says("THR-P-SLS *", "status", "^invalid"), found, 0) == [(SLS, "status", "invalid: x")]
    assert caught(says("THR-P-NEW *", "status", "^invalid"), found, 0) == []


def test_who_may_notice() -> None:
    found: Differences = {SLS: {"max": (800.0, 50_800.0)}, "engine CLK-P-DUR": {"ended": (None, "killed")}}
    own = Expectation((says("THR-P-SLS *", "max", "."), says("engine CLK-P-DUR", "ended", ".")))
    assert unexpected(own, found) == {}
    assert set(unexpected(Expectation(()), found)) == {"THR-P-SLS", "CLK-P-DUR"}
    assert set(unexpected(Expectation((), ("*:max",)), found)) == {"CLK-P-DUR"}
    assert set(unexpected(Expectation((), ("THR-*:min", "CLK-*")), found)) == {"THR-P-SLS"}


def test_names_belong_to_tests() -> None:
    assert [owner_of(name) for name in (SLS, "clock", "trace THR-B-RR", "engine THR-B-RR", "THR-B-RR")] == [
        "THR-P-SLS",
        "clock",
        "THR-B-RR",
        "THR-B-RR",
        "THR-B-RR",
    ]
