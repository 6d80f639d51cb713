"""What has to be equal before systems are ranked against each other, and what is not."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rtgauge._toml import read_toml
from rtgauge.compare.values import Column, Setting
from rtgauge.errors import UsageError

TIME = "time"
BUILT_IN = ("tick", "preemption model", TIME, "processor")
VIRTUAL = "virtual "  # begins the names of what a guest in virtual time consists of
CLOCKED = tuple(VIRTUAL + name for name in ("qemu", "emulator files", "machine", "board", "ns per instruction"))
"""By what instructions become time. Kernels and their command lines are what is compared."""
KNOWN = (
    "OS", "version", "patch", "board", "bus", "platform", TIME, "processor", "processor MHz", "processors",
    "memory MB", "tick", "preemption model", "hypervisor", "kernel command line", "stamp clock", "engine",
    "compiler", "optimisation", "compiler flags", "assertions", "stack checks", "memory protection",
    "load", "cache", "cpus", "run", "figures", "profile", "samples", "year", "source", "remarks",
)  # fmt: skip
"""Settings that a file may name whether or not a system of this comparison has them. Others must be there."""


@dataclass(frozen=True)
class Rules:
    """`strict`: what is not known of a system counts as not equal; else it is told and counts as equal."""

    names: tuple[str, ...] = BUILT_IN
    strict: bool = False
    source: str = "built in"


EQUAL = Rules()


@dataclass(frozen=True)
class Parity:
    """`drifts`: the settings that are not equal. `unknown`: those that are not known of all systems, and else equal.
    `groups`: columns that may be ranked against each other; all in one where `across`."""

    rules: Rules
    drifts: tuple[Setting, ...]
    unknown: tuple[Setting, ...]
    groups: tuple[tuple[int, ...], ...]
    across: bool = False

    @property
    def refused(self) -> bool:
        """Whether some systems are not ranked against others."""
        return len(self.groups) > 1

    @property
    def grounds(self) -> tuple[int, ...]:
        """The number of its group, for each column."""
        where = {column: number for number, group in enumerate(self.groups) for column in group}
        return tuple(where[column] for column in sorted(where))


def read(path: Path) -> Rules:
    """The rules of a file: `equal`, a list of settings, and `unknown`, "differs" (the default) or "equal". UsageError
    names the file and what is wrong."""
    content = read_toml(path, "a list of settings")
    odd = sorted(set(content) - {"equal", "unknown"})
    if odd:
        raise UsageError(f"{path}: unknown key {odd[0]!r}: legal are equal, unknown")
    names, unknown = content.get("equal"), content.get("unknown", "differs")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
        raise UsageError(f'{path}: equal must be a list of settings, e.g. equal = ["tick", "compiler"]')
    if unknown not in ("differs", "equal"):
        raise UsageError(f'{path}: unknown must be "differs" or "equal", got {unknown!r}')
    return Rules(tuple(dict.fromkeys(names)), unknown == "differs", str(path))


def judge(columns: Sequence[Column], rules: Rules = EQUAL, across: bool = False) -> Parity:
    """Which columns may be ranked against each other. UsageError for a setting that nobody knows. Real time is never
    equal to virtual time, which depends on the emulated machine and on the engine."""
    _check(columns, rules)
    drifts, unknown, keys = [], [], []
    for name in dict.fromkeys((*rules.names, TIME, *_virtual(columns))):
        told = Setting(name, tuple(column.configuration.get(name) for column in columns))
        strict = rules.strict and name in rules.names
        found = _comparable(name, columns, strict, name in rules.names)
        if strict:  # what is not known is like nothing else
            found = [f"?{place}" if value is None else value for place, value in enumerate(found)]
        if len({value for value in found if value}) > 1:
            drifts.append(told)
            keys.append(found)
        elif name in rules.names and None in told.values:
            unknown.append(told)
    every = tuple(range(len(columns)))
    return Parity(rules, tuple(drifts), tuple(unknown), (every,) if across else _groups(every, keys), across)


def _comparable(name: str, columns: Sequence[Column], strict: bool, named: bool) -> list[str | None]:
    """For each column what has to be the same text; None where it is not known, and empty where it does not matter."""
    found = [_canonical(name, column.configuration.get(name)) for column in columns]
    if name == "engine" and not named:  # of virtual time only
        return [value if column.virtual else "" for value, column in zip(found, columns, strict=True)]
    if strict:
        return found
    if name == "preemption model":
        return _settled(found)
    if name == "processor" and None in found:  # figures of two machines are never ranked because one says too little
        return [_canonical("platform", column.configuration.get("platform")) for column in columns]
    return found


def _groups(columns: Sequence[int], keys: Sequence[Sequence[str | None]]) -> tuple[tuple[int, ...], ...]:
    """Columns of which no two differ in any of `keys`. One that is not known in some joins the only group that it fits;
    where it fits several it stays alone."""

    def alike(one: int, other: int) -> bool:
        return all(key[one] == key[other] or None in (key[one], key[other]) for key in keys)

    groups: list[list[int]] = []
    for column in sorted(columns, key=lambda column: sum(key[column] is None for key in keys)):
        fits = [group for group in groups if all(alike(column, member) for member in group)]
        if len(fits) == 1:
            fits[0].append(column)
        else:
            groups.append([column])
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _virtual(columns: Sequence[Column]) -> Iterator[str]:
    if any(column.virtual for column in columns):
        yield from CLOCKED
        if len({column.configuration.get("OS") for column in columns}) == 1:  # each OS has an engine of its own
            yield "engine"


def _check(columns: Sequence[Column], rules: Rules) -> None:
    legal = dict.fromkeys((*KNOWN, *(name for column in columns for name in column.configuration)))
    for name in rules.names:
        if name not in legal:
            near = difflib.get_close_matches(name, legal, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UsageError(f"{rules.source}: unknown setting {name!r}: {hint}legal are {', '.join(legal)}")


_STEPS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}
_DYNAMIC = "dynamic"  # one of these, chosen when the system starts
_CHOICES = ("none", "voluntary", "lazy", "full")
_MODELS = (
    ("preempt_rt", "preempt_rt"),
    ("fully preemptible kernel", "preempt_rt"),
    ("preempt_dynamic", _DYNAMIC),
    ("none or voluntary", "none or voluntary"),
    ("no forced preemption", "none"),
    ("voluntary kernel preemption", "voluntary"),
    ("preemptible kernel", "full"),
    ("preempt", "full"),
    *((name, name) for name in _CHOICES),
)
"""How the same models begin in the words of kernels, of audits and of published reports."""


def _canonical(name: str, value: str | None) -> str | None:
    """Two values are equal where this is. A tick is measured: two digits of it count."""
    if value is None or not value.strip():
        return None
    text = " ".join(value.casefold().split())
    if text.startswith("not printed"):
        return None
    if name == "preemption model":
        return next((model for begun, model in _MODELS if text.startswith(begun)), text)
    tick = re.fullmatch(r"([0-9.]{1,20}) ?(s|ms|us|ns)", text) if name == "tick" else None
    try:
        return f"{float(tick[1]) * _STEPS[tick[2]]:.2g}" if tick else text
    except ValueError:
        return text


def _settled(found: Sequence[str | None]) -> list[str | None]:
    """Preemption models of which one was not looked at may be the only other one that it can be."""
    others = {value for value in found if value in _CHOICES}
    only = others.pop() if len(others) == 1 else None
    return [only if value == _DYNAMIC and only else value for value in found]
