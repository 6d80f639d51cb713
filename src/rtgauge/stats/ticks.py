"""How long the processing of a clock tick takes: loops of fixed work that a tick hit, against clean ones.

The clean band is the one that holds the median of all loops; every loop above it was hit. The rate is per second that
the loops themselves took: what happens between them is not seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.basic import rank, sum_of
from rtgauge.stats.clusters import bands
from rtgauge.stats.view import Statistic, View


def compute(view: View) -> dict[str, Any]:
    """{"clean": median of the clean loops, "clean_spread": their range, "hits", "rate_hz", "typical" and "worst" tick
    duration (hit less clean median; None without a hit), "by_aux": the same for each number of expiries}."""
    end = next(band.end for band in bands(view) if band.end > rank(view.n, (1, 2)))
    clean = int(view.ordered[rank(end, (1, 2))])
    ticks, scale = view.samples.raw.ticks, view.samples.scale
    seconds = (sum_of(ticks) - view.n * view.samples.overhead_ticks) * abs(view.samples.tick_s)
    made: dict[str, Any] = {
        "clean": view.unit(clean),
        "clean_spread": (int(view.ordered[end - 1]) - int(view.ordered[0])) * scale,
        "rate_hz": (view.n - end) / seconds if seconds > 0 else None,
    }
    made |= _durations(view.ordered[end:], clean, scale)
    hit = np.flatnonzero(ticks > view.ordered[end - 1])
    aux = view.samples.raw.aux[hit]
    made["by_aux"] = {
        str(number): _durations(np.sort(ticks[hit[aux == number]]), clean, scale) for number in np.unique(aux).tolist()
    }
    return made


def _durations(hit: NDArray[Any], clean: int, scale: float) -> dict[str, Any]:
    """`hit`: ticks of the loops that were hit, smallest first."""
    if not len(hit):
        return {"hits": 0, "typical": None, "worst": None}
    typical = int(hit[rank(len(hit), (1, 2))])
    return {"hits": len(hit), "typical": (typical - clean) * scale, "worst": (int(hit[-1]) - clean) * scale}


STATISTIC = Statistic("ticks", "", compute)
