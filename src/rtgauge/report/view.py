"""What a report is made from: a stored run with its samples read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rtgauge.findings.folding import Fold, folds, told
from rtgauge.findings.naming import WHOLE, differing, fields, siblings, together, variant
from rtgauge.model import Samples
from rtgauge.repeats import Repeats
from rtgauge.repeats.side_by_side import SideBySide
from rtgauge.report import display

Result = Mapping[str, Any]


@dataclass(frozen=True)
class RunView:
    """A run as the report sees it. `series[i]` holds the samples behind `results["results"][i]`, if there are any."""

    results: Mapping[str, Any]  # the content of results.json
    manifest: Mapping[str, Any] = field(default_factory=dict)
    series: Sequence[Samples | None] = ()
    problems: tuple[str, ...] = ()  # what was found wrong with the stored run while reading it
    repeats: Repeats | None = None  # the runs that this is one of
    side: SideBySide | None = None  # the same tests in several environments, of which this is one
    opinions: Mapping[str, Any] = field(default_factory=dict)  # answers of a questionnaire, as rtgauge.ratings reads it
    vendor: str = ""  # what the vendor of the system has to say, as plain paragraphs

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All results in the order in which they were measured, each with its place in the report: those that are told
        in one line share theirs."""
        every: Sequence[Result] = self.results.get("results") or ()
        names = {id_: differing(siblings(id_, every)) for id_ in {str(result.get("id", "?")) for result in every}}
        by_index = {index: fold for fold in folds(every) for index in fold.indices}
        places: dict[Fold, str] = {}
        taken: set[str] = set()
        entries: list[Entry] = []
        for index, result in enumerate(every):
            samples = self.series[index] if index < len(self.series) else None
            fold = by_index.get(index)
            if fold is None:
                place = _place(taken, index, result.get("id", "x"), *(result.get("params") or {}).values())
                words = _words(result, names[str(result.get("id", "?"))], every)
                entries.append(Entry(result, samples, place, words))
                continue
            if fold not in places:
                places[fold] = _place(taken, index, fold.id, fold.status, fold.label)
            lines = display.micro("; ".join(told(fold, every)))
            entries.append(Entry(result, samples, places[fold], fold.label, fold, lines))
        return tuple(entries)

    @cached_property
    def groups(self) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
        """The entries by test id, in the order of each test's first entry."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.id, []).append(entry)
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
    variant: str = ""  # what tells it from the other results of its test, in words; empty when there is nothing
    fold: Fold | None = None  # the results with which it is told in one line
    line: str = ""  # that line: why there is nothing else to tell

    @property
    def id(self) -> str:
        return str(self.result.get("id", "?"))

    @property
    def status(self) -> str:
        return str(self.result.get("status", "invalid"))

    @property
    def name(self) -> str:
        return f"{self.id} ({self.variant})" if self.variant else self.id

    @property
    def has_figures(self) -> bool:
        return bool(self.result.get("n")) and self.result.get("max") is not None

    @property
    def job(self) -> tuple[str, str]:
        """What was run once and gave this result, maybe beside others that are parts of the same."""
        return self.id, str(sorted((k, str(v)) for k, v in fields(self.result).items() if k != "part"))


def lines(entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    """What is told together: each result alone, those of one fold at the place of the first."""
    done: set[Fold] = set()
    for entry in entries:
        if entry.fold is None:
            yield (entry,)
        elif entry.fold not in done:
            done.add(entry.fold)
            yield tuple(one for one in entries if one.fold == entry.fold)


def _place(taken: set[str], index: int, *parts: Any) -> str:
    """An anchor of its own."""
    name = display.anchor("t", *(part for part in parts if part != ""))
    while name in taken:
        name = f"{name}-{index}"
    taken.add(name)
    return name


def _words(result: Result, names: Sequence[str], every: Sequence[Result]) -> str:
    words = variant(result, names)
    if words == WHOLE:
        words = together([result], [one for one in every if one.get("id") == result.get("id")])
    return display.micro(words)
