"""Points for and against a system, derived by rules from the results of one run. Each names the results behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from rtgauge.registry import plugins

Result = Mapping[str, Any]  # one entry of results.json
Rule = Callable[[Sequence[Result]], "Iterable[Finding]"]


@dataclass(frozen=True)
class Finding:
    """One point with its figures, and the results that it rests on."""

    kind: Literal["positive", "negative"]
    text: str
    because: tuple[Mapping[str, Any], ...]  # {"id", "params", "status"} of each result


def find(results: Sequence[Result]) -> list[dict[str, Any]]:
    """The points of all rules, as results.json keeps them: negative ones first, else in the order of the rules."""
    points = [point for rule in plugins("rtgauge.findings", "rule").values() for point in rule(results)]
    points.sort(key=lambda point: point.kind == "positive")
    return [{**asdict(point), "because": [dict(result) for result in point.because]} for point in points]
