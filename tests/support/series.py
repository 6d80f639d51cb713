"""Samples without a trace, and those of one, for tests of what is computed from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rtgauge.model import Samples, SeriesInfo, SeriesTrace, Trace
from rtgauge.samples import to_samples
from rtgauge.stats.view import View, view_of


def make_samples(
    ticks: Any,
    *,
    starts: Any = None,
    aux: Any = None,
    aux_name: str = "",
    source: str = "stamp",
    unit: str = "ns",
    analyse: tuple[str, ...] = (),
    overhead: int = 0,
    resolution: int = 1,
    scale: float = 1.0,
    id: str = "THR-P-SLS",
    missing: tuple[tuple[int, int], ...] = (),
    resumed: tuple[int, ...] = (),
    dropped: int = 0,
    synthetic: Any = (),
    overruns: int = 0,
    width: int = 64,
    tick_ns: int | None = None,
) -> Samples:
    """A clock of 1 GHz that began at 0; starts are 10 us apart unless given."""
    wide = np.asarray(ticks, np.int64)
    fits = not len(wide) or (wide.min() >= -(2**31) and wide.max() < 2**31)
    n = len(wide)
    info = SeriesInfo("", unit, "before", "after", "the thread", aux_name, source, analyse)  # type: ignore[arg-type]
    raw = SeriesTrace(
        info=info,
        start=np.asarray(np.arange(n) * 10_000 if starts is None else starts).astype(np.uint64),
        ticks=wide.astype(np.int32) if fits else wide,
        aux=np.zeros(n, np.uint16) if aux is None else np.asarray(aux).astype(np.uint16),
        resumed=resumed,
        missing=missing,
        recorded=n,
        dropped=dropped,
    )
    return Samples(
        id=id,
        params={},
        raw=raw,
        unit=unit,
        scale=scale,
        overhead_ticks=overhead,
        resolution_ticks=resolution,
        origin=0,
        origin_s=0.0,
        tick_s=1e-9,
        tick_ns=tick_ns,
        width=width,
        cpu=1,
        synthetic=np.asarray(synthetic, np.float64),
        overruns=overruns,
    )


def make_view(ticks: Any, **more: Any) -> View:
    return view_of(make_samples(ticks, **more))


def samples_of(trace: Trace) -> list[list[Samples | None]]:
    """For each test of the trace, each of its series; None where the clock of the series is not known."""
    return [[to_samples(trace, test, series) for series in test.series] for test in trace.tests]
