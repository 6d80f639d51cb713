"""The contract between the session and what it measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rtgauge.model import Descriptor, LoadInfo, LoadReport, Param, RunSpec

if TYPE_CHECKING:
    from rtgauge.trace.events import Event

Sink = Callable[[bytes, Sequence["Event"]], None]
"""Takes bytes of the trace as they arrive, and what a reader makes of them. What it raises ends the run."""


@dataclass(frozen=True)
class Description:
    """What a target says of itself before a run."""

    descriptors: tuple[Descriptor, ...]
    engine: str = ""  # name and version
    engine_path: str = ""
    engine_sha256: str = ""
    cpus: tuple[int, ...] = ()  # that a test may be put on; empty: not known
    loads: tuple[LoadInfo, ...] = ()  # that its engine has
    programs: tuple[str, ...] = ()  # loads that are programs and that it runs itself, as `environment` of a spec says
    fixed: RunSpec | None = None  # the only thing that it can run
    memory: int | None = None  # bytes that are free there; None: as many as here
    virtual: Mapping[str, Any] | None = None  # time is virtual there: all that its figures depend on
    kernel_config: str | None = None  # the options that its kernel was built with, as its configuration file has them


@dataclass(frozen=True)
class Death:
    """A job in which the engine died, hung or was killed."""

    id: str
    params: Mapping[str, Param]
    reason: str


@dataclass(frozen=True)
class Ending:
    """How a run ended. `why` is None when every job was answered for."""

    deaths: tuple[Death, ...] = ()
    signal: int | None = None  # that asked us to stop early
    why: str | None = None  # jobs were left out: the reason, one line
    notes: tuple[str, ...] = ()  # for the log
    loads: tuple[LoadReport, ...] = ()  # what programs did that the target ran as loads
    virtual: Mapping[str, Any] | None = None  # as in the description, and what only the run knows of it; None: the same
    analyser: Mapping[str, str | int] | None = None  # what was read from outside, for the manifest


@dataclass(frozen=True)
class Stop:
    """How a target learns that it is to stop: `asked` turns from None to a signal's number, and `fd` becomes readable
    then. Without an fd the target looks now and then."""

    asked: Callable[[], int | None] = field(default=lambda: None)
    fd: int | None = None


class Target(Protocol):
    """A target holds nothing open between calls. Errors are TargetError, or UsageError for a wrong address."""

    @property
    def name(self) -> str:
        """Its address, e.g. "local"."""

    @property
    def this_machine(self) -> bool:
        """Whether it is the machine that we run on: then --tune and the audit mean something."""

    @property
    def exact(self) -> bool:
        """Whether its figures are the same whatever else runs here: then several are measured side by side."""

    def describe(self) -> Description:
        """Asks what it offers."""

    def reserved(self) -> AbstractContextManager[None]:
        """Keeps others from measuring there during the block. TargetError when it is in use."""

    def run(
        self, spec: RunSpec, limits: Sequence[float], sink: Sink, stop: Stop, workspace: Path | None = None
    ) -> Ending:
        """Runs the jobs of `spec`, each for at most `limits[i]` seconds, and gives the trace to `sink` in order.
        `workspace`: an empty folder in which it may work with files. Inside of `reserved` only."""
