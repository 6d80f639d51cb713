"""What a report is made from: a stored run with its samples read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rtgauge.model import Samples
from rtgauge.report import display

Result = Mapping[str, Any]


@dataclass(frozen=True)
class RunView:
    """A run as the report sees it. `series[i]` holds the samples behind `results["results"][i]`, if there are any."""

    results: Mapping[str, Any]  # the content of results.json
    manifest: Mapping[str, Any] = field(default_factory=dict)
    series: Sequence[Samples | None] = ()
    problems: tuple[str, ...] = ()  # what was found wrong with the stored run while reading it

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All results in the order in which they were measured, each with a place of its own in the report."""
        entries: list[Entry] = []
        taken: set[str] = set()
        for index, result in enumerate(self.results.get("results") or ()):
            name = display.anchor("t", result.get("id", "x"), *(result.get("params") or {}).values())
            while name in taken:
                name = f"{name}-{index}"
            taken.add(name)
            samples = self.series[index] if index < len(self.series) else None
            entries.append(Entry(result, samples, name))
        return tuple(entries)

    @cached_property
    def groups(self) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
        """The entries by test id, in the order of each test's first entry."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(str(entry.result.get("id", "?")), []).append(entry)
        return tuple((id_, tuple(entries)) for id_, entries in found.items())

    @property
    def all_problems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.problems, *(str(p) for p in self.results.get("problems") or ()))))

    def find(self, id_: str, params: Mapping[str, Any]) -> Iterator[Entry]:
        """The entries of a test with exactly these parameters."""
        return (e for e in self.entries if e.result.get("id") == id_ and (e.result.get("params") or {}) == params)


@dataclass(frozen=True)
class Entry:
    """One result with its samples and its place in the report."""

    result: Result
    samples: Samples | None
    anchor: str

    @property
    def id(self) -> str:
        return str(self.result.get("id", "?"))

    @property
    def status(self) -> str:
        return str(self.result.get("status", "invalid"))

    @property
    def variant(self) -> str:
        """The parameters in words, with the environment where it is not the usual one."""
        usual = {"load": "none", "cache": "hot", "cpus": "one"}
        environment = {k: v for k, v in (self.result.get("environment") or {}).items() if usual.get(k) != v}
        words = [f"{k} {v}" for k, v in (self.result.get("params") or {}).items()]
        return ", ".join([*words, *(f"{k} {v}" for k, v in environment.items())])

    @property
    def name(self) -> str:
        return f"{self.id} ({self.variant})" if self.variant else self.id

    @property
    def has_figures(self) -> bool:
        return bool(self.result.get("n")) and self.result.get("max") is not None
