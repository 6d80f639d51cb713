"""What a test does in a guest where the user does not say it: fewer samples, and interrupts of a source of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rtgauge.model import Descriptor, ParamInfo

FEWER, LEAST = 10, 100
SLOW_NS, SLOW_LEAST = 50_000, 20  # of tests whose samples take long
SOURCE = "source"  # a parameter of the tests of interrupts
_EVERY: Mapping[tuple[str, str], str] = {("IRQ-S-SUS", "level"): "thread handler"}  # a source of its own has both


def in_a_guest(descriptor: Descriptor, source: str | None) -> Descriptor:
    """The test with its defaults in a guest. `source`: the name of a source of interrupts there beside the kernel's
    timer; legal values, and those that the user names, stay as they are."""
    return _by_source(_fewer(descriptor), source) if source else _fewer(descriptor)


def _fewer(descriptor: Descriptor) -> Descriptor:
    """The profile quick takes fewer samples in a guest: where nothing disturbs them, most are the same."""
    quick, standard, full = descriptor.samples
    if "-B-" in descriptor.id or not descriptor.series:
        return descriptor
    least = SLOW_LEAST if descriptor.about_ns >= SLOW_NS else LEAST
    return replace(descriptor, samples=(max(min(quick, least), quick // FEWER), standard, full))


def _by_source(descriptor: Descriptor, source: str) -> Descriptor:
    if not any(info.name == SOURCE and source in info.legal.split() for info in descriptor.params):
        return descriptor
    return replace(descriptor, params=tuple(_swept(descriptor.id, info, source) for info in descriptor.params))


def _swept(test: str, info: ParamInfo, source: str) -> ParamInfo:
    sweep = source if info.name == SOURCE else _EVERY.get((test, info.name), info.sweep)
    return replace(info, sweep=sweep)
