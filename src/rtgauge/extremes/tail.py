"""From samples to their tail: the conditions one after the other, and the fit where all of them hold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge.extremes import form, gev, gpd, order
from rtgauge.extremes.levels import level
from rtgauge.extremes.model import Condition, Tail
from rtgauge.extremes.scan import BLOCKS, Floats, Ints, Scan, scan
from rtgauge.model import Samples

FEWEST = 8_000
"""Samples below which nothing is tried."""

_MOST = 250  # exceedances that the tail is fitted to
_SHARE = 0.015  # of the samples, at most
_LEAST = 80  # peaks, least
_FEWEST_TO_ORDER = 20  # peaks that tell whether their rate drifts
_COARSE = 0.7  # a step of the clock, in scales of the tail, that is too coarse
_FINE = 0.05  # one that makes no difference
_LARGEST = 1e100  # beyond, squares are no longer numbers
_FARTHEST = 1e-9  # both methods must agree so far
_SECOND = 0.999  # confidence within which they must
_NEAR = 0.1  # of the level above the threshold: so much does not matter


def tail_of(values: NDArray[Any], *, lost: int = 0, skipped: int = 0, resolution: float = 0.0, name: str = "") -> Tail:
    """The tail of values in the order of measuring, in any unit. `lost` samples are not among them, `skipped`
    activations never ran; `resolution` is one step of the clock in the same unit, 0 if there is none."""
    return _tail(values, 1.0, 0.0, lost, skipped, 0, resolution, name)


def of_samples(samples: Samples) -> Tail:
    """The tail of a series in its unit. Only its largest samples are ever turned into floating point."""
    kept, scale, offset = samples.raw.accumulated, samples.scale, float(samples.overhead_ticks)
    folded = kept.measured.count if kept is not None else 0
    ticks, lost = samples.raw.ticks, samples.raw.lost
    tail = _tail(ticks, scale, offset, lost, samples.overruns, folded, samples.resolution, samples.id)
    if kept is None or not folded:
        return tail
    most = (kept.measured.max - offset) * scale
    return replace(tail, max=most if tail.max is None else max(most, tail.max))


def _tail(
    raw: NDArray[Any], scale: float, offset: float, lost: int, skipped: int, folded: int, resolution: float, name: str
) -> Tail:
    """`raw` less `offset`, times `scale`, is in the unit; `folded` samples were kept without their order."""
    least, most = _ends(raw, scale, offset)
    conditions = [_complete(lost, skipped, folded), _enough(len(raw)), *(_figures(least, most) if len(raw) else [])]
    tail = Tail(name, len(raw) + folded, most if math.isfinite(most) else None, ())
    if not all(one.holds for one in conditions):
        return _concluded(tail, conditions)
    seen = _in_unit(scan(raw), scale, offset)
    cut = _cut(seen, min(_MOST, int(len(raw) * _SHARE)), resolution)
    conditions.append(_visible(cut))
    if not conditions[-1].holds:
        return _concluded(tail, conditions)
    tail, tested = _examined(tail, seen, cut)
    return _concluded(tail, [*conditions, *tested])


@dataclass(frozen=True)
class _Cut:
    """The samples above a threshold, in the order of measuring."""

    threshold: float
    step: float  # of the clock, where it makes a difference
    shown: float  # of the clock
    places: Ints
    values: Floats

    @property
    def excess(self) -> Floats:
        return self.values - self.threshold


def _ends(raw: NDArray[Any], scale: float, offset: float) -> tuple[float, float]:
    """The smallest and the largest; not numbers where there are none, or where one of them is not."""
    ends = (float(raw.min()), float(raw.max())) if len(raw) else (math.nan, math.nan)
    return (ends[0] - offset) * scale, (ends[1] - offset) * scale


def _figures(least: float, most: float) -> list[Condition]:
    """Only where something is wrong with them."""
    if least > -_LARGEST and most < _LARGEST:
        return []
    return [Condition("figures", False, f"a sample is no number, or beyond {_LARGEST:g}")]


def _complete(lost: int, skipped: int, folded: int) -> Condition:
    name = "complete"
    if lost:
        return Condition(name, False, f"{_of(lost, 'sample')} lost, maybe the largest; measure without a loss")
    if skipped:
        what = f"{_of(skipped, 'activation')} skipped, so the samples do not show each one"
        return Condition(name, False, f"{what}; measure at a longer interval")
    if folded:
        what = f"{_of(folded, 'sample')} folded into bins, which keeps no order; measure without accumulating"
        return Condition(name, False, what)
    return Condition(name, True, "no sample was lost, no activation skipped")


def _of(count: int, what: str) -> str:
    return f"{count} {what} was" if count == 1 else f"{count} {what}s were"


def _enough(n: int) -> Condition:
    if n < FEWEST:
        return Condition("samples", False, f"{n} samples are too few, {FEWEST} are needed; measure longer")
    return Condition("samples", True, f"{n} samples")


def _visible(cut: _Cut) -> Condition:
    """The clock shows more than a few values in the tail."""
    mean = float(cut.excess.mean()) if len(cut.excess) else 0.0
    if len(cut.excess) < _LEAST or not mean > 0:
        what = f"only {len(cut.excess)} samples lie above the threshold, as so many are equal; measure longer"
        return Condition("resolution", False, f"{what}, or by a finer clock")
    if cut.shown > _COARSE * mean:
        what = f"the step of the values is {cut.shown / mean:.2f} of the tail's mean excess; measure by a finer clock"
        return Condition("resolution", False, what)
    if not cut.step:
        return Condition("resolution", True, "the values have no step that makes a difference")
    what = f"the step of the values is {cut.shown / mean:.2g} of the mean excess, which the fit allows for"
    return Condition("resolution", True, what)


def _in_unit(seen: Scan, scale: float, offset: float) -> Scan:
    return replace(
        seen,
        values=(seen.values - offset) * scale,
        maxima=(seen.maxima - offset) * scale,
        medians=(seen.medians - offset) * scale,
        ladder=tuple(((value - offset) * scale, count) for value, count in seen.ladder),
    )


def _cut(seen: Scan, most: int, resolution: float) -> _Cut:
    """At most so many samples above the threshold; fewer where equal ones lie at it."""
    ordered = np.sort(seen.values)
    at = float(ordered[-most - 1])
    above = ordered[ordered > at]
    shown = max(resolution, _step_shown(above))
    mean = float((above - at).mean()) if len(above) else 0.0
    step = shown if shown > _FINE * mean else 0.0
    threshold = at + step / 2
    which = seen.values > threshold
    return _Cut(threshold, step, shown, seen.places[which], seen.values[which])


def _step_shown(above: Floats) -> float:
    """The smallest distance of two values where many are equal, else 0."""
    distinct = np.unique(above)
    if len(distinct) < 2 or len(distinct) > 0.8 * len(above):
        return 0.0
    return float(np.diff(distinct).min())


def _examined(tail: Tail, seen: Scan, cut: _Cut) -> tuple[Tail, list[Condition]]:
    """The tail above the threshold, and all conditions on it."""
    found = order.clusters(cut.places, cut.values, seen.n)
    peaks, places = cut.values[found.peaks], cut.places[found.peaks]
    excess = peaks - cut.threshold
    tested = [order.independent(found, cut.places, cut.values, seen.n), _enough_peaks(len(peaks))]
    if len(peaks) >= _FEWEST_TO_ORDER:
        tested.append(order.stationary(seen, places, peaks, float(excess.mean())))
    if len(peaks) < _LEAST:
        return tail, tested
    data = gpd.excesses(excess, cut.step)
    best, rising = gpd.fit(data), np.sort(excess)
    tested += [
        order.without_period(places, seen.n),
        form.one_tail(rising, cut.step),
        form.fits(rising, best, cut.step),
        form.stable(rising, best, cut.step),
        _not_heavy(best.shape),
    ]
    others = np.delete(cut.values, found.peaks)
    tail = replace(
        tail,
        threshold=cut.threshold,
        step=cut.step,
        exceedances=len(cut.values),
        peaks=tuple(np.sort(peaks).tolist()),
        others=tuple(np.sort(others).tolist()),
        shape=_settled(best.shape),
        scale=_settled(best.scale),
        blocks=gev.fit(seen.maxima, seen.size),
        below=seen.ladder,
    )
    return tail, [*tested, _agrees(tail, found.index)]


def _enough_peaks(peaks: int) -> Condition:
    if peaks < _LEAST:
        return Condition("peaks", False, f"{peaks} independent exceedances are too few; measure longer")
    return Condition("peaks", True, f"{peaks} independent exceedances")


def _not_heavy(shape: float) -> Condition:
    if shape >= 0.9 * gpd.MOST_SHAPE:
        return Condition("weight", False, f"shape {shape:.2f}: so heavy a tail has no mean; find its cause")
    return Condition("weight", True, f"shape {shape:.2f}")


def _agrees(tail: Tail, index: float) -> Condition:
    """Block maxima say the same as peaks over threshold."""
    second = gev.level(tail.blocks, _FARTHEST, index) if tail.blocks else 0.0
    bound = level(tail, _FARTHEST, _SECOND)
    what = f"{BLOCKS} block maxima give {second:.4g} at {_FARTHEST:g}"
    what += f", peaks over threshold {bound.low:.4g} to {bound.high:.4g}"
    near = _NEAR * (bound.estimate - tail.threshold)
    if bound.low - near <= second <= bound.high + near:
        return Condition("second opinion", True, what)
    return Condition("second opinion", False, f"{what}: the methods do not agree; measure longer")


def _settled(figure: float) -> float:
    """Seven digits, which is what the search for the best fit is good for."""
    return float(f"{figure:.7g}")


def _concluded(tail: Tail, conditions: list[Condition]) -> Tail:
    """A refused tail keeps its conditions only."""
    broken = "; ".join(one.what for one in conditions if not one.holds)
    if broken:
        return Tail(tail.name, tail.n, tail.max, tuple(conditions), broken)
    return replace(tail, conditions=tuple(conditions))
