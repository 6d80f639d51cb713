"""The worst latency of a run, and what is known of its cause. Nothing is said that no record supports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rtgauge.findings import Result
from rtgauge.findings._results import evidence, has_figures
from rtgauge.findings._tick import of_the_tick, tick_ns
from rtgauge.findings.latency import is_latency
from rtgauge.units import format_ns
from rtgauge.verdict import DEADLINE_TEST

UNKNOWN = "Unknown: run with --blame to find it."

# Evidence of the measured thread, and counters of the CPU, that lengthen a sample when they grow. Counters of the whole
# process are no suspects: a test switches between its own threads on purpose.
_SUSPECTS = {
    "involuntary_switches": ("involuntary switch", "involuntary switches", "away from the measured thread"),
    "page_faults": ("page fault", "page faults", "of the measured thread"),
    "steal_ticks": ("tick", "ticks", "in which the hypervisor ran something else (steal)"),
    "throttled": ("time", "times", "that the scheduler throttled real-time threads"),
    "smi": ("firmware interruption", "firmware interruptions", "(SMI)"),
}


@dataclass(frozen=True)
class Worst:
    index: int  # of the result
    sample: Mapping[str, Any]  # one of its worst
    excess: float  # above the median of its series, ns


def latest(results: Sequence[Result]) -> Worst | None:
    """The latest wake-up of the test that deadlines are judged by."""
    found = (worst for worst in _worst(results) if results[worst.index]["id"] == DEADLINE_TEST)
    return max(found, key=lambda worst: float(worst.sample["value"]), default=None)


def farthest(results: Sequence[Result], but: str = "") -> Worst | None:
    """The latency that lies farthest above the median of its own series. `but`: the id of a test to leave out."""
    found = (worst for worst in _worst(results) if results[worst.index]["id"] != but)
    return max(found, key=lambda worst: worst.excess, default=None)


def _worst(results: Sequence[Result]) -> Iterable[Worst]:
    """The worst sample of every series of latencies."""
    for index, result in enumerate(results):
        if has_figures(result) and result.get("worst") and _latencies(result):
            sample = result["worst"][0]
            yield Worst(index, sample, float(sample["value"]) - float(result.get("median") or 0.0))


def _latencies(result: Result) -> bool:
    params, analyses = result.get("params") or {}, result.get("analysis") or {}
    return is_latency(str(result["id"]), params, result.get("unit"), result.get("source"), analyses)


def causes(
    result: Result, sample: Mapping[str, Any], results: Sequence[Result], system: Mapping[str, Any]
) -> list[str]:
    """What the records say about why this sample is so large, surest first; UNKNOWN where they explain nothing.

    Counters cover a whole test: they name suspects, and it is said that they do not name the sample.
    """
    tick = tick_ns([result, *results], system)
    by_tick = of_the_tick(result, tick, float(sample["value"])) if tick is not None else None
    told = [line for line in (_blamed(result, sample), _first(result, sample), by_tick) if line]
    explained = bool(told)
    suspects = _suspects(result)
    if suspects:
        told.append(f"The test saw {', '.join(suspects)}; whether one of them hit this sample is not known.")
    return told if explained else [UNKNOWN, *told]


def _blamed(result: Result, sample: Mapping[str, Any]) -> str | None:
    """What the system's own events tell of this very sample."""
    samples = (result.get("blame") or {}).get("samples") or ()
    verdict = next((str(one["verdict"]) for one in samples if one["index"] == sample.get("index")), None)
    return None if verdict is None else f"By the system's own events: {verdict.partition(': ')[2] or verdict}."


def _first(result: Result, sample: Mapping[str, Any]) -> str | None:
    if sample.get("index") != 0:
        return None
    later = result.get("max_after_first")
    if later is not None and float(later) >= float(sample["value"]):
        return None
    text = "It is the first sample of its series: the path pays for caches and page faults there."
    return text + (f" The largest after it is {format_ns(float(later))}." if later is not None else "")


def _suspects(result: Result) -> list[str]:
    grown: dict[str, int] = {}
    lines = [*((name, value) for name, value, _ in evidence(result)), *(result.get("counters") or {}).items()]
    for name, value in lines:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            grown.setdefault(str(name).replace("-", "_"), value)
    return [
        f"{grown[name]} {one if grown[name] == 1 else several} {rest}"
        for name, (one, several, rest) in _SUSPECTS.items()
        if name in grown
    ]
