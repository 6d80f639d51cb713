"""How a test of the engine is measured side by side with an independent instrument."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import _rttests
import cyclic
from _engine import UnmeasuredError, last_cpu, nanoseconds, run, series_of
from _figure import alternate
from _matching import Match, containment_flaws, match, order_flaws, party_flaws, rate_flaws, waking_to_switch
from _readings import Figure, Pair, Reading, reading_of
from _tracefs import CLOCK, Wakings, parse_switches, parse_wakings, recording
from rtgauge.model import Job, SeriesTrace, Trace

PRIORITY, PAIRS = 90, 6
TRACED_RUNS, TRACED_SAMPLES = 3, 6400  # about half of what the trace buffer holds


@dataclass(frozen=True)
class Measured:
    """`flaws` contradict our samples; `facts` only tell more."""

    params: Mapping[str, object]
    pairs: list[Pair]
    version: str
    flaws: tuple[str, ...] = ()
    facts: str = ""


@dataclass(frozen=True)
class Comparison:
    """Agreement: the ratio of ours to theirs, by `figure`, lies `within`; `why` says why these limits."""

    name: str
    test: str
    instrument: str
    definition: str
    within: tuple[float, float]
    why: str
    figure: Figure
    measure: Callable[[Comparison, Job], Measured]
    params: Mapping[str, str] = field(default_factory=dict)  # beyond these: the test's own first values
    series: str = ""
    samples: int | None = None  # None: those of the quick profile


# ---- cyclictest -----------------------------------------------------------------------------------------------------


def against_cyclictest(_: Comparison, job: Job) -> Measured:
    version = _rttests.version_of(cyclic.cyclictest())  # and a first run, not counted
    pairs = alternate(cyclic.ours, cyclic.theirs, PAIRS)
    p99 = np.median([us.p99 / them.p99 for us, them in pairs])
    facts = f"ratio of the 99th percentiles {p99:.3f}"
    return Measured(job.params, [(us.reading, them.reading) for us, them in pairs], version, facts=facts)


# ---- programs that hand something over between two threads ----------------------------------------------------------


def against_program(
    entry: Comparison,
    job: Job,
    *,
    theirs: Callable[[], tuple[Reading, str]],
    times: float = 1.0,
) -> Measured:
    """`times`: how many of their figures one of ours holds."""

    def ours() -> Reading:
        trace = run(job, level=PRIORITY - 1)
        return reading_of(nanoseconds(trace, trace.tests[0], entry.series))

    _, version = theirs()  # a first run, not counted
    pairs = alternate(ours, lambda: theirs()[0].times(times), PAIRS)
    return Measured(job.params, pairs, version)


# ---- the kernel's events --------------------------------------------------------------------------------------------

Parts = Callable[[Match, Wakings], tuple[list[str], str]]
"""From matched samples: what contradicts them, and what else to tell."""


def in_turn(matched: Match, _: Wakings) -> tuple[list[str], str]:
    return party_flaws("the ring", np.concatenate([matched.starter, matched.stopper]), 2), ""


def blocking(matched: Match, _: Wakings) -> tuple[list[str], str]:
    flaws = party_flaws("the driver", matched.stopper, 1)
    flaws += party_flaws("the waiters", matched.starter, len(np.unique(matched.aux)))
    return flaws, ""


def releasing(matched: Match, wakings: Wakings) -> tuple[list[str], str]:
    flaws = party_flaws("the driver", matched.starter, 1)
    flaws += party_flaws("the waiters", matched.stopper, len(np.unique(matched.aux)))
    flaws += order_flaws(matched.aux, matched.stopper_priority)
    delays, missing = waking_to_switch(matched, wakings)
    if missing:
        flaws.append(f"in {missing} samples the kernel did not wake the thread that ran next")
    share = np.median(delays) / np.median(matched.ours) if len(delays) else 0.0
    return flaws, f"waking to switch is {share:.0%} of the sample"


def against_kernel(entry: Comparison, job: Job, *, parts: Parts) -> Measured:
    pairs: list[Pair] = []
    flaws: dict[str, None] = {}
    fact, close, disturbed, matching = "", 0, 0, 0
    for _ in range(TRACED_RUNS):
        with recording(["sched_switch", "sched_waking"], last_cpu()) as instance:
            trace = run(job, level=PRIORITY - 1)
            theirs_ns = instance.ns_per_tick()
            text = instance.text()
        ours_ns = ns_per_tick_of(trace)
        matched = match(*stamps_of(series_of(trace.tests[0], entry.series)), parse_switches(text))
        flaws |= dict.fromkeys([*containment_flaws(matched), *rate_flaws(ours_ns, theirs_ns)])
        matching += len(matched.start)
        disturbed += matched.disturbed
        if len(matched.start):
            found, fact = parts(matched, parse_wakings(text))
            flaws |= dict.fromkeys(found)
            pairs.append((reading_of(matched.ours * ours_ns), reading_of(matched.kernel * theirs_ns)))
            close += int(np.sum(np.abs(matched.ours / matched.kernel - 1) <= 0.2))
    facts = [f"one switch inside each of {matching} samples", f"other threads too in {disturbed}"]
    facts += [f"{close / max(matching, 1):.1%} of them within 20 % one by one", *([fact] if fact else [])]
    return Measured(job.params, pairs, f"Linux {os.uname().release}", tuple(flaws), "; ".join(facts))


def stamps_of(series: SeriesTrace) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Start, stop (ticks) and the small number of each sample."""
    start = series.start.astype(np.int64)
    return start, start + series.ticks, series.aux.astype(np.int64)


def ns_per_tick_of(trace: Trace) -> float:
    """As the engine found it. UnmeasuredError when its stamps are not of the kernel's trace clock."""
    if trace.clock is None or trace.clock.name != CLOCK:
        raise UnmeasuredError(f"the engine's stamps are not of the kernel's trace clock {CLOCK}")
    return trace.clock.ns_per_tick
