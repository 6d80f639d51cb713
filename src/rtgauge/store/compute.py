"""What a stored run says, computed from its trace and its manifest and nothing else: the same whenever it is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rtgauge.findings import find
from rtgauge.model import Result, RunSpec, Samples, Trace
from rtgauge.pipeline import judge
from rtgauge.results import to_json


@dataclass(frozen=True)
class Computed:
    content: dict[str, Any]  # of results.json
    series: Sequence[Samples | None]  # behind each of its results
