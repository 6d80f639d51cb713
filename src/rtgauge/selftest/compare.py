"""What one run says differently from another. Figures count as equal within a step of the clock, the largest sample of
a series also when it holds an interrupt more or less: where ticks fall depends on all that ran before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rtgauge.selftest.seen import Fact, Facts

Differences = dict[str, dict[str, tuple[Fact, Fact]]]
STEP_NS = 10.0  # one read of the fake system's stamp clock
INTERRUPTS_NS = 2_300.0  # a tick and an expiry of a timer
TICK_NS = 100.0  # by which a measured period of the tick, or its shortest and longest, may differ
SLICE_NS = 1_000_000.0  # a first slice begins anywhere within a tick
_EXACT = ("lost", "negatives", "overruns", "width", "resolution", "overhead", "cpu_offset")
_TOLERANCES = {
    "max": INTERRUPTS_NS + STEP_NS,
    "blocking.longest": INTERRUPTS_NS + STEP_NS,
    "ticks.contrast": 0.05,
    "slope.slope": 0.5,  # ns for each waiter
}


def differences(known: Mapping[str, Facts], seen: Mapping[str, Facts]) -> Differences:
    """By name of the result, by name of the fact: (what is known, what was seen); None for what is not there."""
    found: Differences = {}
    for name in dict.fromkeys([*known, *seen]):
        facts = dict(_unlike(name, known.get(name, {}), seen.get(name, {})))
        if facts:
            found[name] = facts
    return found


def _unlike(name: str, known: Facts, seen: Facts) -> Iterator[tuple[str, tuple[Fact, Fact]]]:
    """Where the status differs, that there are no figures needs no word."""
    other_status = known.get("status") != seen.get("status")
    for fact in dict.fromkeys([*known, *seen]):
        pair = known.get(fact), seen.get(fact)
        absent = other_status and fact != "status" and pair[1] is None
        if not absent and not alike(name, fact, *pair):
            yield fact, pair


def alike(name: str, fact: str, known: Fact, seen: Fact) -> bool:
    if isinstance(known, str) or isinstance(seen, str) or known is None or seen is None:
        return known == seen
    return abs(known - seen) <= tolerance(name, fact)


def tolerance(name: str, fact: str) -> float:
    """By how much a figure may differ and still be the same."""
    if fact in _EXACT:
        return 0.0
    if fact.startswith("evidence tick_ns"):
        return TICK_NS
    if name == "THR-B-RR part=first-slice":
        return SLICE_NS
    if name == "CLK-P-DUR clock-variant=timer" and fact == "ticks.worst":
        return INTERRUPTS_NS + STEP_NS
    return _TOLERANCES.get(fact, STEP_NS)
