"""results.json as it is stored, in an order that never changes; with the run to run where the run is one of several."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rtgauge.repeats import to_json
from rtgauge.repeats.side_by_side import to_json as side_to_json
from rtgauge.report.view import RunView

_FIRST = ("schema", "run", "target", "created", "profile", "spec", "system", "verdict", "exposure_s", "results")
_FIRST_OF_RESULT = ("id", "params", "title", "question", "environment", "status", "reason", "unit", "n", "lost")


def render(run: RunView) -> str:
    """Well-known keys first, the rest by name, so that two reports of one run are equal to the byte."""
    content = _ordered(run.results, _FIRST)
    if run.repeats is not None:
        content["run_to_run"] = to_json(run.repeats)
    if run.side is not None:
        content["side_by_side"] = side_to_json(run.side)
    content["results"] = [_ordered(entry.result, _FIRST_OF_RESULT) for entry in run.entries]
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _ordered(content: Mapping[str, Any], first: tuple[str, ...]) -> dict[str, Any]:
    names = [name for name in first if name in content]
    return {name: _inner(name, content[name]) for name in [*names, *sorted(set(content) - set(names))]}


def _inner(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        # parameters and percentiles keep the order in which they were asked for and computed
        keys = value if name in {"params", "percentiles"} else sorted(value)
        return {key: _inner(key, value[key]) for key in keys}
    if isinstance(value, (list, tuple)):
        return [_inner("", one) for one in value]
    return value
