"""The self-test: the correct system has its known figures, and each fault is caught by the tests that must catch it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rtgauge.errors import UsageError
from rtgauge.registry import pick
from rtgauge.selftest.compare import Differences, differences
from rtgauge.selftest.expected import EXPECTED, Expectation, caught, missing, unexpected
from rtgauge.selftest.measure import Look, faults, look
from rtgauge.selftest.seen import Seen, owner_of

KNOWN = Path(__file__).parent / "known.json"
CORRECT = "none"


@dataclass(frozen=True)
class Case:
    """One fault, or none."""

    fault: str  # "name" or "name:k"; CORRECT for none
    what: str
    caught_by: tuple[str, ...]  # tests
    said: tuple[tuple[str, str], ...]  # what each sign was: the result, and its words
    missing: tuple[str, ...]  # signs that must be there and are not
    unexpected: dict[str, list[str]] = field(default_factory=dict)  # tests that should not have noticed, with what

    def as_dict(self) -> dict[str, Any]:
        return {
            "fault": self.fault,
            "what": self.what,
            "caught_by": list(self.caught_by),
            "said": [f"{name}: {text}" for name, text in self.said],
            "missing": list(self.missing),
            "unexpected": sorted(self.unexpected),
            "unexpected_said": [line for lines in self.unexpected.values() for line in lines],
        }


@dataclass(frozen=True)
class Outcome:
    correct: Case
    results: int  # of the correct system
    cases: tuple[Case, ...]

    @property
    def missed(self) -> int:
        return sum(bool(case.missing) for case in self.cases)

    @property
    def false_alarms(self) -> int:
        return sum(len(case.unexpected) for case in (self.correct, *self.cases))

    def as_dict(self) -> dict[str, Any]:
        return {
            "faults": [case.as_dict() for case in self.cases],
            "correct": {**self.correct.as_dict(), "results": self.results},
            "missed": self.missed,
            "false_alarms": self.false_alarms,
        }


def selftest(
    names: Sequence[str] = (), show: Callable[[Case], None] | None = None, expected: Any = EXPECTED
) -> Outcome:
    """Runs the catalogue once without a fault and once with each of `names` ("name" or "name:k"; none: all).
    UsageError for a name that does not exist. `show` is given each case as it ends."""
    there = faults()
    for name in names:
        pick("fault", name.partition(":")[0], there)
    wanted = [*names] or [*there]
    known = load_known()
    looks = _looks([None, *wanted])
    first = next(looks)
    correct = judge_correct(first.seen, known)
    if show:
        show(correct)
    cases = []
    for one in looks:
        name = one.fault.partition(":")[0]
        cases.append(judge_fault(one, known, expected.get(name)))
        if show:
            show(cases[-1])
    return Outcome(correct, len(first.seen), tuple(cases))


def _looks(faults_: Sequence[str | None]) -> Iterator[Look]:
    """In order; several at a time, each in a process of its own because a fault is chosen by the environment."""
    workers = min(len(faults_), os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(look, faults_)


def judge_correct(seen: Seen, known: Seen) -> Case:
    """Without a fault everything has to be as it is known."""
    return Case(CORRECT, "the correct system", (), (), (), unexpected(Expectation(()), differences(known, seen)))


def judge_fault(one: Look, known: Seen, expected: Expectation | None) -> Case:
    found = differences(known, one.seen)
    if expected is None:
        return Case(one.fault, one.what, _tests(found), (), ("nobody said what must notice this fault",))
    wrong = unexpected(expected, found)
    return Case(
        fault=one.fault,
        what=one.what,
        caught_by=tuple(test for test in _tests(found) if test not in wrong),
        said=tuple(_said(expected, found, one.k)),
        missing=tuple(str(sign) for sign in missing(expected, found, one.k)),
        unexpected=wrong,
    )


def _tests(found: Differences) -> tuple[str, ...]:
    return tuple(dict.fromkeys(owner_of(name) for name in found))


def _said(expected: Expectation, found: Differences, k: int) -> Iterator[tuple[str, str]]:
    """The first place of each sign."""
    for sign in expected.must:
        for name, fact, seen in caught(sign, found, k)[:1]:
            shown = f"{seen:g}" if isinstance(seen, float) else str(seen)
            yield name, shown if fact in ("status", "problems", "ended", "why") else f"{fact}: {shown}"


# ---- what is known --------------------------------------------------------------------------------------------------


def load_known() -> Seen:
    known: Seen = json.loads(KNOWN.read_text("utf-8"))
    return known


def write_known(seen: Seen, path: Path = KNOWN) -> None:
    """One line for each result."""
    lines = [f" {json.dumps(name)}: {json.dumps(facts)}" for name, facts in seen.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def check_k(fault: str) -> None:
    """UsageError for a number that cannot be one."""
    name, colon, k = fault.partition(":")
    if colon and not (k.isascii() and k.isdigit() and int(k) > 0):
        raise UsageError(f"the number of fault {name} must be a whole number above 0, got {k!r}")
