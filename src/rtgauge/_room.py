"""Whether the samples of a run will find room, told before hours are spent on them."""

from __future__ import annotations

import shutil
from pathlib import Path

from rtgauge.errors import UsageError
from rtgauge.plan import MOST_SAMPLES, Plan, available_memory
from rtgauge.recording import SAMPLE_BYTES, trace_bytes
from rtgauge.units import format_size

ASK_FROM = 64 << 20  # bytes: less is not worth a question
STORED_BYTES = 24  # a sample in the trace and in samples.parquet, at the least
HELD_BYTES = 14  # a sample in memory when the run is judged
WORKED_BYTES = 40  # beside that, each sample of the test at work


def check_room(plan: Plan, store: Path, memory: int | None = None, disk: int | None = None) -> None:
    """Raises UsageError when the disk of the store, or the memory, cannot hold the samples of `plan`.

    `memory` and `disk`: bytes that are free, by default those of this machine.
    """
    sizes = [(d, job.samples) for job, d in zip(plan.spec.jobs, plan.descriptors, strict=False)]
    most = plan.spec.raw if plan.spec.accumulate else MOST_SAMPLES
    counts = [min(n, most) * len(d.series) for d, n in sizes]
    stored = STORED_BYTES * sum(counts)
    if plan.spec.accumulate:
        stored += trace_bytes(sizes, plan.estimates, most) - SAMPLE_BYTES * sum(counts)
    held = HELD_BYTES * sum(counts) + WORKED_BYTES * max(counts, default=0)
    if stored > ASK_FROM:
        _refuse("on the disk of the store", stored, _free(store) if disk is None else disk)
    if held > ASK_FROM:
        _refuse("of memory to be judged", held, available_memory() if memory is None else memory)


def _refuse(what: str, needed: int, free: int) -> None:
    if needed > free:
        raise UsageError(
            f"the samples of this run need about {format_size(needed)} {what}, {format_size(free)} are free: "
            "take fewer samples, a shorter duration or fewer tests"
        )


def _free(store: Path) -> int:
    """Bytes that are free where the store is, or will be."""
    for folder in (store, *store.parents):
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return 1 << 62  # not known: the disk itself will say
