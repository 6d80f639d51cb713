"""Every published figure has its place in the catalogue, in words that the catalogue has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from rtgauge.model import Descriptor
from rtgauge.reference import rows
from rtgauge.reference.mapping import Place, place
from rtgauge.reference.systems import Figure, figures
from rtgauge.targets import open_target
from rtgauge.units import parse_duration

TESTS = Path(__file__).resolve().parents[2] / "engine" / "tests"

# What the reports print of a test beside the samples that we take: read off them, or set before.
DERIVED = {
    "set-up": "a value that was chosen",
    "exposure": "how long, or how much",
    "resolution": "the least step of the stamps",
    "all": "over all parts",
    "ratio": "of two parts",
    "tick": "distance of the tick's band",
    "clean": "samples without a tick",
    "hit": "samples with a tick",
    "hit-rate": "samples for each tick",
    "tick-outliers": "samples in the worst band",
    "expiry": "distance of the band with expiries",
    "blocking": "maximum minus average",
}
# Forms that we do not measure, so that no figure of ours ever stands beside them.
NOT_OURS = {
    ("CAL-P-CPU", "result", "ratio"),
    ("MUT-P-ARN", "kind", "critical-section"),
    ("MUT-P-ARN", "kind", "mutex-object"),
    ("IRQ-P-TLT", "from", "handler-entry"),
    ("IRQ-P-TLT", "from", "interrupt"),
    ("SEM-P-ARC", "part", "hand-off"),
    ("MUT-P-ARN", "part", "pair"),
    ("MUT-P-INV", "part", "contended"),
    ("MSG-P-LAT", "part", "ipc-call"),
}
# Small numbers and facts within our results, not parameters of them.
WITHIN = {
    ("IRQ-S-SUS", "interrupts"),
    ("IRQ-S-SUS", "period"),
    ("CLK-P-DUR", "expiries"),
    ("API-B-PSX", "standard"),
    ("SYS-B-ARC", "class"),
}
CHECKS_READ_OFF = {"kernel-entry", "tick", "present"}  # told by evidence or statistics, not by a check of this name
ENVIRONMENT = {"load", "cache", "cpus", "memory", "tick"}


@pytest.fixture(scope="module")
def catalogue(engine_fake: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Descriptor]:
    assert engine_fake.exists()
    described = open_target("fake", tmp_path_factory.mktemp("store")).describe().descriptors
    return {one.id: one for one in described}


def complaints(at: Place, catalogue: Mapping[str, Descriptor]) -> list[str]:
    if at.kind != "test":
        return []
    if at.id not in catalogue:
        return [f"no test {at.id}"]
    test = catalogue[at.id]
    found = [f"{at.id} has no environment {name}" for name in at.environment if name not in ENVIRONMENT]
    legal = {info.name: info for info in test.params}
    for name, value in at.params.items():
        if (at.id, name) in WITHIN or (at.id, name, value) in NOT_OURS:
            continue
        if name not in legal:
            found.append(f"{at.id} has no parameter {name}")
        elif not all(within(legal[name].kind, legal[name].legal, one) for one in value.split("..")):
            found.append(f"{at.id}: {name}={value} is not legal")
    parts = {one.name for one in test.series} | set(DERIVED) | {""}
    if at.part not in parts and (at.id, "part", at.part) not in NOT_OURS:
        found.append(f"{at.id} has no part {at.part}")
    return found


def within(kind: str, legal: str, value: str) -> bool:
    if kind == "choice":
        return value in legal.split()
    low, high = legal.split("..")
    read = parse_duration if kind == "duration" else int
    return read(low) <= read(value) <= read(high)


def test_every_row_has_its_place() -> None:
    lost = [(one.published_id, one.scenario) for one in figures() if one.place is None]
    assert not lost


def test_a_row_that_no_line_knows_has_none() -> None:
    assert place({**rows("published")[0], "scenario": "something new"}) is None
    assert place({**rows("published")[0], "test_id": "NEW-P-ONE"}) is None


def test_places_are_in_the_catalogue(catalogue: Mapping[str, Descriptor]) -> None:
    found = {text for one in figures() if one.place for text in complaints(one.place, catalogue)}
    assert not found


@pytest.mark.parametrize(
    "wrong",
    [
        Place("test", "THR-P-XXX"),
        Place("test", "THR-P-SLS", {"threds": "2"}),
        Place("test", "THR-P-SLS", {"threads": "1"}),
        Place("test", "THR-P-SLS", {"threads": "2..2000"}),
        Place("test", "SEM-P-ARN", {"kind": "ternary"}),
        Place("test", "SEM-P-ARN", part="borrow"),
        Place("test", "SEM-P-ARN", environment={"weather": "rain"}),
    ],
)
def test_a_place_outside_the_catalogue_is_seen(wrong: Place, catalogue: Mapping[str, Descriptor]) -> None:
    assert len(complaints(wrong, catalogue)) == 1


def test_checks_are_those_of_our_tests() -> None:
    named = {(one.place.id, one.place.check) for one in figures() if one.place and one.place.check}
    assert named
    common = "".join(path.read_text("utf-8") for path in sorted((TESTS / "common").glob("*.h")))
    for id_, check in named:
        source = (TESTS / f"{id_.lower().replace('-', '_')}.c").read_text("utf-8") + common
        assert check in CHECKS_READ_OFF or re.search(rf'"{check}"', source), f"{id_} has no check {check}"


def test_every_line_of_the_maps_is_of_use() -> None:
    used = {(one.published_id, one.place) and (one.published_id, one.scenario) for one in figures()}
    for line in (*rows("id_map"), *rows("id_map_modern")):
        pattern = ".*".join(map(re.escape, line["scenario_pattern"].split("*")))
        assert any(id_ == line["published_id"] and re.fullmatch(pattern, text) for id_, text in used), line


def one(scenario: str, system: str, statistic: str) -> Figure:
    (found,) = [
        f for f in figures() if f.scenario == scenario and f.system.startswith(system) and f.statistic == statistic
    ]
    return found


def test_the_row_itself_fills_load_and_processors() -> None:
    found = [f for f in figures() if f.published_id == "CONTEXT-SWITCH" and f.scenario == "thread to thread"]
    told = {(f.system, f.place.environment.get("load"), f.place.environment.get("cpus")) for f in found if f.place}
    assert ("solaris-8-1rt", "none", "reserved") in told
    assert ("lynxos-3.0.1", "none", "one") in told
    unstated = next(f for f in figures() if f.published_id == "CONTEXT-SWITCH")
    made = place({**rows("published")[0], **{"test_id": "CONTEXT-SWITCH", "scenario": unstated.scenario}})
    assert made
    assert made.environment == {}  # the row says neither


def test_words_of_the_reports_become_ours() -> None:
    period = next(f for f in figures() if f.scenario == "timer period 10 ms")
    assert period.place
    assert (period.place.params, period.place.part) == ({"interval": "10ms", "delivery": "signal"}, "set-up")
    tick = next(f for f in figures() if f.scenario == "busy loop")
    assert tick.place
    assert (tick.place.params, tick.place.environment) == ({"clock-variant": "plain"}, {})
