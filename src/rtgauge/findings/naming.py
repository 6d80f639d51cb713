"""What the results of one test are called: by the parameters in which they differ, and by no others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Result = Mapping[str, Any]  # one entry of results.json

_USUAL = {"load": "none", "cache": "hot", "cpus": "one"}
_ABSENT = object()
WHOLE = "whole test"


def fields(result: Result) -> dict[str, Any]:
    """The parameters, and of the environment what is not usual."""
    environment = {k: v for k, v in (result.get("environment") or {}).items() if _USUAL.get(k) != v}
    return {**environment, **(result.get("params") or {})}


def differing(results: Sequence[Result]) -> tuple[str, ...]:
    """The fields that tell results of one test apart, in the order of the parameters."""
    told = [fields(result) for result in results]
    names = dict.fromkeys(name for one in told for name in one)
    return tuple(name for name in names if len({str(one.get(name, _ABSENT)) for one in told}) > 1)


def foldable(result: Result) -> bool:
    """Whether status and reason are all that there is to say: no figures, no checks, and no evidence to be judged."""
    if result.get("n") or result.get("checks"):
        return False
    if result.get("status") in {"not-supported", "not-permitted"}:
        return True  # what was counted until it was refused proves nothing
    return not result.get("evidence") and not result.get("counters")


def siblings(id_: str, results: Sequence[Result]) -> list[Result]:
    """The results of a test that are told one by one. What the others lack, these all have: it need not be named."""
    return [result for result in results if result.get("id") == id_ and not foldable(result)]


def common(results: Sequence[Result]) -> dict[str, Any]:
    """The fields in which all results of a test are alike."""
    apart = differing(results)
    return {name: value for name, value in fields(results[0]).items() if name not in apart} if results else {}


def variant(result: Result, names: Iterable[str]) -> str:
    """These fields of a result in words; the whole test where it has none of them."""
    told = fields(result)
    return ", ".join(f"{name} {told[name]}" for name in names if name in told) or WHOLE


def label(result: Result, results: Sequence[Result]) -> str:
    """`SEM-P-ARC (part acquire)`: the test, and what tells this result from the test's others among `results`."""
    told = variant(result, differing(siblings(str(result["id"]), results)))
    return f"{result['id']} ({told})" if told != WHOLE else str(result["id"])


def shared(some: Sequence[Result], results: Sequence[Result]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The fields, with their values, in which `some` results of a test are told from all of its `results`.

    Empty when nothing tells them apart, e.g. when they are all there are.
    """
    told = []
    for name in differing(results):
        here = dict.fromkeys(str(fields(result).get(name, "")) for result in some)
        values = tuple(value for value in here if value)
        if values and set(here) != {str(fields(result).get(name, "")) for result in results}:
            told.append((name, values))
    return tuple(told)


def together(some: Sequence[Result], results: Sequence[Result]) -> str:
    """`shared` in words: `kind binary, part read or write`."""
    return in_words(shared(some, results))


def in_words(told: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    return ", ".join(f"{name} {' or '.join(values)}" for name, values in told)
