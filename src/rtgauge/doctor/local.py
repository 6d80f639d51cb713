"""This machine as a target."""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path

from rtgauge.audit import System, clock_source, memory_lock, realtime_permission, rt_group_sched
from rtgauge.audit._probes import Trial
from rtgauge.audit.container import evidence as container_evidence
from rtgauge.doctor._engine import Granted, granted, present, runs
from rtgauge.doctor._need import Need
from rtgauge.model import RunSpec

STEPS = "the steps below, in their order"
SPACE = 200 << 20  # bytes; a quick run takes a few, a full one up to a hundred MiB
WANTED = RunSpec(jobs=()).level + 2  # the highest priority of a test by default, and the watchdog's above it
PACKAGES = {  # as installed: as imported
    "cbor2": "cbor2",
    "cobs": "cobs",
    "google-crc32c": "google_crc32c",
    "jinja2": "jinja2",
    "jsonschema": "jsonschema",
    "numpy": "numpy",
    "pyarrow": "pyarrow",
    "pyserial": "serial",
    "rich": "rich",
    "scipy": "scipy",
    "sqlalchemy": "sqlalchemy",
}


def needs(system: System, store: Path) -> list[Need]:
    extra = engine_grants(system)
    return [
        runs("local"),
        _realtime(system, extra),
        _memory(system, extra),
        *_surroundings(system),
        *_misuse(extra),
        _cpus(system),
        _clock(system),
        _tracefs(system),
        _store(store),
        _packages(),
    ]


def engine_grants(system: System) -> Granted | None:
    """What the engine's own file capabilities add, None when nothing."""
    from rtgauge.targets.local import engine

    path = present(engine)
    return granted(path, system.own_status.get("NoNewPrivs") == "1") if path else None


def _has(extra: Granted | None, name: str) -> bool:
    return bool(extra and name in extra.names and not extra.void)


def _realtime(system: System, extra: Granted | None) -> Need:
    name = "real-time scheduling"
    finding = realtime_permission.check(system)
    trial = system.probes.try_fifo() if system.probes.try_fifo else Trial(0)
    if trial.highest >= WANTED:
        return Need(name, "ok", finding.summary)
    no_budget = rt_group_sched.without_budget(system)
    if _has(extra, "cap_sys_nice") and extra and not no_budget:
        return Need(name, "ok", f"granted to {extra.path} by file capabilities; this shell has none of its own")
    ignored = f"; the file capabilities of {extra.path} are ignored: {extra.void}" if extra and extra.void else ""
    return Need(name, "missing", finding.summary + ignored, STEPS)


def _memory(system: System, extra: Granted | None) -> Need:
    name = "memory lock"
    finding = memory_lock.check(system)
    if finding.status == "ok":
        return Need(name, "ok", finding.summary)
    if _has(extra, "cap_ipc_lock") and extra:
        return Need(name, "ok", f"granted to {extra.path} by file capabilities")
    return Need(name, "missing", finding.summary, STEPS)


def _surroundings(system: System) -> list[Need]:
    """What decides about permission from outside, named whether or not it stands in the way."""
    found = []
    if signs := container_evidence(system):
        text = ", ".join(f"{source}: {value}" for source, value in signs)
        found.append(Need("container", "note", f"this is a container ({text}): its host's settings and load count too"))
    if (folder := rt_group_sched.without_budget(system)) or system.option("CONFIG_RT_GROUP_SCHED") == "y":
        finding = rt_group_sched.check(system)
        status = "note" if folder or finding.status != "ok" else "ok"
        found.append(Need("RT_GROUP_SCHED", "ok" if status == "ok" else "note", finding.summary))
    return found


def _misuse(extra: Granted | None) -> list[Need]:
    if not extra or not extra.unsafe:
        return []
    summary = f"{extra.path} has {', '.join(sorted(extra.names))}, and {extra.unsafe}"
    return [
        Need(
            "file capabilities", "note", summary, f"sudo setcap -r {extra.path}, then a copy that only root can change"
        )
    ]


def _cpus(system: System) -> Need:
    count = len(system.allowed)
    if count > 1:
        return Need("processors", "ok", f"{count} allowed, CPU {system.cpu} is measured unless --cpu says otherwise")
    return Need(
        "processors", "note", "only one: the host's own work runs beside the tests, SMP tests are not-supported"
    )


def _clock(system: System) -> Need:
    finding = clock_source.check(system)
    return Need("clock", "ok" if finding.status == "ok" else "note", finding.summary, finding.fix)


def _tracefs(system: System) -> Need:
    reading = system.read("/sys/kernel/tracing/current_tracer")
    if reading:
        return Need("tracefs", "ok", "readable: the cause of a worst sample can be looked up")
    mounted = reading.problem == "only root may read it"
    fix = "" if mounted else "sudo mount -t tracefs nodev /sys/kernel/tracing"
    return Need("tracefs", "note", f"{reading.problem}: causes of single samples stay unknown", fix)


def _store(store: Path) -> Need:
    folder = next((each for each in (store, *store.parents) if each.exists()), Path("/"))
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return Need("store", "missing", f"{store}: {folder} cannot be written", "--store DIR, or set RTGAUGE_STORE=DIR")
    free = shutil.disk_usage(folder).free
    if free < SPACE:
        summary = f"{store}: {free >> 20} MiB are free, {SPACE >> 20} MiB are wanted"
        return Need("store", "missing", summary, "make room, or --store DIR on another disk")
    return Need("store", "ok", f"{store}, {free / (1 << 30):.1f} GiB free")


def _packages() -> Need:
    bad = []
    for package, module in PACKAGES.items():
        try:
            importlib.import_module(module)
        except Exception as error:  # a package that is damaged can raise anything
            bad.append(f"{package} ({type(error).__name__}: {error})")
    if bad:
        return Need(
            "Python packages", "missing", f"not importable: {'; '.join(bad)}", "install rtgauge again: pip install ."
        )
    return Need("Python packages", "ok", f"all {len(PACKAGES)} importable")
