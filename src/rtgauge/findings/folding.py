"""Results of one test that say the same for the same reason, put together: a kind of object that a system lacks makes
dozens of results, and one line tells all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rtgauge.findings.naming import foldable, in_words, shared

Result = Mapping[str, Any]  # one entry of results.json


@dataclass(frozen=True)
class Fold:
    """Results of one test without figures, with one status and one reason."""

    indices: tuple[int, ...]  # of the results, in their order
    id: str
    status: str
    reason: str
    shared: tuple[tuple[str, tuple[str, ...]], ...]  # what tells them from the test's other results; empty: nothing

    @property
    def label(self) -> str:
        """`kind binary, part read or write`"""
        return in_words(self.shared)


def folds(results: Sequence[Result]) -> tuple[Fold, ...]:
    """All that can be told in one line each, in the order of their first results."""
    groups: dict[tuple[str, str, str], list[int]] = {}
    for index, result in enumerate(results):
        if foldable(result):
            key = (str(result.get("id")), str(result.get("status")), str(result.get("reason") or ""))
            groups.setdefault(key, []).append(index)
    return tuple(
        Fold(tuple(indices), id_, status, reason, shared(*_sides(results, id_, indices)))
        for (id_, status, reason), indices in groups.items()
    )


def _sides(results: Sequence[Result], id_: str, indices: Sequence[int]) -> tuple[list[Result], list[Result]]:
    return [results[index] for index in indices], [result for result in results if result.get("id") == id_]


def told(fold: Fold, results: Sequence[Result]) -> Iterator[str]:
    """The reason, and what could not be checked for another one."""
    yield fold.reason or "no reason was recorded"
    others: dict[str, None] = {}
    for index in fold.indices:
        for entry in results[index].get("unchecked") or ():
            name, why = (entry.get("name"), entry.get("why")) if isinstance(entry, Mapping) else entry
            if str(why) not in fold.reason:
                others.setdefault(f"{name}: {why}")
    yield from others
