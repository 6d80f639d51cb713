"""Plug-ins are found by being there: every module of a package that defines a given name is one."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from rtgauge.errors import UsageError

T = TypeVar("T")


@cache
def plugins(package: str, attribute: str) -> dict[str, Any]:
    """All values named `attribute` in the public modules of `package`, by module name (dashes for underscores).

    >>> sorted(plugins("rtgauge.cli", "SUMMARY"))[:2]
    ['audit', 'doctor']
    """
    found = {}
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if not module.name.startswith("_"):
            value = getattr(importlib.import_module(f"{package}.{module.name}"), attribute, None)
            if value is not None:
                found[module.name.replace("_", "-")] = value
    return dict(sorted(found.items()))


def pick(kind: str, name: str, legal: Mapping[str, T]) -> T:
    """legal[name], or a UsageError that names the legal ones, the nearest first."""
    if name in legal:
        return legal[name]
    near = difflib.get_close_matches(name, legal, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UsageError(f"unknown {kind} {name!r}: {hint}legal are {', '.join(legal) or 'none'}")
