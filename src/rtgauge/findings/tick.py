"""The clock tick in the maxima: samples that it hits are longer than the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rtgauge.findings import Finding, Result
from rtgauge.findings._results import has_figures, negative, timed
from rtgauge.findings._tick import main_band, tick_band, tick_ns, tick_of_period
from rtgauge.findings.naming import label
from rtgauge.units import format_ns

_OWN = ("CLK-P-DUR", "CLK-B-CFG")  # they ask for the tick


def rule(results: Sequence[Result]) -> Iterator[Finding]:
    tick = tick_ns(results)
    if tick is None:
        return
    timed_ones = [r for r in results if has_figures(r) and timed(r) and r["id"] not in _OWN]
    hit = [r for r in timed_ones if tick_band(r, tick) is not None or tick_of_period(r, tick) is not None]
    if not hit:
        return
    most = max(hit, key=lambda result: _longer(result, tick))
    yield negative(
        f"The clock tick of {format_ns(tick)} shows in the largest samples of {len(hit)} of {len(timed_ones)} results: "
        f"up to {format_ns(_longer(most, tick))} longer, in {label(most, results)}.",
        *sorted(hit, key=lambda result: _longer(result, tick), reverse=True),
    )


def _longer(result: Result, tick: float) -> float:
    """What a hit costs: from the middle of the main band to that of the tick's; from the median where it has none."""
    band, main = tick_band(result, tick), main_band(result)
    if band is not None and main is not None:
        return float(band["median"]) - float(main["median"])
    top = (result.get("percentiles") or {}).get("99.9")
    return float(result["max"] if top is None else top) - float(result["median"])
