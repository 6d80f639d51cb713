"""What a run tells of its reserved CPU, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_NAMES = 6  # told by name


def reserved_lines(told: Mapping[str, Any] | None) -> Iterator[str]:
    if not told:
        return
    moved = told["moved"]
    yield (
        f"CPU {told['cpu']} was reserved ({told['how']}): moved to CPU {told['others']} were {moved['tasks']} tasks, "
        f"{moved['kernel_threads']} kernel threads, {len(moved['interrupts'])} interrupts, "
        f"{len(moved['settings'])} settings"
    )
    for one in told["left"]:
        count = f"{one['count']} " if one["count"] is not None else ""
        names = f" ({_some(one['names'])})" if one["names"] else ""
        yield f"  stays: {count}{one['what']}{names}: {one['why']}"
    seen = told["seen"]
    if seen is not None:
        from rtgauge.units import format_value

        tasks = [f"{one['name']} {one['times']} times, {format_value(one['ns'], 'ns')}" for one in seen["tasks"]]
        yield f"  ran there in {seen['seconds']:.1f} s beside the test: {_some(tasks, '; ') or 'no other task'}"
        for kind in ("interrupts", "softirqs"):
            counted = [f"{one['name']} {one['count']}" for one in seen[kind]]
            yield f"  {kind} there: {_some(counted) or 'none'}"
    for line in told["not_put_back"]:
        yield f"  NOT PUT BACK: {line}"


def _some(names: Sequence[str], between: str = ", ") -> str:
    more = [f"and {len(names) - _NAMES} more"] if len(names) > _NAMES else []
    return between.join([*names[:_NAMES], *more])
