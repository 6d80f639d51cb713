"""What a manifest tells of a CPU that was reserved. It may come from anywhere: it is read piece by piece."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

from rtgauge.errors import StoreError

_Kinds = dict[str, Callable[[Any], Any]]


def reservation_from_json(content: object) -> dict[str, Any] | None:
    """What is told of a reserved CPU, None where none was. Raises StoreError when it is something else."""
    if content is None:
        return None
    try:
        told = cast(dict[str, Any], content)
        moved, seen = told["moved"], told["seen"]
        return {
            "cpu": _whole(told["cpu"]),
            "others": str(told["others"]),
            "how": str(told["how"]),
            "moved": {
                **{name: _whole(moved[name]) for name in ("tasks", "kernel_threads")},
                **{name: [str(one) for one in moved[name]] for name in ("interrupts", "settings")},
            },
            "left": [_left(one) for one in told["left"]],
            "seen": None if seen is None else _seen(seen),
            "not_put_back": [str(one) for one in told["not_put_back"]],
        }
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise StoreError(f"what manifest.json tells of the reserved CPU is damaged: {error!r}") from error


def _left(one: Any) -> dict[str, Any]:
    count = one["count"]
    return {
        "what": str(one["what"]),
        "names": [str(name) for name in one["names"]],
        "count": None if count is None else _whole(count),
        "why": str(one["why"]),
    }


def _seen(seen: Any) -> dict[str, Any]:
    kinds: _Kinds = {"name": str, "times": _whole, "ns": _whole, "bound": bool, "id": _whole}
    counted: _Kinds = {"name": str, "line": str, "count": _whole}
    return {
        "seconds": _finite(seen["seconds"]),
        "tasks": [{name: kind(one[name]) for name, kind in kinds.items()} for one in seen["tasks"]],
        **{
            group: [{name: kind(one[name]) for name, kind in counted.items()} for one in seen[group]]
            for group in ("interrupts", "softirqs")
        },
    }


def _whole(value: Any) -> int:
    if int(value) < 0:
        raise ValueError(value)
    return int(value)


def _finite(value: Any) -> float:
    if not math.isfinite(float(value)):
        raise ValueError(value)
    return float(value)
