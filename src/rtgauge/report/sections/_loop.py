"""One loop of a test on a time axis: from the start stamp of a sample to that of the next one, as they were measured.

Where a test has several parts, e.g. acquire and release, the samples of all of them that lie in the loop are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.model import Samples
from rtgauge.report import display
from rtgauge.report.blocks import Bar, Block, Cell, Column, Key, Table, Timeline
from rtgauge.report.view import Entry

LOOKED_AT = 1 << 17  # samples from the beginning among which a usual loop is sought
NARROW_MOST = 1 << 18  # samples of a clock that wraps: each look at one costs all before it
BARS_MOST = 120  # of one line; a loop that holds more is not drawn
PARTS_MOST = 4
USUAL = "a usual one"
_LOOKS = ("late", "thread", "own", "idle")  # of the parts
_MARGIN = 0.12  # of a loop, drawn before and after it
_LONG = 4.0  # usual loops: a longer one is cut there
_TICKS = (1, 2, 2.5, 5, 10)
_STEPS = 6  # of the axis, about

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Loop:
    """A loop that is drawn: times in s since the run began."""

    index: int
    begin: float
    end: float  # the start stamp of the next sample
    value: float  # ns of the sample itself
    cut: bool  # the next sample came much later


def loop_of(entries: Sequence[Entry]) -> list[Block]:
    """The diagram of one loop of a test; nothing where none can be drawn. Of several sets of parameters, the first of
    those that can be measured and have most parts."""
    jobs: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if _drawable(entry):
            jobs.setdefault(entry.job, []).append(entry)
    for parts in sorted(jobs.values(), key=lambda parts: (any(map(_small, parts)), -len(parts))):
        table = _table(parts[:PARTS_MOST])
        if table is not None:
            key = tuple((look, _measured(one, parts)) for look, one in zip(_LOOKS, parts, strict=False))
            return [table, Key(key)]
    return []


def _small(entry: Entry) -> bool:
    return bool(entry.result.get("unmeasurable"))


def _drawable(entry: Entry) -> bool:
    """Only what was stamped, one sample after the other, by the same clock."""
    samples = entry.samples
    return (
        samples is not None
        and samples.n >= 3
        and (samples.width == 64 or samples.n <= NARROW_MOST)
        and samples.unit == "ns"
        and samples.raw.info.source in ("stamp", "os")
        and entry.status not in ("invalid", "not-permitted")
    )


def _measured(entry: Entry, parts: Sequence[Entry]) -> str:
    part = f" of {_part(entry)}" if len(parts) > 1 else ""
    return f"measured: from start stamp to stop stamp{part}"


def _part(entry: Entry) -> str:
    return str((entry.result.get("params") or {}).get("part", ""))


def _words(entry: Entry) -> str:
    """What was set for this job, in words, if the test has several."""
    words = [word for word in entry.variant.split(", ") if word.partition(" ")[0] != "part"]
    return f" ({', '.join(words)})" if words and entry.variant else ""


def _table(parts: Sequence[Entry]) -> Table | None:
    first = parts[0]
    usual = _usual(first)
    if usual is None:
        return None
    length = usual.end - usual.begin
    loops = [(USUAL, usual)]
    for entry in parts:
        worst = _worst(entry, length)
        if worst is not None:
            loops.append((f"the worst {_part(entry)}" if len(parts) > 1 else "the worst", worst))
    rows = tuple(row for name, loop in loops if (row := _row(name, loop, parts)) is not None)
    if not rows:
        return None
    columns = (
        Column("Loop"),
        Column("From one start stamp to the next"),
        Column("Takes", True),
        Column("Of it measured", True),
    )
    note = "Drawn from the stamps themselves; each line has an axis of its own, in time since its sample began."
    return Table(columns, rows, title=f"One loop of the test{_words(first)}", note=note)


# ---- which loops -----------------------------------------------------------------------------------------------------


def _usual(entry: Entry) -> _Loop | None:
    """The loop of middle length whose sample is nearest to the median."""
    samples = entry.samples
    if samples is None:
        return None
    few = _piece(samples, slice(0, LOOKED_AT))
    begin, value = samples.at_of(slice(0, LOOKED_AT)), few.value
    length = np.diff(begin)
    rising = length[length > 0]
    if rising.size == 0:
        return None
    middle = float(np.median(rising))
    like = np.flatnonzero((length > 0) & (np.abs(length - middle) <= 0.25 * middle))
    if like.size == 0:
        return None
    at = int(like[np.argmin(np.abs(value[like] - np.median(value)))])
    return _Loop(at, float(begin[at]), float(begin[at + 1]), float(value[at]), False)


def _worst(entry: Entry, length: float) -> _Loop | None:
    """The loop of the largest sample, found again among the raw ones."""
    samples = entry.samples
    worst: Sequence[Mapping[str, Any]] = entry.result.get("worst") or ()
    index = worst[0].get("index") if worst else None
    if samples is None or not isinstance(index, int):
        return None
    at = index - sum(count for first, count in samples.raw.missing if first < index)
    if not 0 <= at < samples.n - 1:
        return None
    begin, value = samples.at_of(slice(at, at + 2)), float(_piece(samples, slice(at, at + 1)).value[0])
    if abs(value - float(worst[0].get("value") or 0.0)) > max(1.0, samples.resolution):
        return None
    end, most = float(begin[1]), float(begin[0]) + max(_LONG * length, 1.2 * value * 1e-9)
    cut = not begin[0] < end <= most
    return _Loop(index, float(begin[0]), most if cut else end, value, cut)


def _piece(samples: Samples, which: slice) -> Samples:
    """`samples` with these alone; its times are to be taken from the whole."""
    raw = samples.raw
    return replace(samples, raw=replace(raw, start=raw.start[which], ticks=raw.ticks[which], accumulated=None))


# ---- one line --------------------------------------------------------------------------------------------------------


def _row(name: str, loop: _Loop, parts: Sequence[Entry]) -> tuple[Cell | Timeline, ...] | None:
    """None where the loop holds too much to be drawn, or is not found at its place: the samples are not in order."""
    margin = _MARGIN * (loop.end - loop.begin)
    low, high = loop.begin - margin, loop.end + margin
    bars: list[Bar] = []
    there = False
    for look, entry in zip(_LOOKS, parts, strict=False):
        found = list(_within(entry, low, high))
        if len(found) > BARS_MOST:
            return None
        there = there or any(begin == loop.begin for begin, _ in found)
        for begin, ns in found:
            left, right = (begin - low) / (high - low), (begin + ns * 1e-9 - low) / (high - low)
            what = f"{_part(entry)}: {display.quantity(ns, 'ns')}" if len(parts) > 1 else display.quantity(ns, "ns")
            bars.append(Bar(max(0.0, left), min(1.0, right), look, what))
    if not there:
        return None
    length = (loop.end - loop.begin) * 1e9
    whole = "the next sample came later" if loop.cut else display.quantity(length, "ns")
    small = name == USUAL and _small(parts[0])
    share = "" if loop.cut or small or length <= 0 else f"{100 * loop.value / length:.3g} %"
    value = "< resolution" if small else display.quantity(loop.value, "ns")
    told = f"sample {display.count(loop.index)}: {value} of {whole}"
    return (
        Cell(name, note=f"sample {display.count(loop.index)}"),
        Timeline(tuple(bars), told, _axis(low, high, loop.begin)),
        Cell(whole, numeric=True),
        Cell(value, numeric=True, note=share),
    )


def _within(entry: Entry, low: float, high: float) -> Iterator[tuple[float, float]]:
    """(start in s, value in ns) of the samples of `entry` that lie in the stretch, at least in part."""
    samples = entry.samples
    if samples is None:
        return
    near = _places(samples, low, high)
    begin, value = samples.at_of(near), _piece(samples, near).value
    for one, ns in zip(begin, value, strict=True):
        if ns >= 0 and one <= high and one + ns * 1e-9 >= low:
            yield float(one), float(ns)


def _places(samples: Samples, low: float, high: float) -> slice:
    """The samples that began from shortly before `low` to `high`, by bisection: stamps of a series rise."""
    first = _bisect(samples, low)
    return slice(max(0, first - 2), min(samples.n, _bisect(samples, high) + 1, first + BARS_MOST + 4))


def _bisect(samples: Samples, at: float) -> int:
    """The first sample that began at `at` or later."""
    low, high = 0, samples.n
    while low < high:
        middle = (low + high) // 2
        if float(samples.at_of(slice(middle, middle + 1))[0]) < at:
            low = middle + 1
        else:
            high = middle
    return low


def _axis(low: float, high: float, zero: float) -> tuple[tuple[float, str], ...]:
    """Round times since the sample began, with their places."""
    span = (high - low) * 1e9
    if not np.isfinite(span) or span <= 0:
        return ()
    rough = span / _STEPS
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(next(one * power for one in _TICKS if one * power >= rough))
    scale = display.scale_for(step, "ns")
    first, last = int(np.ceil((low - zero) * 1e9 / step)), int(np.floor((high - zero) * 1e9 / step))
    return tuple(
        ((number * step + (zero - low) * 1e9) / span, _tick(number * step / scale.factor, scale.unit))
        for number in range(max(first, 0), last + 1)
    )


def _tick(value: float, unit: str) -> str:
    return f"{value:.6g}{display.NARROW}{unit}" if value else "0"
