"""The engine's samples laid over the kernel's events. All times are ticks of the same counter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from _tracefs import Switches, Wakings

MOST_DISTURBED = 0.02  # share of samples in which other threads may have run as well
MOST_RATE_APART = 0.002  # the kernel's is read over a fraction of a second

Ticks = NDArray[np.int64]


@dataclass(frozen=True)
class Match:
    """The samples with exactly one switch inside, each with that switch and the one before it.

    `kernel` is the distance of these two: from the thread that will take the start stamp being put on the CPU to the
    thread that will take the stop stamp being put there.
    """

    start: Ticks
    stop: Ticks
    aux: NDArray[np.int64]
    switch: Ticks
    kernel: Ticks
    starter: NDArray[np.int64]  # pid of who ran at the start
    stopper: NDArray[np.int64]  # and at the stop
    starter_priority: NDArray[np.int64]  # as the kernel counts
    stopper_priority: NDArray[np.int64]
    without: int  # samples with no switch inside
    disturbed: int  # with more than one: another thread ran as well

    @property
    def ours(self) -> Ticks:
        return self.stop - self.start


def match(start: Ticks, stop: Ticks, aux: NDArray[np.int64], switches: Switches) -> Match:
    first = np.searchsorted(switches.at, start, "right")
    after = np.searchsorted(switches.at, stop, "right")
    inside = after - first
    one = (inside == 1) & (first > 0)
    last, before = after[one] - 1, first[one] - 1
    return Match(
        start=start[one],
        stop=stop[one],
        aux=aux[one],
        switch=switches.at[last],
        kernel=switches.at[last] - switches.at[before],
        starter=switches.to[before],
        stopper=switches.to[last],
        starter_priority=switches.priority[before],
        stopper_priority=switches.priority[last],
        without=int(np.sum(inside == 0)),
        disturbed=int(np.sum(inside > 1)),
    )


def containment_flaws(matched: Match) -> list[str]:
    """What is wrong when every sample should hold one switch between two different threads."""
    flaws = []
    total = len(matched.start) + matched.without + matched.disturbed
    if matched.without:
        flaws.append(f"{matched.without} of {total} samples hold no switch")
    if matched.disturbed > MOST_DISTURBED * total:
        flaws.append(f"{matched.disturbed} of {total} samples hold more than one switch")
    if same := int(np.sum(matched.starter == matched.stopper)):
        flaws.append(f"in {same} samples the kernel switched to the thread that ran already")
    return flaws


def rate_flaws(ours: float, theirs: float) -> list[str]:
    """ns of one tick, as the engine and as the kernel have it."""
    apart = abs(ours / theirs - 1)
    return [f"the clock's rate differs from the kernel's by {apart:.2%}"] if apart > MOST_RATE_APART else []


def party_flaws(what: str, pids: NDArray[np.int64], wanted: int) -> list[str]:
    """Exactly `wanted` different threads must have played this part."""
    found = len(np.unique(pids))
    return [] if found == wanted else [f"{what}: {found} different threads by the kernel, {wanted} expected"]


def order_flaws(aux: NDArray[np.int64], priority: NDArray[np.int64]) -> list[str]:
    """With one more waiter the highest one must stand higher: the kernel's number of its priority is smaller."""
    waiters = np.unique(aux)
    levels = [np.unique(priority[aux == n]) for n in waiters]
    if any(len(level) != 1 for level in levels):
        return ["the same number of waiters was released to threads of different priorities"]
    if np.any(np.diff([level[0] for level in levels]) >= 0):
        return ["by the kernel's priorities the released waiter was not always the highest"]
    return []


def waking_to_switch(matched: Match, wakings: Wakings) -> tuple[Ticks, int]:
    """Ticks from the waking of the thread that stops the sample to the switch to it, and how many samples have none.

    Counted is the last waking of that thread between start stamp and switch."""
    delays: list[int] = []
    missing = 0
    first = np.searchsorted(wakings.at, matched.start, "left")
    after = np.searchsorted(wakings.at, matched.switch, "right")
    for low, high, pid, switch in zip(first, after, matched.stopper, matched.switch, strict=True):
        own = wakings.at[low:high][wakings.of[low:high] == pid]
        if len(own):
            delays.append(int(switch - own[-1]))
        else:
            missing += 1
    return np.array(delays, dtype=np.int64), missing
