"""The ruling on a requirement: the gravest of the results that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rtgauge.requirements.case import case_of
from rtgauge.requirements.match import matching, why_none
from rtgauge.requirements.model import DEADLINE_OPTION, DEADLINE_TEST, GRAVEST, Case, Judged, Requirement, Result
from rtgauge.requirements.stored import label

_NAMED = 3  # results named in a reason; the cases have all


def judge(requirement: Requirement, results: Sequence[Result]) -> Judged:
    """`results`: entries of `results` in results.json."""
    found = matching(requirement, results)
    if not found:
        return Judged(requirement, "invalid", _cannot(requirement, why_none(requirement, results)))
    cases = [case_of(requirement, result) for result in found]
    missing = [str(result.get("status")) == "not-supported" for result in found]
    left_out = sum(missing) if not all(missing) else 0  # what the system does not have withholds nothing
    judged = tuple(case for case, absent in zip(cases, missing, strict=True) if not (left_out and absent))
    decided = min(judged, key=_gravity)
    note = f"; {left_out} not supported by this system left out" if left_out else ""
    return Judged(
        requirement=requirement,
        ruling=decided.ruling,
        reason=_reason(requirement, judged, decided) + note,
        cases=judged,
        samples=decided.samples,
        exposure_s=decided.exposure_s,
        rate=decided.rate,
        more=decided.more,
    )


def judge_all(requirements: Iterable[Requirement], results: Sequence[Result]) -> list[Judged]:
    return [judge(requirement, results) for requirement in requirements]


def gravest(rulings: Sequence[str]) -> str:
    """Of at least one."""
    return min(rulings, key=lambda ruling: list(GRAVEST).index(ruling))  # type: ignore[arg-type]


def _gravity(case: Case) -> tuple[int, float, float]:
    """The gravest first; of equals the one that shows least: where most is missing, and the rate is least known."""
    rate = 1.0 if case.rate is None else case.rate.high
    return GRAVEST.index(case.ruling), -float(case.more.samples) if case.more else 0.0, -rate


def _reason(requirement: Requirement, cases: Sequence[Case], decided: Case) -> str:
    measured = requirement.holds or any(case.samples is not None for case in cases)
    if not measured:
        said = list(dict.fromkeys(case.reason for case in cases))
        more = f" and {len(said) - _NAMED} more" if len(said) > _NAMED else ""
        return _cannot(requirement, "; ".join(said[:_NAMED]) + more)
    if len(cases) == 1:
        return decided.reason
    if requirement.holds and decided.ruling == "met":
        return f"all {len(cases)} behaviours hold"
    alike = sum(case.ruling == decided.ruling for case in cases)
    which = f"all {len(cases)} results" if alike == len(cases) else f"{alike} of {len(cases)} results"
    return f"{which} {_ARE[decided.ruling]}: {decided.reason}"


_ARE = {
    "met": "keep it, least surely",
    "not met": "do not keep it",
    "inconclusive": "do not decide it",
    "invalid": "cannot be judged",
}


def _cannot(requirement: Requirement, why: str) -> str:
    if is_deadline(requirement):
        return f"the deadline cannot be judged: there is no valid result of {DEADLINE_TEST}"
    return f"{label(requirement)} cannot be judged: {why}"


def is_deadline(requirement: Requirement) -> bool:
    """Whether it was given as `--deadline`."""
    return requirement.where == DEADLINE_OPTION
