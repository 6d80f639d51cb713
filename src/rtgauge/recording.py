"""How the samples of a run are recorded: all of them, or the first ones and figures of the rest.

Samples are kept one by one up to STORE_BYTES in a run. A run that wants more is recorded in mode `accumulate`: of each
series the first samples are kept, as many for all alike as make RAW_BYTES, and the engine folds the rest into figures,
extremes with their times, and a count for each value, in memory that does not grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rtgauge.model import Descriptor

SAMPLE_BYTES = 18  # two 64-bit stamps and the small number
STORE_BYTES = 256 << 20
RAW_BYTES = 64 << 20
BUFFER_BYTES = 16 << 20  # of the engine, where samples are folded
LEAST_RAW = 1000  # of each series: bands and periods are looked for among them
CHECKPOINT_S = 45.0  # the engine sends what it has accumulated at least so often
CHECKPOINT_BYTES = 300_000  # about what it sends then, for each series
CHECKPOINT_MOST = 12 << 20  # and at the most


@dataclass(frozen=True)
class Recording:
    accumulate: bool
    raw: int  # samples of each series that are kept one by one
    memory: int  # bytes of the engine for samples


def recording(jobs: Sequence[tuple[Descriptor, int]], available: int, most: int = STORE_BYTES) -> Recording:
    """For tests with the samples that are wanted in each of their series. `available`: bytes of free memory; `most`:
    of samples that are all kept."""
    sizes = [(n, max(1, len(d.series)) * SAMPLE_BYTES) for d, n in jobs]
    half = available // 2
    if sum(n * size for n, size in sizes) <= most:
        return Recording(False, 0, _room(max((n * size for n, size in sizes), default=0), half))
    raw = max(LEAST_RAW, _share(sizes, min(most, RAW_BYTES)))
    kept = max((n * size for n, size in sizes if n <= raw), default=0)
    return Recording(True, raw, _room(max(kept, BUFFER_BYTES), half))


def _room(largest: int, most: int) -> int:
    """Bytes with room for every sample of the largest test; where that is too much, the engine pauses to drain."""
    return max(1 << 20, min((1 << 20) + largest + largest // 16, most))


def _share(sizes: Sequence[tuple[int, int]], budget: int) -> int:
    """The number of samples up to which each series is kept, so that all together fill the budget."""
    left, wide = budget, sum(size for _, size in sizes)
    for n, size in sorted(sizes):
        if n * wide > left:
            break
        left -= n * size
        wide -= size
    return left // wide if wide else 0


def trace_bytes(jobs: Sequence[tuple[Descriptor, int]], seconds: Sequence[float], raw: int) -> int:
    """About what the trace of an accumulating run takes, beside what is in every run."""
    kept = sum(min(n, raw) * len(d.series) * SAMPLE_BYTES for d, n in jobs)
    looks = sum(len(d.series) * (s / CHECKPOINT_S + 1) for (d, n), s in zip(jobs, seconds, strict=False) if n > raw)
    return kept + int(looks * CHECKPOINT_BYTES)
