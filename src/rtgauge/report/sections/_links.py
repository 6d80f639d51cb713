"""The results behind a statement, as links to where they are told."""

from __future__ import annotations

from collections.abc import Sequence

from rtgauge.report.blocks import Cell
from rtgauge.report.view import Entry, lines

_NAMED = 6  # results that are named one by one
_TESTS = 12  # tests that are named; all are in the contents


def links_to(entries: Sequence[Entry], by_id: bool = False) -> tuple[Cell, ...]:
    """The results by name, those that are told together once; those of one test once when there are many.
    `by_id`: the test alone, where the text before the links says what they have in common."""
    told = list(lines(entries))
    if len(told) <= _NAMED:
        return tuple(
            Cell(_times(line[0].id if by_id else line[0].name, len(line)), href=line[0].anchor) for line in told
        )
    by_test: dict[str, list[Entry]] = {}
    for entry in entries:
        by_test.setdefault(entry.id, []).append(entry)
    tests = [Cell(_times(id_, len(same)), href=same[0].anchor) for id_, same in by_test.items()]
    more = len(tests) - _TESTS
    return (*tests[:_TESTS], *((Cell(f"and {more} more tests", href="contents"),) if more > 0 else ()))


def _times(name: str, number: int) -> str:
    return f"{name} ×{number}" if number > 1 else name
