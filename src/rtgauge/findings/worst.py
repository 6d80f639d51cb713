"""The worst sample of a run, and what is known of its cause. Nothing is said that no record supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rtgauge.findings import Result
from rtgauge.findings._results import has_figures, ratio, time, timed
from rtgauge.findings._tick import tick_ns, tick_of_clusters, tick_of_period

UNKNOWN = "Unknown: run with tracing to find it."

# Counters whose growth during a test can lengthen a sample: (words in the counter's name, what it tells)
_DISTURBANCES = (
    (("steal",), "ticks in which the hypervisor ran something else (steal)"),
    (("involuntary",), "involuntary switches away from the measured thread"),
    (("major", "fault"), "page faults that waited for a disk"),
    (("minor", "fault"), "minor page faults"),
    (("throttl",), "throttling events"),
    (("smi",), "firmware interruptions (SMI)"),
)


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


def causes(result: Result, sample: Mapping[str, Any], system: Mapping[str, Any]) -> list[str]:
    """What the records say about why this sample is so large, surest first; UNKNOWN where they say nothing.

    Counters cover the whole test: they name a suspect, and say that they do not name the sample.
    """
    told = [*_of_the_sample(result, sample), *_of_the_tick(result, sample, system)]
    suspects = _suspects(result)
    if suspects:
        told.append(
            "During this test there were " + ", ".join(suspects) + "; whether one of them hit this sample is not known."
        )
    if not told:
        return [UNKNOWN]
    return told if any("tick" in line or "first" in line for line in told) else [*told, UNKNOWN]


def _of_the_sample(result: Result, sample: Mapping[str, Any]) -> list[str]:
    if sample.get("index") != 0:
        return []
    later = result.get("max_after_first")
    text = "It is the first sample of its series: creation paths pay for caches and page faults there."
    return [text + (f" The largest after it is {time(float(later))}." if later is not None else "")]


def _of_the_tick(result: Result, sample: Mapping[str, Any], system: Mapping[str, Any]) -> list[str]:
    tick = tick_ns([result], system)
    if tick is None:
        return []
    cluster = tick_of_clusters(result, tick, float(sample["value"]))
    if cluster is not None:
        return [f"It lies in a band of samples that comes at the rate of the clock tick ({time(tick)}): {cluster}."]
    period = tick_of_period(result, tick)
    if period is not None:
        return [f"Peaks of this series recur every {time(period)}, which matches the clock tick of {time(tick)}."]
    return []


def _suspects(result: Result) -> list[str]:
    """Named counters and evidence that grew during the test."""
    values: dict[str, int] = {}
    for name, value in [
        *(result.get("counters") or {}).items(),
        *((line.get("name"), line.get("value")) for line in result.get("evidence") or ()),
    ]:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            values.setdefault(str(name), value)
    found = []
    for words, what in _DISTURBANCES:
        hits = [value for name, value in values.items() if all(word in name.lower() for word in words)]
        if hits:
            found.append(f"{ratio(max(hits)) if max(hits) < 1000 else max(hits)} {what}")
    return found
