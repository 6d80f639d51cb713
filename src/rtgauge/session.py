"""One run, from what the user wants to a folder that holds it all."""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtgauge import __version__
from rtgauge._room import check_room
from rtgauge._signals import stop_on_signals
from rtgauge._tune import ENVIRONMENT, tuned
from rtgauge.errors import EXIT_OK, EXIT_TARGET, StoreError, UsageError
from rtgauge.plan import Plan, Wish, make_plan
from rtgauge.store.folder import RESULTS, SAMPLES, RunFolder
from rtgauge.store.manifest import descriptors_to_json
from rtgauge.targets import open_target
from rtgauge.targets.base import Description, Ending, Stop, Target

if TYPE_CHECKING:
    from rtgauge.store.compute import Computed
    from rtgauge.trace.events import Event


@dataclass(frozen=True)
class Request:
    """What one run is to be."""

    target: str
    wish: Wish
    store: Path
    deadline_ns: int | None = None
    tune: bool = False
    tag: str = ""
    audit: bool = False  # look at the configuration as well
    command: tuple[str, ...] = ()
    repeat: tuple[int, int] = (1, 1)  # this one, of how many
    series: str | None = None  # the name that the repeats have in common


@dataclass(frozen=True)
class Finished:
    """A run that is stored. `why` is one line when not every test could be answered."""

    path: Path
    content: Mapping[str, Any]  # of results.json
    why: str | None
    exit_code: int  # of the run itself, without any judgement


def run(request: Request) -> Finished:
    """Measures, judges and stores. Raises UsageError or TargetError before anything is stored, and StoreError when not
    everything could be kept; what was measured until then is in the folder."""
    target = open_target(request.target, request.store)
    description = target.describe()
    plan = _plan(request, target, description)
    check_room(plan, request.store)
    with target.reserved(), tuned(request.tune), stop_on_signals() as stop:
        findings = _audit() if request.audit and target.this_machine else None
        folder = RunFolder(request.store, target.name, _about(request, description, plan, findings))
        with _kept(folder):
            ending = _measure(target, plan, folder, stop)
            computed = _compute(folder, plan, ending)
            return _keep(folder, request, ending, computed, stop)


def _plan(request: Request, target: Target, description: Description) -> Plan:
    wish = request.wish
    if request.tune and not target.this_machine:
        raise UsageError(f"--tune changes this machine, target {target.name} is not on it")
    if request.tune:
        wish = replace(wish, environment={**wish.environment, **ENVIRONMENT})
    if description.fixed is not None:
        if replace(wish, profile=Wish.profile) != Wish():
            raise UsageError(f"target {target.name} gives again what was measured: nothing of it can be chosen")
        return Plan(description.fixed, description.descriptors, (0.0,) * len(description.fixed.jobs))
    if description.cpus and wish.cpu >= 0 and wish.cpu not in description.cpus:
        raise UsageError(f"CPU {wish.cpu} cannot be used: legal are {', '.join(map(str, description.cpus))}")
    return make_plan(description.descriptors, wish)


def _audit() -> list[dict[str, Any]]:
    from rtgauge.audit import run_audit

    return [finding.as_dict() for finding in run_audit()]


def _measure(target: Target, plan: Plan, folder: RunFolder, stop: Stop) -> Ending:
    """The trace of the run, in the folder."""
    from rtgauge._progress import shown

    folder.log(f"{len(plan.spec.jobs)} tests, about {sum(plan.estimates):.0f} s")
    with shown(plan) as show:

        def take(chunk: bytes, events: Sequence[Event]) -> None:
            folder.write_trace(chunk)
            show(events)

        try:
            ending = target.run(plan.spec, plan.limits, take, stop)
            folder.end_trace()
        except StoreError as error:  # what the disk took before is judged all the same
            ending = Ending(why=str(error))
    for line in (*ending.notes, *(death.reason for death in ending.deaths), ending.why):
        if line:
            folder.log(line)
    return ending


def _compute(folder: RunFolder, plan: Plan, ending: Ending) -> Computed:
    """Every figure, from the trace as it is stored."""
    from rtgauge.store.compute import compute
    from rtgauge.store.readers import load_trace

    deaths = [{"id": d.id, "params": dict(d.params), "reason": d.reason} for d in ending.deaths]
    folder.note(deaths=deaths, left_out=_left_out(ending))
    return compute(load_trace(folder.path), plan.spec, folder.manifest)


def _keep(folder: RunFolder, request: Request, ending: Ending, computed: Computed, stop: Stop) -> Finished:
    """Writes what was computed, and the manifest that says so."""
    from rtgauge.store.catalogue import index_run
    from rtgauge.store.samples import write_samples

    folder.write_json(RESULTS, computed.content)
    folder.write(SAMPLES, lambda file: write_samples(file, computed.series))
    state = "interrupted" if ending.signal else "broken" if ending.why else "complete"
    why = _left_out(ending)
    folder.finish(state, why=why)
    index_run(request.store)
    return Finished(folder.path, computed.content, why or _first_death(ending), _exit_code(ending, stop.asked()))


def _left_out(ending: Ending) -> str | None:
    """Why not every test was run, if so."""
    names = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "terminated"}
    return names.get(signal.Signals(ending.signal), "stopped") if ending.signal else ending.why


def _first_death(ending: Ending) -> str | None:
    return ending.deaths[0].reason if ending.deaths else None


def _exit_code(ending: Ending, signal_: int | None) -> int:
    """`signal_` may have come after the last test: the run is whole, but the user wants an end."""
    if signal_:
        return 128 + signal_
    return EXIT_TARGET if ending.why or ending.deaths else EXIT_OK


@contextlib.contextmanager
def _kept(folder: RunFolder) -> Iterator[None]:
    """Whatever ends the block early, the folder says why as far as it still can, and keeps what it has."""
    try:
        yield
    except StoreError as error:
        _close(folder, "broken", str(error))
        raise StoreError(f"{error}; what was measured is in {folder.path}") from error
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt)
        why = "stopped while results were written" if interrupted else str(error) or type(error).__name__
        _close(folder, "interrupted" if interrupted else "broken", why)
        raise
    finally:
        folder.abandon()


def _close(folder: RunFolder, state: str, why: str) -> None:
    with contextlib.suppress(StoreError, OSError):
        folder.log(why)
        folder.finish(state, why=why)


def _about(
    request: Request, description: Description, plan: Plan, findings: list[dict[str, Any]] | None
) -> dict[str, Any]:
    return {
        "why": None,
        "tag": request.tag,
        "repeat": {"number": request.repeat[0], "of": request.repeat[1]},
        "series": request.series,
        "user": _user(),
        "host": socket.gethostname(),
        "command": list(request.command),
        "versions": {
            "rtgauge": __version__,
            "engine": description.engine,
            "python": platform.python_version(),
            "host_os": platform.platform(),
        },
        "engine": {"path": description.engine_path, "sha256": description.engine_sha256},
        "profile": request.wish.profile,
        "deadline_ns": request.deadline_ns,
        "spec": plan.spec.as_dict(),
        "descriptors": descriptors_to_json({d.id: d for d in plan.descriptors}.values()),
        "audit": findings,
        "deaths": [],
        "left_out": None,
    }


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid())
