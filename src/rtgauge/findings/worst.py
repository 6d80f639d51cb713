"""The worst sample of a run, and what is known of its cause. Nothing is said that no record supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.findings import Result
from rtgauge.findings._results import evidence, has_figures, timed
from rtgauge.findings._tick import of_the_tick, tick_ns
from rtgauge.units import format_ns

UNKNOWN = "Unknown: run with tracing to find it."

# Evidence of the measured thread, and counters of the CPU, that lengthen a sample when they grow. Counters of the whole
# process are no suspects: a test switches between its own threads on purpose.
_SUSPECTS = {
    "involuntary_switches": "involuntary switches away from the measured thread",
    "page_faults": "page faults of the measured thread",
    "steal_ticks": "ticks in which the hypervisor ran something else (steal)",
    "throttled": "times the scheduler throttled real-time threads",
    "smi": "firmware interruptions (SMI)",
}


def worst_of(results: Sequence[Result]) -> tuple[int, Mapping[str, Any], float] | None:
    """(index of the result, its worst sample, how far above its median) of the sample that lies farthest above the
    median of its own series, in time. Calibration is left out: it measures the instrument."""
    best: tuple[int, Mapping[str, Any], float] | None = None
    for index, result in enumerate(results):
        if not (has_figures(result) and timed(result) and result.get("worst")):
            continue
        sample = result["worst"][0]
        excess = float(sample["value"]) - float(result.get("median") or 0.0)
        if best is None or excess > best[2]:
            best = (index, sample, excess)
    return best


def causes(
    result: Result, sample: Mapping[str, Any], results: Sequence[Result], system: Mapping[str, Any]
) -> list[str]:
    """What the records say about why this sample is so large, surest first; UNKNOWN where they explain nothing.

    Counters cover a whole test: they name suspects, and it is said that they do not name the sample.
    """
    tick = tick_ns([result, *results], system)
    by_tick = of_the_tick(result, tick, float(sample["value"])) if tick is not None else None
    told = [line for line in (_first(result, sample), by_tick) if line]
    explained = bool(told)
    suspects = _suspects(result)
    if suspects:
        told.append(f"The test saw {', '.join(suspects)}; whether one of them hit this sample is not known.")
    return told if explained else [UNKNOWN, *told]


def _first(result: Result, sample: Mapping[str, Any]) -> str | None:
    if sample.get("index") != 0:
        return None
    later = result.get("max_after_first")
    text = "It is the first sample of its series: the path pays for caches and page faults there."
    return text + (f" The largest after it is {format_ns(float(later))}." if later is not None else "")


def _suspects(result: Result) -> list[str]:
    grown: dict[str, int] = {}
    lines = [*((name, value) for name, value, _ in evidence(result)), *(result.get("counters") or {}).items()]
    for name, value in lines:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            grown.setdefault(str(name).replace("-", "_"), value)
    return [f"{grown[name]} {what}" for name, what in _SUSPECTS.items() if name in grown]
