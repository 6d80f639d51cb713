"""A result in virtual time in which no path stands out: of few samples, or of ways that mix.

What unrelated changes do to it is to pick other samples of the same mix. So a quantile is known to a range of the
sorted samples, of few samples to all of them; two runs differ where their ranges lie apart, by a margin. The median is
judged. In a mix of two ways, each of which half of the samples go, it would be blind: there the tenth is judged, which
is one of the undisturbed samples, for a disturbance only adds time; and where that is blind too, the least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rtgauge.gate import direction
from rtgauge.gate.limits import allowance
from rtgauge.gate.values import HAIR, REPLICAS, Direction, Judged, Line, Range

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARGIN = 2  # percent: how far unrelated changes move even what is one sample; docs/gate.md has what was measured
_SEARCHED = ("shortest-period",)  # parts that a search finds, in steps of 1.25 times
_STEP, _STEPS = 25, 60  # percent: of one step, and of two; replicas in the base show the first by themselves
QUANTILES = (0.5, 0.1, 0.0)  # of a rate the ninth tenth, and the most
_DEVIATIONS = 2.2  # of the rank of a quantile, on each side: ranges of independent samples are apart once in a thousand
_BLIND = "the samples of the base differ so much that not even a doubling would be seen"
_NAMES = {"more": ("median", "p90", "max")}
_NAMES_OF_OTHERS = ("median", "p10", "min")


def spread_of(values: NDArray[np.float64], more_is_better: bool = False) -> tuple[Range, ...]:
    """The range of each quantile among the samples of a run, of which there is at least one."""
    import numpy as np

    ordered = np.sort(np.round(values, 6))
    return tuple(_range(ordered[::-1] if more_is_better else ordered, quantile) for quantile in QUANTILES)


def joined(spreads: Sequence[tuple[Range, ...]]) -> tuple[Range, ...]:
    """Of all runs together; each of them has as many ranges."""
    return tuple((min(low for low, _ in every), max(high for _, high in every)) for every in zip(*spreads, strict=True))


def is_blind(line: Line, way: Direction, limit: str) -> bool:
    """Whether not even a doubling (of a rate: half of it) would be seen."""
    return _best(line, way, limit) is None


def judge_spread(mine: Line, its: Line, told: Judged, way: Direction, limit: str) -> Judged:
    """Both lines have medians. The first quantile that could show a change is judged."""
    best, margin = _best(its, way, limit), _margin(its)
    told = replace(told, limit=_shown(limit, its.medians[0], margin))
    if best is None or len(ranges_of(mine)) <= best:
        return replace(told, verdict="undecided", why=_BLIND)
    told = replace(told, what=_NAMES.get(way, _NAMES_OF_OTHERS)[best])
    return _judged(ranges_of(mine)[best], ranges_of(its)[best], told, way, limit, margin)


def ranges_of(line: Line) -> tuple[Range, ...]:
    """Those that the line has; a baseline of an earlier version has medians alone."""
    return line.spread or ((min(line.medians), max(line.medians)),)


def _best(base: Line, way: Direction, limit: str) -> int | None:
    margin = _margin(base)
    return next((i for i, one in enumerate(ranges_of(base)) if _sees(one, way, limit, margin)), None)


def _margin(base: Line) -> int:
    """In percent."""
    if dict(base.key.params).get("part") not in _SEARCHED:
        return MARGIN
    return _STEP if len(base.medians) >= REPLICAS else _STEPS


def _range(ordered: NDArray[np.float64], quantile: float) -> Range:
    last = len(ordered) - 1
    half = _DEVIATIONS * math.sqrt(len(ordered) * quantile * (1 - quantile))
    first, other = math.floor(max(0.0, quantile * last - half)), math.ceil(min(last, quantile * last + half))
    ends = float(ordered[first]), float(ordered[other])
    return min(ends), max(ends)


def _judged(run: Range, base: Range, told: Judged, way: Direction, limit: str, margin: int) -> Judged:
    """Figures are those that are nearest to each other; of ranges that meet, their middles."""
    if run[0] > base[1] + _allowed(limit, base[1], margin) + HAIR:
        return replace(told, base=base[1], run=run[0], verdict=direction.verdict_of(True, way))
    if run[1] < base[0] - _allowed(limit, base[0], margin) - HAIR:
        return replace(told, base=base[0], run=run[1], verdict=direction.verdict_of(False, way))
    return replace(told, base=(base[0] + base[1]) / 2, run=(run[0] + run[1]) / 2)


def _sees(base: Range, way: Direction, limit: str, margin: int) -> bool:
    low, high = base
    if way == "more":
        return high - low + _allowed(limit, low, margin) <= abs(high) / 2
    return high - low + _allowed(limit, high, margin) <= abs(low)


def _allowed(limit: str, base: float, margin: int) -> float:
    return max(allowance(limit, base) or 0.0, margin / 100 * abs(base))


def _shown(limit: str, base: float, margin: int) -> str:
    """The wider of the limit and the margin, as it is written."""
    return limit if (allowance(limit, base) or 0.0) >= margin / 100 * abs(base) else f"+{margin}%"
