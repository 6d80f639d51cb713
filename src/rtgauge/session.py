"""One run, from what the user wants to a folder that holds it all."""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rtgauge import __version__
from rtgauge._reserve import check, recover, reserving
from rtgauge._room import check_room
from rtgauge._signals import stop_on_signals
from rtgauge._tune import ENVIRONMENT, tuned
from rtgauge.errors import EXIT_FAILED, EXIT_OK, EXIT_TARGET, StoreError, UsageError
from rtgauge.loads import Chosen, choose
from rtgauge.loads.running import cpus_for, running
from rtgauge.plan import Plan, Wish, make_plan
from rtgauge.requirements import Requirement, to_json
from rtgauge.store.files import writing
from rtgauge.store.folder import RESULTS, SAMPLES, RunFolder
from rtgauge.store.kernel_config import write_config
from rtgauge.store.manifest import descriptors_to_json
from rtgauge.targets import open_target
from rtgauge.targets._workspace import workspace
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
    requirements: tuple[Requirement, ...] = ()  # beside the deadline
    tune: bool = False
    tag: str = ""
    audit: bool = False  # look at the configuration as well
    command: tuple[str, ...] = ()
    repeat: tuple[int, int] = (1, 1)  # this one, of how many
    series: str | None = None  # the name that the repeats have in common
    begun: datetime | None = None  # when, if that was before now: runs side by side are in the order of their begin


@dataclass(frozen=True)
class Finished:
    """A run that is stored. `why` is one line when not every test could be answered."""

    path: Path
    content: Mapping[str, Any]  # of results.json
    why: str | None
    exit_code: int  # of the run itself: no judgement but that of --break-on


def run(request: Request) -> Finished:
    """Measures, judges and stores. Raises UsageError or TargetError before anything is stored, and StoreError when not
    everything could be kept; what was measured until then is in the folder."""
    target = open_target(request.target, request.store)
    description = target.describe()
    loads = _loads(request, target, description)
    plan = _plan(request, target, description, loads)
    check_room(plan, request.store)
    with target.reserved(), tuned(request.tune), stop_on_signals() as stop, _workspace(request, target, plan) as files:
        if target.this_machine:
            recover()  # after a run that was killed
        findings = _audit() if request.audit and target.this_machine else None
        folder = RunFolder(request.store, target.name, _about(request, description, plan, findings), request.begun)
        with _kept(folder):
            if description.kernel_config is not None:
                write_config(folder, description.kernel_config)
            with _alone(target, plan, folder), running(loads.host, _cpus_for_loads(plan, description)) as beside:
                ending = _measure(target, plan, folder, stop, files)
            folder.note(loads=[asdict(load) for load in (*beside.loads, *ending.loads)])
            if ending.virtual is not None:
                folder.note(virtual=dict(ending.virtual))
            if ending.analyser is not None:
                folder.note(analyser=dict(ending.analyser))
            computed = _compute(folder, plan, ending)
            return _keep(folder, request, ending, computed, stop)


def _loads(request: Request, target: Target, description: Description) -> Chosen:
    """What is to run beside the tests; nothing where a target has its own ways."""
    if description.fixed is not None:
        return Chosen("none")
    wish = request.wish
    chosen = choose(wish.load, description.loads, target.name, target.this_machine, description.programs)
    if wish.cpus == "reserved" and chosen.name != "none" and len(description.cpus) == 1:
        raise UsageError(f"--cpus reserved leaves no CPU for loads: CPU {description.cpus[0]} is the only one here")
    return chosen


def _cpus_for_loads(plan: Plan, description: Description) -> tuple[int, ...]:
    """Those that a program may use that is a load."""
    return cpus_for(plan.spec.cpus, plan.spec.cpu, description.cpus) if description.cpus else ()


def _plan(request: Request, target: Target, description: Description, loads: Chosen) -> Plan:
    wish = request.wish
    if request.tune and not target.this_machine:
        raise UsageError(f"--tune changes this machine, target {target.name} is not on it")
    if request.tune:
        wish = replace(wish, environment={**wish.environment, **ENVIRONMENT})
    if description.fixed is not None:
        if replace(wish, profile=Wish.profile, live=False) != Wish():
            raise UsageError(f"target {target.name} gives again what was measured: nothing of it can be chosen")
        return Plan(description.fixed, description.descriptors, (0.0,) * len(description.fixed.jobs))
    if description.cpus and wish.cpu >= 0 and wish.cpu not in description.cpus:
        raise UsageError(f"CPU {wish.cpu} cannot be used: legal are {', '.join(map(str, description.cpus))}")
    if wish.cpus == "reserved":
        wish = replace(wish, cpu=_to_reserve(target, description, wish.cpu))
    return make_plan(description.descriptors, replace(wish, load=loads.name, loads=loads.engine), description.memory)


def _to_reserve(target: Target, description: Description, cpu: int) -> int:
    """The CPU under test by its number, when it can be reserved."""
    if not target.this_machine:
        raise UsageError(f"--cpus reserved moves what runs on this machine, target {target.name} is not on it")
    chosen = cpu if cpu >= 0 else max(description.cpus, default=0)
    check(chosen)
    return chosen


def _workspace(request: Request, target: Target, plan: Plan) -> AbstractContextManager[Path | None]:
    """A folder for what works with files: tests that say so, and loads. In the folder that the user names, else in the
    store."""
    named = request.wish.directory
    if named is not None and not target.this_machine:
        raise UsageError(f"--directory names a folder of this machine, target {target.name} is not on it")
    if not target.this_machine or not (plan.spec.loads or any("files" in one.needs for one in plan.descriptors)):
        return contextlib.nullcontext()
    if named is None:
        with writing(request.store):
            request.store.mkdir(parents=True, exist_ok=True)
    return workspace(Path(request.store if named is None else named))


def _audit() -> list[dict[str, Any]]:
    from rtgauge.audit import run_audit

    return [finding.as_dict() for finding in run_audit()]


@contextlib.contextmanager
def _alone(target: Target, plan: Plan, folder: RunFolder) -> Iterator[None]:
    """Gives the CPU under test to the block alone where that was asked for; what became of it is in the manifest."""
    with reserving(plan.spec.cpu if target.this_machine and plan.spec.cpus == "reserved" else None) as reservation:
        if reservation is None:
            yield
            return
        folder.note(reservation=reservation.told)
        yield
        reservation.look()
    folder.note(reservation=reservation.told)
    for line in reservation.told["not_put_back"]:
        folder.log(line)


def _measure(target: Target, plan: Plan, folder: RunFolder, stop: Stop, files: Path | None) -> Ending:
    """The trace of the run, in the folder."""
    from rtgauge._progress import shown
    from rtgauge.trace.frames import Kept

    folder.log(f"{len(plan.spec.jobs)} tests, about {sum(plan.estimates):.0f} s")
    kept = Kept()
    with shown(plan) as show:

        def take(chunk: bytes, events: Sequence[Event]) -> None:
            folder.write_trace(kept.of(chunk) if plan.spec.live else chunk)
            show(events)

        try:
            ending = target.run(plan.spec, plan.limits, take, stop, files)
            folder.write_trace(kept.rest())
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
    broke = _broke(computed.content)
    said = why or _first_death(ending) or broke or _without_events(computed.content)
    return Finished(folder.path, computed.content, said, _exit_code(ending, stop.asked(), bool(broke)))


def _left_out(ending: Ending) -> str | None:
    """Why not every test was run, if so."""
    names = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "terminated"}
    return names.get(signal.Signals(ending.signal), "stopped") if ending.signal else ending.why


def _first_death(ending: Ending) -> str | None:
    return ending.deaths[0].reason if ending.deaths else None


def _broke(content: Mapping[str, Any]) -> str | None:
    """Which sample was above the limit that ends the run, and what it is put down to, if one was."""
    for result in content["results"]:
        samples = (result.get("blame") or {}).get("samples") or ()
        told = [f"sample {one['index']} of {result['id']}: {one['verdict']}" for one in samples if one["broke"]]
        if told:
            return told[0]
    ended = [
        f"the run was ended at sample {line['value']} of {result['id']}, which was above the limit"
        for result in content["results"]
        for line in result["evidence"]
        if line["name"] == "break_on_sample"
    ]
    return ended[0] if ended else None


def _without_events(content: Mapping[str, Any]) -> str | None:
    """Why the worst samples are put down to nothing although that was asked for, if so."""
    lines = (line for result in content["results"] for line in result["evidence"])
    why = next((line["value"] for line in lines if line["name"] == "events_unavailable"), None)
    return None if why is None else f"no cause of any sample can be told: {why}"


def _exit_code(ending: Ending, signal_: int | None, broke: bool = False) -> int:
    """`signal_` may have come after the last test: the run is whole, but the user wants an end. A sample above the
    limit that ends the run fails it."""
    if signal_:
        return 128 + signal_
    if ending.why or ending.deaths:
        return EXIT_TARGET
    return EXIT_FAILED if broke else EXIT_OK


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
        "requirements": [to_json(one) for one in request.requirements],
        "spec": plan.spec.as_dict(),
        "descriptors": descriptors_to_json({d.id: d for d in plan.descriptors}.values()),
        "audit": findings,
        "reservation": None,
        "virtual": None if description.virtual is None else dict(description.virtual),
        "deaths": [],
        "loads": [],
        "left_out": None,
    }


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid())
