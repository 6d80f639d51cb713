"""Suites: choices of tests with their parameters, kept as data. Each is a file NAME.json in this package:

    {"title": ..., "what": ..., "tests": [{"benchmark": ..., "test": ID, "params": {NAME: [VALUE, ...]}}, ...]}

`benchmark` is what its source calls it; parameters that are not named are run as by default.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rtgauge.registry import pick

_END = ".json"


@dataclass(frozen=True)
class Entry:
    """One test of a suite; `params` has the values of each parameter, all of which are run."""

    benchmark: str
    test: str
    params: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    what: str
    entries: tuple[Entry, ...]


@cache
def suites() -> dict[str, Suite]:
    """All that there are, by name."""
    found = sorted((file.name, file.read_text("utf-8")) for file in files(__name__).iterdir() if _is_suite(file.name))
    return {name.removesuffix(_END): _suite(name.removesuffix(_END), text) for name, text in found}


def suite(name: str) -> Suite:
    """The suite of that name. UsageError names the legal ones."""
    return pick("suite", name, suites())


def _is_suite(name: str) -> bool:
    return name.endswith(_END)


def _suite(name: str, text: str) -> Suite:
    content = json.loads(text)
    entries = tuple(
        Entry(one["benchmark"], one["test"], {key: tuple(values) for key, values in one["params"].items()})
        for one in content["tests"]
    )
    return Suite(name, content["title"], content["what"], entries)
