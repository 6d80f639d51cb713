"""How to repeat the run: the command, the versions and digests behind it, and what the engine was asked for."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from rtgauge.report import display
from rtgauge.report.blocks import Block, Cell, Code, Column, Facts, Panel, Part, Row, Section, Table, Text
from rtgauge.report.view import RunView

_ASKED: Mapping[str, str] = {
    "level": "highest level",
    "cpu": "CPU under test",
    "cpus": "CPUs of loads",
    "cache": "caches",
    "loads": "engine's loads",
    "memory": "sample memory",
    "accumulate": "accumulated",
    "blame": "events recorded",
    "break_on_ns": "ended above",
}
_LEAD = (
    "On the same machine, in the same configuration and with the same versions, these lines measure it again. Times "
    "are never the same twice: what must come out again is the verdict, and figures of the same size."
)
_PROGRAM = "rtgauge"
_TAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,60}")


def section(run: RunView) -> Section | None:
    if not run.manifest.get("command") and not run.manifest.get("files"):
        return None
    blocks: list[Block] = []
    lines = tuple(_lines(run))
    if lines:
        blocks += [Text(_LEAD), Code(lines)]
    elif run.manifest.get("imported"):
        blocks.append(
            Text("The run was imported: it can be read again from its file, and repeated by its program alone.")
        )
    else:
        blocks.append(Text("The run does not tell by which command it was made.", tone="warn"))
    panels = (("Made by", _made_by(run)), ("Asked of the engine, as it was stored", _asked(run)))
    found = tuple(Panel(title, (Facts(rows),)) for title, pairs in panels if (rows := tuple(pairs)))
    if found:
        blocks.append(Row(found))
    files = tuple(_files(run))
    if files:
        columns = (Column("File"), Column("SHA-256"), Column("Bytes", numeric=True))
        blocks.append(Table(columns, files, title="What it is made from"))
    return Section(92, Part("repeat", "How to repeat it", tuple(blocks)), "Repeat")


# ---- lines to copy ---------------------------------------------------------------------------------------------------


def _lines(run: RunView) -> Iterator[str]:
    """Words of a foreign run are quoted one by one: whatever they hold, they stay arguments of rtgauge."""
    command = run.manifest.get("command") or ()
    if run.manifest.get("imported") or not command or PurePath(str(command[0])).name != _PROGRAM:
        return
    yield from _install(run, _tame((run.manifest.get("versions") or {}).get("rtgauge")))
    yield "rtgauge doctor"
    yield " ".join((_PROGRAM, *(_quoted(word) for word in command[1:])))
    name = str(run.results.get("run") or "")
    if name:
        yield "# the stored run: every number computed again from its trace and every digest checked"
        yield f"rtgauge verify {_quoted(name)}"


def _install(run: RunView, version: str) -> Iterator[str]:
    yield f"# in the source of rtgauge{f' {version}' if version else ''}, which needs gcc, cmake, ninja and Python"
    yield "pip install ."
    for name, versions in _programs(run).items():
        yield f"# a load was {name}" + (f", version {', '.join(versions)}" if versions else "")


def _programs(run: RunView) -> dict[str, list[str]]:
    """Programs that were loads, with their versions."""
    found: dict[str, list[str]] = {}
    for entry in run.entries:
        for load in entry.result.get("loads") or ():
            name, version = _tame(load.get("implementation")), _tame(load.get("version"))
            if name and name != "engine":
                of_it = found.setdefault(name, [])
                if version and version not in of_it:
                    of_it.append(version)
    return found


def _tame(word: Any) -> str:
    """`word` where it may stand in a comment: not every shell passes over one, so that a foreign run could write there
    what is then run."""
    return word if isinstance(word, str) and _TAME.fullmatch(word) else ""


def _quoted(word: Any) -> str:
    return shlex.quote(display.plain(str(word)))


# ---- what was behind it ----------------------------------------------------------------------------------------------


def _made_by(run: RunView) -> Iterator[tuple[str, Cell]]:
    for name, value in (run.manifest.get("versions") or {}).items():
        yield str(name).replace("_", " "), Cell(str(value))
    system = run.results.get("system") or {}
    if system.get("port"):
        yield "engine's port", Cell(str(system["port"]))
    for name, value in (system.get("build") or {}).items():
        yield f"engine's {name}", Cell(str(value))
    if run.results.get("schema") is not None:
        yield "results.json", Cell(f"version {run.results['schema']}")
    user, host = run.manifest.get("user"), run.manifest.get("host")
    if host:
        yield "on", Cell(f"{host}{f', as {user}' if user else ''}")


def _asked(run: RunView) -> Iterator[tuple[str, Cell]]:
    """The specification as it was stored: what was really sent, defaults and all."""
    spec = run.manifest.get("spec") or {}
    if not spec:
        return
    jobs = spec.get("jobs") or ()
    yield "tests, with variants", Cell(display.count(len(jobs)))
    samples = [one.get("samples") for one in jobs if isinstance(one, Mapping)]
    known = [one for one in samples if isinstance(one, int)]
    if known:
        yield (
            "samples",
            Cell(" to ".join(dict.fromkeys((display.count(min(known)), display.count(max(known)))))),
        )
    for name, words in _ASKED.items():
        if name in spec:
            yield words, Cell(_value(name, spec[name]))


def _value(name: str, value: Any) -> str:
    if name == "cpu" and value == -1:
        return "the last one allowed"
    if name == "memory" and isinstance(value, int):
        return display.quantity(value, "B")
    if name == "break_on_ns":
        return display.quantity(value, "ns") if value else "no"
    if name == "accumulate":
        return "folded into bins" if value else "none: all are raw"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _text(value) or "none"


def _files(run: RunView) -> Iterator[tuple[Cell, ...]]:
    """The engine and every file of the run; what a manifest does not tell is a dash."""
    engine = run.manifest.get("engine") or {}
    if engine.get("sha256"):
        yield Cell("the engine"), Cell(str(engine["sha256"])), Cell("–", numeric=True)
    files = run.manifest.get("files")
    for name, about in (files if isinstance(files, Mapping) else {}).items():
        if isinstance(about, Mapping):
            size = about.get("bytes")
            told = display.count(size) if isinstance(size, int) else "–"
            yield Cell(str(name)), Cell(str(about.get("sha256") or "–")), Cell(told, numeric=True)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(str(one) for one in value)
    return str(value)
