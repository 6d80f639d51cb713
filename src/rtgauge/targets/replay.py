"""A stored run as a target: its trace is read again, nothing is measured."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtgauge.errors import TargetError, UsageError
from rtgauge.model import Descriptor, RunSpec
from rtgauge.targets.base import Death, Description, Ending, Sink, Stop

if TYPE_CHECKING:
    from pathlib import Path

SUMMARY = "a stored run, read again"
EXAMPLE = "replay:last"
_CHUNK = 1 << 18


def open_target(rest: str) -> ReplayTarget:
    if not rest:
        raise UsageError("target replay needs a run: replay:RUN, e.g. replay:last")
    return ReplayTarget(rest)


@dataclass(frozen=True)
class ReplayTarget:
    run_name: str
    tunable: bool = False

    @property
    def name(self) -> str:
        return f"replay:{self.run_name}"

    def stored_spec(self) -> RunSpec:
        """What was asked of the run that is replayed; the request of a replay is always that."""
