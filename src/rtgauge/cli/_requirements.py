"""What was required and what came of it, in the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from rtgauge.requirements import Requirement

    Judged = Mapping[str, Any]  # one entry of `requirements` in results.json

_CASES = 5  # results of a requirement that are told one by one
_GRAVITY = {"not met": 0, "invalid": 1, "inconclusive": 2, "met": 3}


def required(args: argparse.Namespace) -> tuple[Requirement, ...]:
    """What `--deadline` and `--require` ask for."""
    from rtgauge.cli._measure import deadline_of, requirements_of

    deadline = deadline_of(args)
    if deadline is None:
        return requirements_of(args)
    from rtgauge.requirements import of_deadline

    return (of_deadline(deadline), *requirements_of(args))


def judge_stored(folders: Sequence[Path], requirements: Sequence[Requirement], as_json: bool) -> int:
    """Judges stored runs, and says what came of each requirement; the gravest run counts. The exit code."""
    from rtgauge.cli._output import json_out, line, say
    from rtgauge.errors import EXIT_FAILED, EXIT_OK, EXIT_UNDECIDED
    from rtgauge.requirements import gravest, judge_all, judged_to_json
    from rtgauge.store.readers import open_run

    runs, contents = [], []
    for folder in folders:
        stored = open_run(folder)
        for problem in stored.problems:
            say(f"note: {stored.id}: {problem}" if len(folders) > 1 else f"note: {problem}")
        judged = [judged_to_json(one) for one in judge_all(requirements, stored.results["results"])]
        runs.append(judged)
        contents.append({"run": stored.id, "requirements": judged})
    every = gravest_of(runs)
    ruling = gravest([str(one["ruling"]) for one in every])
    if as_json:
        several = {"ruling": ruling, "requirements": every, "runs": contents}
        json_out({"run": contents[0]["run"], "ruling": ruling, "requirements": every} if len(runs) == 1 else several)
    else:
        for one in contents:
            line(one["run"])
        show_requirements(every)
        line(f"ruling: {ruling}")
    return {"met": EXIT_OK, "not met": EXIT_FAILED}.get(ruling, EXIT_UNDECIDED)


def gravest_of(runs: Sequence[Sequence[Judged]]) -> list[Judged]:
    """Each requirement as the gravest of the runs has it; of several, `runs` says which that is."""
    from rtgauge.requirements import gravest

    made: list[Judged] = []
    for each in zip(*runs, strict=False):
        rulings = [str(one["ruling"]) for one in each]
        ruling = gravest(rulings)
        first, same = rulings.index(ruling), rulings.count(ruling)
        which = f"in all {len(each)} runs" if same == len(each) else f"in {same} of {len(each)} runs"
        made.append({**each[first], **({"runs": f"{which}; run {first + 1}"} if len(each) > 1 else {})})
    return made


def show_requirements(judged: Sequence[Judged]) -> None:
    """The ruling on each, and below it what the results show: a maximum never without its exposure, and without what it
    proves."""
    from rtgauge.cli._output import line

    for one in judged:
        line(f"{one['ruling']:<12}  {one['name']}" + (f": {one['runs']}" if one.get("runs") else ""))
        for text in _below(one):
            line(f"    {text}")
    if judged:
        line()


def _below(judged: Judged) -> Iterator[str]:
    why = judged["requirement"].get("why")
    if why:
        yield f"why: {why}"
    cases = sorted(judged["results"], key=lambda case: _GRAVITY.get(case["ruling"], 0))
    if not cases or all(case["samples"] is None for case in cases):
        yield judged["reason"]
        return
    for case in cases[:_CASES]:
        yield case["reason"] if len(cases) == 1 else f"{case['ruling']}: {case['reason']}"
        if case["proves"].partition("; ")[0] not in case["reason"]:
            yield f"  {case['proves']}"
    if len(cases) > _CASES:
        yield f"and {len(cases) - _CASES} more results: --json has all"
