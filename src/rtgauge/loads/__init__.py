"""Work that runs beside the tests. Most loads are the engine's own, which says which it has; a program that is the
standard for one is a module here that defines LOAD, and runs on this machine, or where a target says that it can."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rtgauge.errors import UsageError
from rtgauge.loads.base import HostLoad
from rtgauge.model import LoadInfo
from rtgauge.registry import pick, plugins

NONE = "none"
GROUPS: Mapping[str, tuple[str, ...]] = {
    "heavy": ("cpu", "disk", "interrupt", "network", "syscall", "memory", "filesearch"),
}
"""Names for several loads at once: `heavy` is what published evaluations run together."""


@dataclass(frozen=True)
class Chosen:
    """The loads of a run. `name` is what its environment says."""

    name: str
    engine: tuple[str, ...] = ()
    host: tuple[HostLoad, ...] = ()


def choose(
    text: str, known: Sequence[LoadInfo], target: str, this_machine: bool, programs_there: Sequence[str] = ()
) -> Chosen:
    """The loads that `text` names ("none", "cpu", "cpu+disk", "heavy"). `known`: those of the target's engine;
    `programs_there`: those that are programs and that the target itself starts, as the environment of its run says.

    Raises UsageError, with the legal names, for one that does not exist, and TargetError for a program that is missing.
    """
    names = list(dict.fromkeys(re.split(r"\s*\+\s*", text.strip())))
    if names == [NONE]:
        return Chosen(NONE)
    every: dict[str, tuple[str, ...] | HostLoad] = {
        one["name"]: () for one in offered(known, this_machine, programs_there)
    }
    known_programs = programs()
    engine: list[str] = []
    host: list[HostLoad] = []
    for name in names:
        if name in known_programs and name not in every:
            raise UsageError(f"load {name} is a program that runs on this machine, target {target} is not on it")
        pick("load", name, every)
        if name in programs_there:
            continue
        if name in known_programs:
            known_programs[name].require()
            host.append(known_programs[name])
        else:
            engine += GROUPS.get(name, (name,))
    return Chosen("+".join(names), tuple(dict.fromkeys(engine)), tuple(host))


def programs() -> Mapping[str, HostLoad]:
    """The loads that are programs, by name."""
    return plugins(__name__, "LOAD")


def offered(known: Sequence[LoadInfo], this_machine: bool, programs_there: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What a target can run, by name: where, what, and what is missing for it (None: nothing)."""
    here = {one.name: one for one in known}
    rows: list[dict[str, Any]] = [
        {"where": "engine", **_fields(one), "of": [], "package": None, "missing": None} for one in known
    ]
    for name, parts in GROUPS.items():
        if all(part in here for part in parts):
            what = f"all of {', '.join(parts)}"
            rows.append(_row(name, "engine", what, "each as by itself", of=list(parts)))
    for load in programs().values():
        if this_machine or load.name in programs_there:
            row = _row(
                load.name, "this machine" if this_machine else "the target", load.what, load.degree, unit=load.unit
            )
            rows.append({**row, "package": load.package, "missing": load.missing() if this_machine else None})
    return sorted(rows, key=lambda row: row["name"])


def _fields(load: LoadInfo) -> dict[str, Any]:
    return {
        "name": load.name,
        "what": load.what,
        "degree": load.degree,
        "unit": load.unit,
        "wanted": load.wanted or None,
    }


def _row(name: str, where: str, what: str, degree: str, unit: str | None = None, **more: Any) -> dict[str, Any]:
    row = {"where": where, "name": name, "what": what, "degree": degree, "unit": unit, "wanted": None}
    return {**row, "of": [], "package": None, "missing": None, **more}
