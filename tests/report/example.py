"""A run as large as a quick one on a real machine: about 70 series of 10 000 samples, and every sort of result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rtgauge import __version__
from rtgauge.findings import find
from rtgauge.model import Samples, SeriesInfo, SeriesTrace
from rtgauge.report import RunView

TICK = 4_000_000  # ns
OVERHEAD = 36  # ticks of 0.5 ns
N = 10_000
ENVIRONMENT = {"load": "none", "cache": "hot", "cpus": "one"}
_RNG = np.random.default_rng


def view(entries: list[tuple[dict[str, Any], Samples | None]], **top: Any) -> RunView:
    results = [result for result, _ in entries]
    content: dict[str, Any] = {
        "schema": 1,
        "run": "20260301-101500-local-0a1b2c",
        "target": "local",
        "created": "2026-03-01T10:15:00Z",
        "profile": "quick",
        "spec": {"cache": "hot"},
        "system": _system(),
        "verdict": {
            "ruling": "inconclusive",
            "reason": "No requirement was given, and 2 tests could not be judged.",
            "details": [
                "MUT-P-ARC: a thread did not get its priority",
                "THR-B-RR: another thread used half of the time",
            ],
        },
        "exposure_s": 61.4,
        "results": results,
        "findings": [],
        "audit": _audit(),
        "problems": [],
    }
    return RunView({**content, **top}, manifest(results), [samples for _, samples in entries])


def manifest(results: list[dict[str, Any]]) -> dict[str, Any]:
    """That of a run on this machine which has these results, as far as a report tells of it."""
    return {
        "state": "complete",
        "created": "2026-03-01T10:15:00Z",
        "finished": "2026-03-01T10:16:12Z",
        "tag": "",
        "repeat": {"number": 1, "of": 1},
        "user": "ada",
        "host": "bench",
        "command": ["rtgauge", "evaluate"],
        "versions": {"rtgauge": __version__, "engine": "rtgauge-engine 0.1.0", "python": "3.11.7"},
        "engine": {"sha256": "ea" * 32},
        "deadline_ns": None,
        "spec": {"jobs": [{"id": "CAL-P-TRC", "samples": N, "params": {}}], "cpu": -1, "memory": 1 << 20},
        "files": {"trace.cbor": {"sha256": "0b" * 32, "bytes": 27_238_506}},
        "descriptors": [descriptor(id_) for id_ in dict.fromkeys(str(one["id"]) for one in results)],
    }


def descriptor(id_: str) -> dict[str, Any]:
    series = {
        "name": "",
        "unit": "ns",
        "start": "before the call",
        "stop": "after it",
        "thread": "HI",
        "source": "stamp",
    }
    return {"id": id_, "question": TITLES.get(id_, ("", "?"))[1], "params": [], "series": [series]}


def result(id_: str, params: Mapping[str, Any] | None = None, **values: Any) -> dict[str, Any]:
    """One entry of results.json without samples, whole in its shape."""
    base: dict[str, Any] = {
        "id": id_,
        "title": TITLES.get(id_, (id_, ""))[0],
        "question": TITLES.get(id_, ("", "What does this test ask?"))[1],
        "params": dict(params or {}),
        "environment": dict(ENVIRONMENT),
        "status": "ok",
        "reason": None,
        "unit": None,
        "mode": "store",
        "checks": [],
        "unchecked": [],
        "evidence": [],
        "counters": {},
    }
    return {**base, **values}


def timed(
    id_: str,
    params: Mapping[str, Any],
    value: NDArray[np.float64],
    at: NDArray[np.float64] | None = None,
    **values: Any,
) -> tuple[dict[str, Any], Samples]:
    """A result with figures, and the samples behind it. Figures are computed here only to have something to show."""
    n = value.size
    at = np.cumsum(np.full(n, 1e-4)) + 3.0 if at is None else at
    aux = np.asarray(values.pop("numbers", np.ones(n)), dtype=np.uint16)
    info = SeriesInfo("", "ns", "before the call", "after it", "the HI thread", values.get("aux", "cpu"), "stamp", ())
    start = np.rint((at - at[0]) * 2e9).astype(np.uint64)  # a clock of 2 GHz: one tick is 0.5 ns
    ticks = np.rint(value * 2).astype(np.int64) + OVERHEAD
    raw = SeriesTrace(info, start, ticks, aux, recorded=n)
    samples = Samples(id_, params, raw, "ns", 0.5, OVERHEAD, 1, 0, float(at[0]), 0.5e-9, 64, 1, np.empty(0))
    worst = np.argsort(value, kind="stable")[::-1][:10]
    counts, edges = np.histogram(value, bins=np.unique(np.geomspace(max(value.min(), 1), value.max() + 1, 160)))
    below = int((value < edges[0]).sum())
    figures = {
        "unit": "ns",
        "source": "stamp",
        "aux": "cpu",
        "stamps": {
            "start": "in the yielding thread, just before the call",
            "stop": "in the next thread, first instruction after its own call returned",
            "thread": "each of the equal threads in turn, on the CPU under test",
        },
        "n": n,
        "lost": 0,
        "negatives": 0,
        "min": float(value.min()),
        "avg": float(value.mean()),
        "max": float(value.max()),
        "median": float(np.median(value)),
        "percentiles": {k: float(np.percentile(value, float(k))) for k in ("50", "99", "99.9")},
        "first": float(value[0]),
        "max_after_first": float(value[1:].max()),
        "worst": [{"value": float(value[i]), "at": float(at[i]), "cpu": 1, "index": int(i)} for i in worst],
        "histogram": [[float(edges[0]) - 1, float(edges[0]), below]] * bool(below)
        + [[float(a), float(b), int(c)] for a, b, c in zip(edges, edges[1:], counts, strict=False) if c],
        "clusters": [],
        "period": None,
        "unmeasurable": False,
        "exposure_s": float(at[-1] - at[0]),
        "overhead": 18.0,
        "resolution": 0.5,
        "synthetic": None,
        "analysis": {},
        "evidence": [
            {"name": "policy", "value": "SCHED_FIFO", "unit": ""},
            {"name": "level", "value": 70, "unit": ""},
            {"name": "involuntary_switches", "value": 0, "unit": ""},
            {"name": "page_faults", "value": 0, "unit": ""},
        ],
        "counters": {"timer_interrupts": 262, "minor_faults": 0, "steal_ticks": 0},
    }
    return result(id_, params, **{**figures, **values}), samples


def banded(rng: np.random.Generator, base: float, spread: float, band: float, n: int = N) -> NDArray[np.float64]:
    """A skewed bulk, a second band at every 40th sample (the tick), a few outliers, a slow first sample."""
    value = base + rng.gamma(3.0, spread, n)
    value[::40] += band + rng.gamma(2.0, spread * 2, value[::40].size)
    value[rng.integers(1, n, 3)] += band * rng.uniform(5, 12, 3)
    value[0] += band * 3
    return np.rint(value * 2) / 2


@cache
def big_run() -> RunView:
    rng = _RNG(20260301)
    entries: list[tuple[dict[str, Any], Samples | None]] = [
        timed("CAL-P-TRC", {}, 18 + np.rint(rng.gamma(2, 1, N)), evidence=[_line("tick_ns", TICK, "ns")]),
    ]
    sweeps: list[tuple[str, list[dict[str, Any]], float, float]] = [
        ("CAL-P-CPU", [{"part": p} for p in ("code-first", "code-evicted", "code-repeated", "code-small")], 4e5, 9e4),
        ("CLK-P-DUR", [{"variant": v} for v in ("plain", "queued", "timer")], 4e5, 2600),
        ("CLK-P-GET", [{"path": "syscall"}, {"path": "user"}], 95, 2400),
        ("THR-P-SLS", [{"threads": t} for t in (2, 10, 128, 1000)], 1100, 2600),
        (
            "THR-P-NEW",
            [{"scenario": s, "part": p} for s in ("run-terminate", "run-block") for p in ("create", "delete")],
            14_000,
            8000,
        ),
        (
            "SEM-P-NEW",
            [{"scenario": u, "part": p} for u in ("unused", "used") for p in ("creation", "deletion")],
            240,
            900,
        ),
        (
            "SEM-P-ARN",
            [{"kind": k, "name": m, "part": p} for k in ("counting", "binary") for m in ("unnamed", "named")
             for p in ("acquire", "release")],
            38,
            700,
        ),
        ("SEM-P-ARC", [{"part": "acquire"}, {"part": "release"}], 2900, 3100),
        (
            "MUT-P-ARN",
            [{"protocol": r, "part": p} for r in ("inherit", "protect", "none") for p in ("lock", "unlock")],
            31,
            800,
        ),
        ("MUT-P-ARC", [{"part": "acquire"}, {"part": "release"}], 3100, 2900),
        (
            "MUT-P-INV",
            [{"kind": "mutex", "from": f, "mid-work": w} for f in ("request", "low-acquire") for w in ("0us", "10ms")],
            9_800,
            4000,
        ),
        ("TMR-P-CYC", [{"interval": i, "threads": t} for i in ("500us", "1ms") for t in (1, 4)], 3400, 21_000),
    ]  # fmt: skip
    for id_, variants, base, band in sweeps:
        for i, params in enumerate(variants):
            value = banded(rng, base * (1 + 0.2 * i), base * 0.02, band)
            entries.append(timed(id_, params, value, np.cumsum(rng.uniform(0.8e-4, 1.2e-4, N)) + len(entries)))
    for path in ("syscall", "user", "vdso"):  # fills up to the size of a real run
        for load in ("heavy", "hackbench", "bus"):
            entries.append(
                timed(
                    "CLK-P-GET",
                    {"path": path},
                    banded(rng, 95, 4, 5200),
                    environment={**ENVIRONMENT, "load": load},
                )
            )
    entries += _waiters(rng)
    entries += _small(rng)
    entries[0][0]["evidence"].append(_line("involuntary_switches", 2, ""))
    _decorate(entries)
    entries += [(r, None) for r in _without_figures()]
    return view(entries, findings=find([entry for entry, _ in entries]))


def _decorate(entries: list[tuple[dict[str, Any], Samples | None]]) -> None:
    for entry, _ in entries:
        if entry["id"] == "THR-P-SLS":
            entry["clusters"] = [
                {"from": entry["min"], "to": entry["median"] * 1.4, "count": N - 250, "median": entry["median"]},
                {"from": entry["median"] * 2, "to": entry["max"], "count": 250, "median": entry["median"] + 2600},
            ]
            entry["period"] = {"period_s": 0.004, "n": 250, "strength": 0.98, "chance": 1e-12}


def _waiters(rng: np.random.Generator) -> list[tuple[dict[str, Any], Samples | None]]:
    waiters = np.repeat(np.arange(1, 256), 20)
    parts = []
    for part, per in (("acquire", 0.02), ("release", 220.0)):
        value = 2400 + per * waiters + rng.gamma(3, 40, waiters.size)
        slope = {
            "verdict": "grows" if per > 1 else "constant",
            "against": "waiters",
            "points": 255,
            **{"from": 1, "to": 255, "at_from": float(value[0]), "at_to": float(value[-1])},
            **{"slope": per, "low": per * 0.98, "high": per * 1.02},
        }
        parts.append(
            timed("SEM-P-SCL", {"part": part}, value, aux="waiters", numbers=waiters, analysis={"slope": slope})
        )
    return parts  # type: ignore[return-value]


def _small(rng: np.random.Generator) -> list[tuple[dict[str, Any], Samples | None]]:
    return [
        timed("MUT-P-ARN", {"protocol": "none", "batch": 1}, np.rint(rng.gamma(1, 0.4, N)), unmeasurable=True),
        timed("SEM-P-NEW", {"use": "named"}, banded(rng, 5000, 100, 900), lost=12),
    ]


def _without_figures() -> list[dict[str, Any]]:
    def check(name: str, role: str, holds: bool, what: str) -> dict[str, Any]:
        return {"name": name, "role": role, "holds": holds, "what": what}

    return [
        result(
            "SEM-B-REL",
            status="pass",
            checks=[
                check("highest-first", "property", True, "The highest-priority waiter is released first."),
                check("equal-in-order", "property", True, "Equal waiters are released in order of arrival."),
                check("plain-queue", "control", False, "A queue without priorities releases the highest first."),
                check("normal-class", "report", True, "Waiters of the normal class are served in order."),
            ],
            unchecked=[{"name": "robust-list", "why": "this system has none"}],
        ),
        result(
            "THR-B-NEW",
            status="fail",
            reason="1 of 4 properties does not hold",
            checks=[
                check("lower-waits", "property", True, "A created lower-priority thread waits for the creator."),
                check(
                    "equal-tail", "property", False, "A created equal-priority thread goes to the tail of its queue."
                ),
            ],
        ),
        result("MUT-B-ARC", {"protocol": "protect"}, status="not-supported", reason="this system has no ceilings"),
        result("MEM-B-LEK", status="inconclusive", reason="another process took memory meanwhile"),
        result("THR-B-RR", status="invalid", reason="the FIFO control shared the CPU as well"),
    ]


def _line(name: str, value: int | str, unit: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit}


def _system() -> dict[str, Any]:
    return {
        "facts": {
            "os": "Linux",
            "release": "6.1.0-rt",
            "version": "#1 SMP PREEMPT_RT",
            "machine": "x86_64",
            "cpus": 2,
            "levels": 99,
            "cmdline": "quiet isolcpus=1 nohz_full=1 rcu_nocbs=1",
            "hypervisor": "kvm",
        },
        "clock": {
            "name": "x86-tsc",
            "why": "invariant, and the kernel uses it as its own clock source",
            "rejected": [{"name": "hpet", "why": "slower to read than what is measured"}],
            "width": 64,
            "direction": 1,
            "rate_num": 1_996_249_000,
            "rate_den": 1,
            "rate_ppb": 850,
            "resolution": 1,
            "overhead": 36,
            "monotonic": True,
            "cpu_offset": 90,
        },
    }


def _audit() -> list[dict[str, Any]]:
    rows = [
        ("preemption", "fail", "the kernel is PREEMPT_DYNAMIC, not PREEMPT_RT", "Long stretches cannot be pre-empted.",
         "Install the distribution's real-time kernel package and start it."),
        ("throttling", "warn", "sched_rt_runtime_us is 950000", "Real-time threads are stopped for 5 % of each second.",
         "sysctl kernel.sched_rt_runtime_us=-1"),
        ("governor", "unknown", "cannot be read in a virtual machine", "A CPU that must speed up first is late.", ""),
        ("swap", "ok", "no swap is active", "A page that must come back from a disk takes milliseconds.", ""),
    ]  # fmt: skip
    return [
        {"check": c, "status": s, "summary": f, "why": w, "fix": x, "evidence": [], "guideline": ""}
        for c, s, f, w, x in rows
    ]


TITLES = {
    "CAL-P-TRC": ("Stamp overhead", "How long does one stamp take?"),
    "CAL-P-CPU": ("Processor and cache effect", "How much does a cold cache cost?"),
    "CLK-P-DUR": ("Clock tick processing", "How long does the processing of one clock tick take?"),
    "CLK-P-GET": ("Clock read", "How long is a thread kept from reading the time of day?"),
    "THR-P-SLS": ("Switch latency", "How long does a switch between threads of equal priority take?"),
    "THR-P-NEW": ("Thread creation and deletion", "How long does it take to create and to delete a thread?"),
    "SEM-P-NEW": ("Semaphore creation", "How long does it take to create and to delete a semaphore?"),
    "SEM-P-ARN": ("Semaphore, no contention", "How long do acquire and release take when nobody waits?"),
    "SEM-P-ARC": ("Semaphore, contention", "How long do acquire and release take when 128 threads wait?"),
    "SEM-P-SCL": ("Cost against waiters", "Does the cost of a semaphore grow with the number of waiters?"),
    "MUT-P-ARN": ("Mutex, no contention", "How long do lock and unlock of a free mutex take?"),
    "MUT-P-ARC": ("Mutex, contention", "How long do request and release take when two threads contend?"),
    "MUT-P-INV": ("Whole inversion", "How long does a high thread wait for a mutex that a low one holds?"),
    "TMR-P-CYC": ("Periodic wake-up", "How late does a periodic thread wake up?"),
    "SEM-B-REL": ("Release order", "Is the waiter of the highest priority released first?"),
    "THR-B-NEW": ("Creation behaviour", "When does a new thread run?"),
    "THR-B-RR": ("Round robin", "Do threads of equal priority share the CPU fairly?"),
    "MUT-B-ARC": ("Inversion avoidance", "Does the mutex keep a middle thread from running?"),
    "MEM-B-LEK": ("Leak", "Does the system give back all memory of deleted objects?"),
}
