"""What the engine makes of samples that it does not send, written down a second time and plainly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rtgauge.model import Accumulated, Extreme, Pile, Samples

EXTREMES = 16


def pile_of(values: list[int], width: int, bins: int, beyond: int) -> Pile:
    inside: dict[int, int] = {}
    outside: list[int] = []
    dropped = [0, 0]
    for value in values:
        if 0 <= value < bins * width:
            inside[value // width] = inside.get(value // width, 0) + 1
        elif len(outside) < beyond:
            outside.append(value)
        else:
            dropped[value >= 0] += 1
    return Pile(
        count=len(values),
        min=min(values, default=0),
        max=max(values, default=0),
        total=sum(values),
        bins=np.array(sorted(inside), np.int64),
        counts=np.array([inside[one] for one in sorted(inside)], np.int64),
        values=np.array(sorted(outside), np.int64),
        dropped_below=dropped[0],
        dropped_beyond=dropped[1],
    )


def folded(samples: Samples, raw: int, *, width: int = 1, bins: int = 1 << 20, beyond: int = 1 << 20) -> Samples:
    """`samples`, of which only the first `raw` came one by one. None of them is missing, nor follows a pause."""
    whole = samples.raw
    ticks = whole.ticks[raw:].astype(np.int64).tolist()
    start = whole.start[raw:].tolist()
    lengths = [0 if whole.info.source == "value" else max(0, one) for one in ticks]
    rows = [
        Extreme(value, begin, begin - start[0], raw + place, int(whole.aux[raw + place]))
        for place, (value, begin) in enumerate(zip(ticks, start, strict=True))
    ]
    entered, overruns, odd = _skipped(samples, ticks, start)
    kept = Accumulated(
        first=raw,
        first_start=start[0],
        after_pause=False,
        at_ns=0,
        measured=pile_of(ticks, width, bins, beyond),
        entered=pile_of(entered, width, bins, beyond) if "periodic" in whole.info.analyse else None,
        largest=tuple(sorted(rows, key=lambda row: (-row.ticks, row.index))[:EXTREMES]),
        least=min(rows, key=lambda row: (row.ticks, row.index)),
        lowest=min(one - start[0] for one in start),
        highest=max(one - start[0] + length for one, length in zip(start, lengths, strict=True)),
        pauses=0,
        paused=0,
        overruns=overruns,
        odd=odd,
        dropped=0,
        width=width,
        bins=bins,
        beyond=beyond,
    )
    part: dict[str, Any] = {"start": whole.start[:raw], "ticks": whole.ticks[:raw], "aux": whole.aux[:raw]}
    return replace(samples, raw=replace(whole, **part, accumulated=kept))


def _skipped(samples: Samples, ticks: list[int], start: list[int]) -> tuple[list[int], int, int]:
    interval = samples.params.get("interval")
    values: list[int] = []
    overruns = odd = 0
    if not isinstance(interval, int):
        return values, 0, 0
    for place, late in enumerate(ticks):
        step = start[place + 1] - start[place] if place + 1 < len(start) else 0
        due = max(0, late) // interval
        skipped = due
        if step > 0 and step % interval:
            odd += 1
        elif step > 0:
            skipped = step // interval - 1
        overruns += skipped
        values += [late - k * interval for k in range(1, min(due, skipped) + 1)]
    return values, overruns, odd
