"""What a test does in a guest where the user does not say it: fewer samples, and interrupts of a source of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rtgauge.model import Descriptor, ParamInfo

FEWER, LEAST = 40, 50
SLOW_NS, SLOW_LEAST = 50_000, 20  # of tests whose samples take long
BEHAVIOUR = 100  # samples of a behaviour test, at most
FEW: Mapping[str, int] = {  # of those for which that would be too many, or too few
    "CLK-P-DUR": 600,  # 15 ticks come within them
    "CPU-P-RSP": 5,  # of 10 ms each: 12 ticks
    "IRQ-S-SUS": 1000,
    "MEM-B-LEK": 64,  # 320 objects in each quarter: a leak of 16 bytes of each fills a page
    "MEM-P-ALC": 10,
    "MSG-P-THR": 10,
    "MUT-B-ARC": 1,  # what it looks for is there in each round, or in none
    "MUT-P-INV": 5,  # of 10 ms each
    "SEM-P-NEW": 20,
    "THR-B-RR": 6,  # with those that it takes beside them three rounds of slices: the least that shows their order
}
STANDARD: Mapping[str, int] = {  # of the profile standard, where one job would keep a host busy for half a minute
    "IRQ-P-DLT": 2000,  # whose threads read the clock without pause, which is slow to emulate
    "IRQ-P-LAT": 2000,
    "IRQ-P-SIM": 1000,
    "IRQ-P-TLT": 1000,
    "IRQ-S-SUS": 10_000,  # all again for each period that fails
    "NSE-P-OSN": 90_000,
    "TMR-P-CYC": 10_000,
}
SOURCE = "source"  # a parameter of the tests of interrupts
_EVERY: Mapping[tuple[str, str], str] = {("IRQ-S-SUS", "level"): "thread handler"}  # a source of its own has both


def in_a_guest(descriptor: Descriptor, source: str | None) -> Descriptor:
    """The test with its defaults in a guest. `source`: the name of a source of interrupts there beside the kernel's
    timer; legal values, and those that the user names, stay as they are."""
    return _by_source(_fewer(descriptor), source) if source else _fewer(descriptor)


def _fewer(descriptor: Descriptor) -> Descriptor:
    """The profiles take fewer samples in a guest: where nothing disturbs them, most are the same."""
    quick, standard, full = descriptor.samples
    if "-B-" in descriptor.id or not descriptor.series:  # some need all of the few that they take
        return replace(descriptor, samples=(min(quick, FEW.get(descriptor.id, BEHAVIOUR)), standard, full))
    least = SLOW_LEAST if descriptor.about_ns >= SLOW_NS else LEAST
    usual = min(standard, STANDARD.get(descriptor.id, standard))
    return replace(descriptor, samples=(min(quick, FEW.get(descriptor.id, max(least, quick // FEWER))), usual, full))


def _by_source(descriptor: Descriptor, source: str) -> Descriptor:
    if not any(info.name == SOURCE and source in info.legal.split() for info in descriptor.params):
        return descriptor
    return replace(descriptor, params=tuple(_swept(descriptor.id, info, source) for info in descriptor.params))


def _swept(test: str, info: ParamInfo, source: str) -> ParamInfo:
    sweep = source if info.name == SOURCE else _EVERY.get((test, info.name), info.sweep)
    return replace(info, sweep=sweep)
