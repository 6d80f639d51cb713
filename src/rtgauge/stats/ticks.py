"""How long the processing of a clock tick takes: loops of fixed work into which a tick fell, against the others.

Ticks are told from other interruptions by being periodic, not by how long they take: loops that the hypervisor or
another interrupt made longer may fill every hollow between clean loops and those with a tick. The longest loops, a few
times as many as ticks can hit, show which instants repeat with the measured tick period (fold.py). What best tells the
loops at these instants from all others is then the length from which on a loop counts as disturbed. Rates are per
second that the loops themselves took: what happens between them is not seen. Where the measured period is twice or
three times the true one, the ticks between count as well, and the rate shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.stats.basic import rank
from rtgauge.stats.distribution import Distribution, of_samples
from rtgauge.stats.fold import fold, guess, holds_instant, parts
from rtgauge.stats.view import Statistic, View, settled

_SHARES = (1.5, 3.0, 6.0, 12.0)  # of all loops, in those that ticks can hit, among which the ticks are looked for
_SHARE_MOST = 0.5
_SCATTERS = 4  # clean loops lie no further above their median than so many times what the fastest lie below it
_FAST = (1, 20)


@dataclass(frozen=True)
class Told:
    """Which loops ticks fell into."""

    at_tick: NDArray[np.bool_]  # an instant of the tick falls into the loop
    disturbed: NDArray[np.bool_]  # longer than what tells loops at a tick from others best
    contrast: float  # share of disturbed loops at ticks less that at other times


def tell(view: View) -> Told | None:
    """None where the tick period was not measured, it and the loops' length make every loop alike, or the clock ran
    backwards."""
    ticks, begin = view.samples.raw.ticks, view.samples.at
    if not view.samples.tick_ns or view.raw.least < 0 or np.any(np.diff(begin) < 0):
        return None
    end = begin + ticks * abs(view.samples.tick_s)
    period = view.samples.tick_ns / 1e9
    tries = [(guess(begin, end, ticks > level, period), level) for level in _levels(view, period)]
    if not tries:
        return None
    first, level = max(tries, key=lambda one: one[0].contrast)
    period, phase = fold(begin, end, ticks > level, first)
    at_tick = holds_instant(begin, end, period / parts(begin, end, ticks > level, period, phase), phase)
    if not at_tick.any() or at_tick.all():
        return None
    best, contrast = _best_level(np.sort(ticks[at_tick]), np.sort(ticks[~at_tick]))
    return Told(at_tick, ticks > best, contrast)


def compute(view: View) -> dict[str, Any]:
    """A record of
    - "clean": median of the loops without a tick, "clean_spread": range of those that nothing disturbed
    - "hits": loops disturbed at a tick, "rate_hz", "typical" and "worst" tick duration: hit less clean median, None
      without a hit
    - "by_aux": the same for each number of timer expiries, which need no tick, and only be longer than clean loops
    - "others": the same for loops disturbed at other times as much as at ticks
    - "contrast": share of disturbed loops at ticks less that at other times

    Without a tick period every loop that is not clean counts as hit, and the contrast is None."""
    ticks, scale, aux = view.samples.raw.ticks, view.samples.scale, view.samples.raw.aux
    seconds = (view.raw.total - view.n * view.samples.overhead_ticks) * abs(view.samples.tick_s)
    told = tell(view)
    clean, scatter = _clean(view.raw if told is None else of_samples(ticks[~told.at_tick]))
    clean_end = clean + _SCATTERS * max(scatter, view.samples.resolution_ticks)
    longer = ticks > clean_end
    hit = np.flatnonzero(longer if told is None else told.disturbed & told.at_tick)
    other = hit[:0] if told is None else np.flatnonzero(told.disturbed & ~told.at_tick)
    expiries = [number for number in np.unique(aux[longer]).tolist() if number]

    def figures(which: NDArray[np.int64]) -> dict[str, Any]:
        return _durations(np.sort(ticks[which]), clean, scale)

    return {
        "clean": view.unit(clean),
        "clean_spread": (view.raw.one(view.below(clean_end + 1) - 1) - view.raw.least) * scale,
        "rate_hz": len(hit) / seconds if seconds > 0 else None,
        **figures(hit),
        "by_aux": {"0": figures(hit[aux[hit] == 0])}
        | {str(number): figures(np.flatnonzero(longer & (aux == number))) for number in expiries},
        "others": {"rate_hz": len(other) / seconds if seconds > 0 else None, **figures(other)},
        "contrast": None if told is None else settled(told.contrast),
    }


def _levels(view: View, period: float) -> list[int]:
    """Lengths beyond which there are a few times as many loops as ticks can hit; none beyond which there is no loop."""
    hit = float(view.raw.one(view.n // 2)) * abs(view.samples.tick_s) / period
    shares = [share * hit for share in _SHARES if 0 < share * hit <= _SHARE_MOST]
    levels = {view.raw.one(view.n - 1 - int(share * view.n)) for share in shares}
    return sorted(level for level in levels if level < view.raw.most)


def _best_level(at: NDArray[Any], other: NDArray[Any]) -> tuple[int, float]:
    """(length, contrast): the shortest length of those beyond which the shares of `at` and `other` differ most; both in
    order."""
    lengths = np.unique(np.concatenate([at, other]))
    beyond_at = 1 - np.searchsorted(at, lengths, "right") / len(at)
    beyond_other = 1 - np.searchsorted(other, lengths, "right") / len(other)
    best = int(np.argmax(beyond_at - beyond_other))
    return int(lengths[best]), float(beyond_at[best] - beyond_other[best])


def _clean(loops: Distribution) -> tuple[int, int]:
    """Median of the loops, and how far the fastest lie below it; few of them are faster than clean loops can be."""
    median, fast = (loops.one(rank(loops.n, share)) for share in ((1, 2), _FAST))
    return median, median - fast


def _durations(hit: NDArray[Any], clean: int, scale: float) -> dict[str, Any]:
    """`hit`: ticks of the loops that were hit, smallest first."""
    if not len(hit):
        return {"hits": 0, "typical": None, "worst": None}
    typical = int(hit[rank(len(hit), (1, 2))])
    return {"hits": len(hit), "typical": (typical - clean) * scale, "worst": (int(hit[-1]) - clean) * scale}


STATISTIC = Statistic("ticks", "", compute)
