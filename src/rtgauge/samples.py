"""Trace to Samples: units, the overhead of a stamp, the time of each sample, and activations that were skipped.

Raw ticks are never changed. What is subtracted is the smallest overhead measured: that of CAL-P-TRC in the same run,
else that of the clock's record; only from series whose two stamps are reads of the stamp clock, and not from CAL-P-TRC
itself, whose value is the overhead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rtgauge.derive import derive
from rtgauge.model import Accumulated, ClockInfo, Param, Samples, SeriesTrace, TestTrace, Trace
from rtgauge.trace.columns import tick_differences

CALIBRATION = "CAL-P-TRC"
_PIECE = 1 << 20  # samples looked at together
_SYNTHETIC_MAX = 1_000_000  # values entered for one series; further skipped activations are counted only

_NO_VALUES: NDArray[np.float64] = np.empty(0)


def to_samples(trace: Trace, test: TestTrace, series: SeriesTrace) -> Samples | None:
    """One series in its unit; None when the trace has lost the clock that it needs."""
    clock, source = test.clock, series.info.source
    if clock is None or trace.clock is None:
        return None
    by_stamp = source in ("stamp", "host")
    subtracted = overhead_ticks(trace, clock) if by_stamp and test.descriptor.id != CALIBRATION else 0
    scale = _ns_per_tick(trace, clock) if by_stamp else 1.0
    if source == "host":
        (series, scale), subtracted = derive(test, series, subtracted, scale), 0
    origin, origin_s, tick_s, width = _time_base(trace.clock, test, series, clock)
    made = Samples(
        id=test.descriptor.id,
        params=_params_of(test, series),
        raw=series,
        unit=series.info.unit if source in ("value", "host") else "ns",
        scale=scale,
        overhead_ticks=subtracted,
        resolution_ticks=max(
            1, {"stamp": clock.resolution, "host": clock.resolution, "os": clock.os_resolution, "value": 1}[source]
        ),
        origin=origin,
        origin_s=origin_s,
        tick_s=tick_s,
        width=width,
        cpu=test.cpu,
        synthetic=_NO_VALUES,
        tick_ns=_tick_ns(test),
    )
    if source == "host" and any(one.accumulated is not None for one in test.series):
        made = replace(made, problems=(f"{made.raw.info.name}: computed from the first {made.n} samples only",))
    return _with_skipped(made) if "periodic" in series.info.analyse else made


def _ns_per_tick(trace: Trace, clock: ClockInfo) -> float:
    """An emulation whose time is instructions counts whole ns; how the OS has set its own clock beside it differs from
    boot to boot by a millionth, and with it the rate that was measured."""
    whole = round(clock.ns_per_tick)
    counts_instructions = bool(trace.facts.get("ns_per_instruction"))  # 0: time is real
    return (
        float(whole)
        if counts_instructions and whole and abs(clock.ns_per_tick / whole - 1) < 1e-3
        else clock.ns_per_tick
    )


def overhead_ticks(trace: Trace, clock: ClockInfo) -> int:
    """What one stamp costs in this run, in ticks of `clock`; never below zero."""
    measured = [
        series.least
        for test in trace.tests
        if test.descriptor.id == CALIBRATION and test.outcome == "done" and _same_clock(test.clock, clock)
        for series in test.series
        if series.info.source == "stamp" and series.least is not None
    ]
    return max(0, min(measured)) if measured else clock.overhead


def positions_of_gaps(raw: SeriesTrace) -> list[int]:
    """Positions in the arrays of the samples that do not directly follow the one before: after a loss or a pause."""
    lost_before, after_loss = 0, []
    for first, count in raw.missing:
        after_loss.append(first - lost_before)
        lost_before += count
    return sorted({*after_loss, *raw.resumed})


def index_on_target(raw: SeriesTrace, position: int) -> int:
    """Index that the target gave the sample at `position` of the arrays: lost ones count."""
    index = position
    for first, count in raw.missing:
        if first <= index:
            index += count
    return index


def _tick_ns(test: TestTrace) -> int | None:
    measured = [line.value for line in test.evidence if line.name == "tick_ns" and isinstance(line.value, int)]
    return measured[0] if measured and measured[0] > 0 else None


def _params_of(test: TestTrace, series: SeriesTrace) -> dict[str, Param]:
    return {**test.params, **({"part": series.info.name} if series.info.name else {})}


def _same_clock(one: ClockInfo | None, other: ClockInfo) -> bool:
    """Whether ticks of both mean about the same; the measured rate may differ between two starts of the engine."""
    return one is not None and (one.name, one.width, one.direction) == (other.name, other.width, other.direction)


def _time_base(
    run_clock: ClockInfo, test: TestTrace, series: SeriesTrace, clock: ClockInfo
) -> tuple[int, float, float, int]:
    """origin, origin_s, tick_s and width of Samples."""
    anchor_s = (clock.anchor_ns - run_clock.anchor_ns) / 1e9
    if series.info.source == "os":
        anchor, direction, width, tick_s = clock.anchor_ns, 1, series.bits, 1e-9
    else:
        anchor, direction = clock.anchor_stamp, clock.direction
        width, tick_s = min(clock.width, series.bits), clock.rate_den / clock.rate_num
    if width == 64 or not len(series.start):
        return anchor, anchor_s, direction * tick_s, width
    # The clock may have wrapped many times since its anchor: the beginning of the test says how often.
    turn = 1 << width
    first = int(series.start[0])
    forward = (first - anchor) * direction % turn
    expected = (test.begin_ns - clock.anchor_ns) / 1e9 / tick_s
    turns = max(0, round((expected - forward) / turn))
    return first, anchor_s + (forward + turns * turn) * tick_s, direction * tick_s, width


# ---- skipped activations --------------------------------------------------------------------------------------------


def _with_skipped(samples: Samples) -> Samples:
    interval = samples.params.get("interval")
    if samples.raw.info.source != "os" or not isinstance(interval, int) or interval <= 0:
        why = "skipped activations cannot be found: that needs times of the OS's clock and a parameter interval"
        return replace(samples, problems=(*samples.problems, why))
    values, overruns, problems = skipped_activations(samples.raw, interval)
    kept = samples.raw.accumulated
    if kept is not None:
        overruns += kept.overruns
        problems = (*problems, *_of_accumulated(kept))
    return replace(samples, synthetic=values, overruns=overruns, problems=(*samples.problems, *problems))


def _of_accumulated(kept: Accumulated) -> Iterator[str]:
    entered = kept.entered.count if kept.entered is not None else 0
    if kept.odd:
        yield f"{kept.odd} accumulated due times are not a multiple of the interval after the one before"
    if kept.overruns > entered:
        yield f"{kept.overruns - entered} of {kept.overruns} accumulated skipped activations have no value"


def skipped_activations(raw: SeriesTrace, interval: int) -> tuple[NDArray[np.float64], int, tuple[str, ...]]:
    """Values (ns) of the activations that a late thread skipped, their number, and what is odd.

    `raw.start` is the due time and `raw.start + raw.ticks` the wake-up, in ns. After a wake-up the thread sleeps to the
    first due time after it, so the next due time recorded tells how many were skipped; the value of each is the wake-up
    minus its own due time. Where the next record is another thread's, or not the next one, the wake-up alone tells.
    A skipped activation that was not yet due at the wake-up is counted and gets no value.
    """
    gaps = np.array(positions_of_gaps(raw), np.int64)
    values, overruns, odd = [_NO_VALUES], 0, 0
    for first in range(0, len(raw.start), _PIECE):
        skipped, valued, strange = _skipped_in(raw, gaps, interval, first)
        late = np.flatnonzero(skipped > 0)
        overruns += sum(skipped[late].tolist())
        odd += strange
        room = _SYNTHETIC_MAX - sum(map(len, values))
        values.append(_values(raw.ticks[first : first + _PIECE][late], valued[late], interval, room))
    made = np.concatenate(values)
    problems = [f"{odd} due times are not a multiple of the interval after the one before"] if odd else []
    if overruns > len(made):
        problems.append(f"{overruns - len(made)} of {overruns} skipped activations have no value")
    return made, overruns, tuple(problems)


def _skipped_in(
    raw: SeriesTrace, gaps: NDArray[np.int64], interval: int, first: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """For a piece of the series from `first` on: activations skipped after each sample, how many of them were due at
    its wake-up, and the number of due times that do not fit."""
    start = raw.start[first : first + _PIECE + 1]  # one more, for the step to it
    if raw.accumulated is not None and first + _PIECE >= len(raw.start) and not raw.accumulated.after_pause:
        start = np.append(start, np.uint64(raw.accumulated.first_start))  # the one after the last raw one
    late = raw.ticks[first : first + _PIECE].astype(np.int64)
    step = tick_differences(start[:-1], start[1:], raw.bits, 1)
    joined = step > 0
    joined[gaps[(gaps > first) & (gaps <= first + len(step))] - first - 1] = False
    odd = joined & (step % interval != 0)
    joined &= ~odd
    due = np.maximum(late, 0) // interval
    skipped = due.copy()
    skipped[: len(step)][joined] = step[joined] // interval - 1
    return skipped, np.minimum(due, skipped), int(odd.sum())


def _values(
    late: NDArray[np.int64] | NDArray[np.int32], valued: NDArray[np.int64], interval: int, room: int
) -> NDArray[np.float64]:
    """Lateness of each skipped activation that was due, at most `room` of them."""
    count = np.minimum(valued, room)
    count = count[np.cumsum(count) <= room]
    which = np.arange(int(count.sum()), dtype=np.int64) - np.repeat(np.cumsum(count) - count, count) + 1
    made: NDArray[np.float64] = np.repeat(late[: len(count)].astype(np.int64), count).astype(np.float64)
    made -= which * interval
    return made
