"""What must be equal before two sides are held against each other, and what is under test and may differ.

Virtual time counts the instructions of one engine on one emulated machine: any other emulator, machine or engine counts
something else. Real time is of one machine, measured by one engine in one way. The operating
system is what the gate is for: kernel, command line and modules may differ, and are told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Told = dict[str, str]
_LONGEST = 4000  # characters of a value
_SHOWN = 60  # characters of a value in a message
_SUBJECT_FACTS = ("os", "release", "version", "kernel_command_line", "fault")
_OF_VIRTUAL = {
    "qemu": "QEMU",
    "emulator": "emulator",
    "emulator_files": "files of QEMU",
    "board": "board",
    "machine": "machine",
    "attached": "attached devices",
    "ns_per_instruction": "ns per instruction",
    "init": "init",
    "programs": "program run as a load",
}
"""What a manifest tells of virtual time that must be equal, and how it is called here. Its engine stands elsewhere."""
_ENGINE = "engine"
_VARIED = ("replica", "configuration")
"""What replicas vary, and the digest over everything, kernel and replica among it. All else is under test."""
_OF_REPLICAS = re.compile(r"(?<=-rtc base=)[^,\s]*|\s-append\s.*|\brtgauge\.\S+")
"""Parts of a machine's line and of a kernel's command line that differ between replicas, or are under test."""


def identity_of(content: Mapping[str, Any], manifest: Mapping[str, Any]) -> Told:
    """In the order in which it is looked at; what is not told is left out."""
    system = _map(content, "system")
    facts, clock = _map(system, "facts"), _map(system, "clock")
    virtual = _map(manifest, "virtual")
    time = "virtual" if virtual or "virtual" in str(clock.get("name") or "") else "real"
    told: dict[str, Any] = {"time": time}
    if virtual:
        told |= {shown: _without_replica(virtual.get(name)) for name, shown in _OF_VIRTUAL.items()}
    told[_ENGINE] = virtual.get("engine") or _map(manifest, "engine").get("sha256")
    if time == "real":
        imported = _map(manifest, "imported")
        told["origin"] = imported.get("format") if imported else manifest.get("target")
        told["host"] = None if imported else manifest.get("host")
        told["processor"] = facts.get("cpu_model") or facts.get("machine")
        told["processors"] = facts.get("cpus")
    told["clock"] = clock.get("name")
    told |= _asked(content.get("spec") or manifest.get("spec"))
    return _texts(told)


def subject_of(content: Mapping[str, Any], manifest: Mapping[str, Any]) -> Told:
    facts, virtual = _map(_map(content, "system"), "facts"), _map(manifest, "virtual")
    told = {name.replace("_", " "): facts.get(name) for name in _SUBJECT_FACTS}
    if virtual:
        told = {name: _without_replica(value) for name, value in told.items()}
    said = told["kernel command line"] is not None
    told |= {
        str(name).replace("_", " "): _without_replica(value)
        for name, value in sorted(virtual.items())
        if name not in (*_OF_VIRTUAL, *_VARIED, _ENGINE) and isinstance(value, str | int | float)
        if name != "command_line" or not said  # once: as the guest has read it
    }
    return _texts(told)


def ns_per_instruction(manifest: Mapping[str, Any]) -> float | None:
    """Of virtual time, where the manifest tells a sensible one."""
    value = _map(manifest, "virtual").get("ns_per_instruction")
    sensible = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e6
    return float(value) if sensible and value is not None else None


def first_difference(run: Mapping[str, str], base: Mapping[str, str], across: tuple[str, ...] = ()) -> str | None:
    """The first thing that must be equal and is not, in words; what is named in `across` may differ."""
    for name in [*base, *(name for name in run if name not in base)]:
        if name not in across and base.get(name) != run.get(name):
            texts = base.get(name), run.get(name)
            if _long(*texts):
                return f"{name} differs: {_change(*texts)}"
            return f"{name} differs: {_shown(texts[0])} in the base, {_shown(texts[1])} in the run"
    return None


def differences(run: Mapping[str, str], base: Mapping[str, str]) -> tuple[str, ...]:
    """Of what is under test, one line each."""
    names = [*base, *(name for name in run if name not in base)]
    changed = [name for name in names if base.get(name) != run.get(name)]
    return tuple(f"{name}: {_change(base.get(name), run.get(name))}" for name in changed)


def _change(base: str | None, run: str | None) -> str:
    """Of long lines the words that went and came."""
    if base is None or run is None or not _long(base, run):
        return f"{_shown(base)} -> {_shown(run)}"
    old, new = base.split(), run.split()
    words = [*(f"-{word}" for word in old if word not in new), *(f"+{word}" for word in new if word not in old)]
    return " ".join(words) or "the same words in another order"


def _asked(spec: object) -> dict[str, Any]:
    """How the engine was told to measure. Which tests, how many samples and the environment stand with each result."""
    if not isinstance(spec, Mapping):
        return {}
    return {
        "priority level": spec.get("level"),
        "CPU under test": spec.get("cpu"),
        "recording": "accumulated" if spec.get("accumulate") else "every sample",
        "kernel events recorded": "yes" if spec.get("blame") else "no",
        "break-on ns": spec.get("break_on_ns") or 0,
    }


def _texts(told: Mapping[str, Any]) -> Told:
    return {name: " ".join(str(value).split())[:_LONGEST] for name, value in told.items() if value not in (None, "")}


def _shown(value: str | None) -> str:
    if value is None:
        return "not told"
    is_hash = len(value) >= 40 and all(one in "0123456789abcdef" for one in value)
    return value[:12] if is_hash else value if len(value) <= _SHOWN else f"{value[:_SHOWN]}..."


def _long(base: str | None, run: str | None) -> bool:
    """Whether both are lines of many words."""
    return base is not None and run is not None and max(len(base), len(run)) > _SHOWN and " " in base + run


def _without_replica(value: object) -> object:
    return _OF_REPLICAS.sub("", value) if isinstance(value, str) else value


def _map(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = content.get(name)
    return value if isinstance(value, Mapping) else {}
