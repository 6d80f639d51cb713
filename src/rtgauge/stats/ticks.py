"""How long the processing of a clock tick takes: loops of fixed work into which a tick fell, against clean ones.

The clean band is the one that holds the median of all loops; every loop above it was disturbed, by a tick or by
something else (another interrupt, the hypervisor). Ticks are told from the rest by being periodic: the instants that
repeat with the measured tick period and meet most disturbed loops (fold.py). Rates are per second that the loops
themselves took: what happens between them is not seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.basic import rank, sum_of
from rtgauge.stats.clusters import bands
from rtgauge.stats.fold import fold, holds_instant
from rtgauge.stats.view import Statistic, View, settled


def compute(view: View) -> dict[str, Any]:
    """A record of
    - "clean": median of the clean loops, "clean_spread": their range
    - "hits": loops disturbed at a tick, "rate_hz", "typical" and "worst" tick duration: hit less clean median, None
      without a hit
    - "by_aux": the same for each number of timer expiries, which need no tick
    - "others": the same for loops disturbed at other times
    - "contrast": share of disturbed loops at ticks less that at other times

    Without a tick period every disturbed loop counts as hit, and the contrast is None."""
    end = next(band.end for band in bands(view) if band.end > rank(view.n, (1, 2)))
    clean = int(view.ordered[rank(end, (1, 2))])
    ticks, scale = view.samples.raw.ticks, view.samples.scale
    seconds = (sum_of(ticks) - view.n * view.samples.overhead_ticks) * abs(view.samples.tick_s)
    disturbed = ticks > view.ordered[end - 1]
    at_tick = _at_ticks(view, disturbed)
    hit = np.flatnonzero(disturbed if at_tick is None else disturbed & at_tick)
    other = np.flatnonzero(disturbed & ~at_tick) if at_tick is not None else hit[:0]
    aux = view.samples.raw.aux
    expiries = [number for number in np.unique(aux[disturbed]).tolist() if number]

    def figures(which: NDArray[np.int64]) -> dict[str, Any]:
        return _durations(np.sort(ticks[which]), clean, scale)

    return {
        "clean": view.unit(clean),
        "clean_spread": (int(view.ordered[end - 1]) - int(view.ordered[0])) * scale,
        "rate_hz": len(hit) / seconds if seconds > 0 else None,
        **figures(hit),
        "by_aux": {"0": figures(hit[aux[hit] == 0])}
        | {str(number): figures(np.flatnonzero(disturbed & (aux == number))) for number in expiries},
        "others": {"rate_hz": len(other) / seconds if seconds > 0 else None, **figures(other)},
        "contrast": None if at_tick is None else _contrast(disturbed, at_tick),
    }


def _at_ticks(view: View, disturbed: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Loops into which an instant of the tick fell; None when its period is not known."""
    if not view.samples.tick_ns:
        return None
    begin = view.samples.at
    end = begin + view.samples.raw.ticks * abs(view.samples.tick_s)
    period, phase = fold(begin, end, disturbed, view.samples.tick_ns / 1e9)
    return holds_instant(begin, end, period, phase)


def _contrast(disturbed: NDArray[np.bool_], at_tick: NDArray[np.bool_]) -> float | None:
    if not at_tick.any() or at_tick.all():
        return None
    return settled(float(disturbed[at_tick].mean()) - float(disturbed[~at_tick].mean()))


def _durations(hit: NDArray[Any], clean: int, scale: float) -> dict[str, Any]:
    """`hit`: ticks of the loops that were hit, smallest first."""
    if not len(hit):
        return {"hits": 0, "typical": None, "worst": None}
    typical = int(hit[rank(len(hit), (1, 2))])
    return {"hits": len(hit), "typical": (typical - clean) * scale, "worst": (int(hit[-1]) - clean) * scale}


STATISTIC = Statistic("ticks", "", compute)
