"""What a test does in a guest where the user does not say it: fewer samples, and interrupts of a source of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rtgauge.model import Descriptor, ParamInfo

FEWER, LEAST = 10, 100
SLOW_NS, SLOW_LEAST = 50_000, 20  # of tests whose samples take long
SOURCE = "source"  # a parameter of the tests of interrupts
_LONG = "IRQ-S-SUS"  # all samples again for each period that fails: the profile standard takes fewer, too
_EVERY: Mapping[tuple[str, str], str] = {(_LONG, "level"): "thread handler"}  # a source of its own has both


def in_a_guest(descriptor: Descriptor, source: str | None) -> Descriptor:
    """The test with its defaults in a guest. `source`: the name of a source of interrupts there beside the kernel's
    timer; legal values, and those that the user names, stay as they are."""
    return _by_source(_fewer(descriptor), source) if source else _fewer(descriptor)


def _fewer(descriptor: Descriptor) -> Descriptor:
    """The profile quick takes fewer samples in a guest: where nothing disturbs them, most are the same."""
    quick, standard, full = descriptor.samples
    if "-B-" in descriptor.id or not descriptor.series:  # some need all of the few that they take
        return replace(descriptor, samples=(min(quick, LEAST), standard, full))
    least = SLOW_LEAST if descriptor.about_ns >= SLOW_NS else LEAST
    usual = standard // FEWER if descriptor.id == _LONG else standard
    return replace(descriptor, samples=(max(min(quick, least), quick // FEWER), usual, full))


def _by_source(descriptor: Descriptor, source: str) -> Descriptor:
    if not any(info.name == SOURCE and source in info.legal.split() for info in descriptor.params):
        return descriptor
    return replace(descriptor, params=tuple(_swept(descriptor.id, info, source) for info in descriptor.params))


def _swept(test: str, info: ParamInfo, source: str) -> ParamInfo:
    sweep = source if info.name == SOURCE else _EVERY.get((test, info.name), info.sweep)
    return replace(info, sweep=sweep)
