"""What a run says of the system that it measured, as settings by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rtgauge.compare.alike import PROFILE
from rtgauge.compare.parity import TIME, VIRTUAL
from rtgauge.ratings import is_virtual
from rtgauge.units import format_ns

Content = Mapping[str, Any]  # of results.json
Manifest = Mapping[str, Any]
_BY_ITSELF = ("processor", "memory_protection", "user_mode")  # of virtual time: settings under their own names
CALLED = {"configASSERT": "assertions", "configCHECK_FOR_STACK_OVERFLOW": "stack checks"}


def configuration(content: Content, manifest: Manifest, runs: int) -> dict[str, str]:
    """`runs`: how many repeats the run is one of; all have the same."""
    system = content.get("system") or {}
    facts, clock = system.get("facts") or {}, system.get("clock") or {}
    spec = content.get("spec") or manifest.get("spec") or {}
    environment = spec.get("environment") or {}
    memory, build = facts.get("memory_kb"), system.get("build") or {}
    virtual: Mapping[str, Any] = manifest.get("virtual") or {}
    told = {
        "run": manifest.get("run") if runs == 1 else manifest.get("series"),
        "figures": "measured" if runs == 1 else f"measured, {runs} runs",
        PROFILE: manifest.get("profile"),
        "samples": _samples(content),
        "year": str(content.get("created") or "")[:4],
        "platform": f"{manifest.get('host') or '?'} ({content.get('target') or '?'})",
        TIME: "virtual" if is_virtual(content, manifest) else "simulated" if facts.get("simulator") else "real",
        "OS": facts.get("os"),
        "version": " ".join(str(facts[name]) for name in ("release", "version") if facts.get(name)),
        "processor": virtual.get("processor") or facts.get("cpu_model") or facts.get("machine"),
        "processors": facts.get("cpus"),
        "memory MB": None if memory is None else round(int(memory) / 1024),
        "tick": _tick(content, facts),
        "preemption model": _finding(content, "preemption model") or _model(facts),
        "hypervisor": _finding(content, "hypervisor"),
        "kernel command line": facts.get("kernel_command_line"),
        "stamp clock": clock.get("name"),
        "engine": str((manifest.get("engine") or {}).get("sha256") or "")[:12],
        "compiler": build.get("compiler"),
        "optimisation": _optimisation(build),
        "compiler flags": build.get("flags"),
        **{name.replace("_", " "): text for name, text in build.items() if name not in ("compiler", "flags")},
        **{name: environment.get(name) for name in ("load", "cache", "cpus")},
        "load achieved": "; ".join(_achieved(manifest)),
        "observed": _observed(content),
        "memory protection": environment.get("memory")
        or virtual.get("memory_protection")
        or facts.get("memory_protection"),
        "user mode": virtual.get("user_mode"),
        **dict(_options(facts)),
        **{
            VIRTUAL + str(name).replace("_", " "): _virtual(str(name), value)
            for name, value in virtual.items()
            if name not in _BY_ITSELF
        },
    }
    return {str(name): str(text) for name, text in told.items() if text not in (None, "")}


def _samples(content: Content) -> str | None:
    """Of one run, all tests together."""
    counts = [int(entry["n"]) for entry in content.get("results") or () if entry.get("n")]
    return f"{sum(counts)} in {len(counts)} results" if counts else None


def _options(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Those that a system was built with and names, `system.option`, and among them what others call by other names."""
    for name, value in facts.items():
        _, dot, option = str(name).partition(".")
        if dot:
            yield option, value
            if option in CALLED:
                yield CALLED[option], "none" if value in (0, "0", "none") else value


def _achieved(manifest: Manifest) -> Iterator[str]:
    """What each load did, and for how long."""
    for load in manifest.get("loads") or ():
        took = load.get("exposure_ns")
        told = f"{load.get('name')}: {load.get('achieved')} {load.get('unit')}"
        yield f"{told} in {format_ns(took)}" if isinstance(took, int | float) and took > 0 else told


def _observed(content: Content) -> str | None:
    """For how long, in all tests together."""
    took = content.get("exposure_s")
    return format_ns(took * 1e9) if isinstance(took, int | float) and took > 0 else None


def _optimisation(build: Mapping[str, Any]) -> str | None:
    """The last one counts, as it does for compilers."""
    found: list[str] = re.findall(r"(?:^|\s)(-O\S*)", str(build.get("flags") or ""))
    return found[-1] if found else None


def _virtual(name: str, value: object) -> str:
    """The machine without what belongs to the system on it, which is told by itself, and without what replicas vary."""
    if name in ("machine", "attached"):
        return re.sub(r" -append .*| -rtc \S+", "", str(value))
    return _short(value)


def _short(value: object) -> str:
    """Enough of a digest to tell it from others."""
    text = "none" if value is None else str(value)
    return text[:12] if re.fullmatch(r"[0-9a-f]{64}", text) else text


def _tick(content: Content, facts: Mapping[str, Any]) -> str | None:
    """As the run found it, else as the system says."""
    lines = (line for entry in content.get("results") or () for line in entry.get("evidence") or ())
    ns = next((line.get("value") for line in lines if line.get("name") == "tick_ns"), facts.get("tick_ns"))
    return format_ns(ns) if isinstance(ns, int | float) else None


def _finding(content: Content, check: str) -> str | None:
    found = (one.get("summary") for one in content.get("audit") or () if one.get("check") == check)
    return next((str(text) for text in found if text), None)


def _model(facts: Mapping[str, Any]) -> str | None:
    """As the kernel was built, and of one that lets it be chosen, what was chosen when it began."""
    version = str(facts.get("version") or "")
    built = next((name for name in ("PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT") if name in version), None)
    chosen = re.findall(r"(?:^| )preempt=([a-z]+)", str(facts.get("kernel_command_line") or ""))
    return f"{chosen[-1]} ({built}, preempt={chosen[-1]})" if built == "PREEMPT_DYNAMIC" and chosen else built
