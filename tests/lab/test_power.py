"""With the few samples that behaviour tests take in a guest they still see every fault that they are to see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rtgauge.lab.defaults import FEW, in_a_guest
from rtgauge.model import Descriptor
from rtgauge.plan import Plan, make_plan
from rtgauge.selftest import measure
from rtgauge.selftest.compare import differences
from rtgauge.selftest.expected import EXPECTED, missing
from rtgauge.selftest.measure import Look, look
from rtgauge.selftest.run import load_known
from rtgauge.selftest.seen import owner_of

BEHAVIOUR = tuple(name for name in FEW if "-B-" in name)
FAULTS = {
    fault: expected
    for fault, expected in EXPECTED.items()
    if any(owner_of(s.result) in BEHAVIOUR for s in expected.must)
}


@pytest.fixture
def as_in_a_guest(monkeypatch: pytest.MonkeyPatch, engine_fake: Path) -> None:
    assert engine_fake.exists()

    def plan_of(descriptors: Sequence[Descriptor], *rest: Any) -> Plan:
        return make_plan([in_a_guest(one, None) for one in descriptors if one.id in BEHAVIOUR], *rest)

    monkeypatch.setattr(measure, "make_plan", plan_of)


def blind(one: Look, fault: str) -> list[str]:
    found = differences(load_known(), one.seen)
    return [str(s) for s in missing(FAULTS[fault], found, one.k) if owner_of(s.result) in BEHAVIOUR]


@pytest.mark.usefixtures("as_in_a_guest")
@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_seen(fault: str) -> None:
    assert blind(look(fault), fault) == []


@pytest.mark.usefixtures("as_in_a_guest")
def test_a_correct_system_passes() -> None:
    seen = {name: facts for name, facts in look(None).seen.items() if "part=" not in name}
    assert {str(facts["status"]) for facts in seen.values()} <= {"pass", "not-supported"}
    assert {owner_of(name) for name in seen} == set(BEHAVIOUR)


@pytest.mark.usefixtures("as_in_a_guest")
def test_the_rarest_leak_that_is_seen_is_one_in_each_quarter() -> None:
    assert blind(look("leak:300"), "leak") == []
    assert blind(look("leak:700"), "leak") != []  # so that this test can fail
