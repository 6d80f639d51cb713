"""The diagrams of one result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rtgauge.model import Samples
from rtgauge.report import display, thin
from rtgauge.report.blocks import Figure
from rtgauge.report.view import Entry
from rtgauge.stats.distribution import of_samples

FEW = 20  # fewer samples than this are shown one by one: they have no distribution


def figures_of(entry: Entry, few: bool = False) -> list[Figure]:
    """Every sample against time, the distribution, the tail; against the declared number where that was analysed.
    Of a few samples there is no distribution; samples that are all alike are not drawn."""
    result = entry.result
    if not entry.has_figures or result["min"] == result["max"]:
        return []
    scale = display.scale_of(result)
    log = display.wide((result["min"], result["max"]))
    label = f"{_what(result.get('source'))}, {scale.unit}" if scale.unit else "value"
    figures = [figure for figure in (_against_time(entry, scale, label, log),) if figure]
    if few:
        return figures
    figures += [figure for figure in (_against_number(entry, scale, label),) if figure]
    histogram = _histogram(entry, scale, label, log)
    if histogram:
        figures.append(histogram)
    tail = _tail(entry, scale, label, log)
    if tail:
        figures.append(tail)
    return figures


def _fetch(samples: Samples) -> thin.Fetch:
    """Reads stretches of a series in raw ticks, so that no second copy of a large one is ever held."""
    raw, up = samples.raw, samples.tick_s > 0
    at = None if samples.width == 64 else samples.at  # a clock that wraps is unwrapped from its beginning

    def fetch(which: slice | thin.Indices) -> tuple[thin.Column, thin.Column]:
        if at is not None:
            return at[which], raw.ticks[which]
        since = (raw.start[which] - np.uint64(samples.origin)).view(np.int64)
        return since if up else -since, raw.ticks[which]

    return fetch


def _in_unit(samples: Samples, ticks: thin.Column) -> thin.Floats:
    return replace(samples, raw=replace(samples.raw, ticks=ticks)).value


def _what(source: object) -> str:
    return "value" if source == "value" else "time"


def _against_time(entry: Entry, scale: display.Scale, label: str, log: bool) -> Figure | None:
    samples = entry.samples
    if samples is None or samples.n == 0:
        return None
    kept, _, _ = thin.samples(_fetch(samples), samples.n)
    at, value = samples.at_of(kept), _in_unit(samples, samples.raw.ticks[kept])
    n = samples.n
    caption = f"All {display.count(n)} samples."
    if at.size < n:
        caption = f"{display.count(at.size)} of {display.count(n)} samples drawn; no extreme is left out."
    return Figure(
        "samples",
        "Samples against time",
        caption,
        "time since the run began, s",
        label,
        at,
        value / scale.factor,
        log=log,
    )


def _against_number(entry: Entry, scale: display.Scale, label: str) -> Figure | None:
    """Only where the host analysed the samples against the number that the test declares, e.g. waiters."""
    name = str(entry.result.get("aux") or "")
    samples = entry.samples
    if samples is None or name in {"", "cpu"} or not entry.result.get("analysis") or samples.raw.aux.size == 0:
        return None
    aux = samples.raw.aux
    if len(aux) != samples.n or aux.min() == aux.max():
        return None
    ticks = samples.raw.ticks
    kept, number, _ = thin.samples(lambda which: (aux[which], ticks[which]), samples.n)
    value = _in_unit(samples, samples.raw.ticks[kept])
    return Figure(
        "against",
        f"Samples against {name}",
        f"{display.count(kept.size)} of {display.count(samples.n)} samples drawn; the extremes for each are among them."
        if kept.size < samples.n
        else f"All {display.count(samples.n)} samples.",
        name,
        label,
        number.astype(np.float64),
        value / scale.factor,
        log=display.wide((entry.result["min"], entry.result["max"])),
    )


def _histogram(entry: Entry, scale: display.Scale, label: str, log: bool) -> Figure | None:
    rows = np.array(entry.result.get("histogram") or [], dtype=np.float64).reshape(-1, 3)
    rows = thin.bins(rows)
    if rows.size == 0:
        return None
    return Figure(
        "histogram",
        "Frequency",
        f"All {display.count(rows[:, 2].sum())} samples in {len(rows)} {'bin' if len(rows) == 1 else 'bins'}.",
        label,
        "samples in a bin",
        rows[:, 0] / scale.factor,
        rows[:, 2],
        rows[:, 1] / scale.factor,
        log=log and bool(rows[0, 0] > 0),
    )


def _tail(entry: Entry, scale: display.Scale, label: str, log: bool) -> Figure | None:
    if entry.samples is None or entry.samples.n == 0:
        return None
    found = of_samples(entry.samples.raw.ticks)
    value, share = thin.tail(_in_unit(entry.samples, found.values), found.counts)
    return Figure(
        "tail",
        "Tail",
        "Share of samples at or above a value.",
        label,
        "share of samples",
        value / scale.factor,
        share,
        log=log,
    )
