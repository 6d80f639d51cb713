"""Which results a requirement is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from rtgauge.errors import UsageError
from rtgauge.requirements.model import Requirement, Result
from rtgauge.units import canonical_duration, parse_duration

_USED = ("load", "cpus", "cache")
_NAMED = 3  # ways in which results differ, in a reason


def matching(requirement: Requirement, results: Sequence[Result]) -> list[Result]:
    """The results that it names: of a behaviour the result with its checks, of limits the series with figures, where
    the run has any. With limits and no part named, only series in a unit that fits, if there is one."""
    named = [result for result in _of_test(requirement, results) if not list(_differs(requirement, result))]
    if requirement.holds:
        return named
    fitting = [result for result in named if unit_fits(requirement, result)]
    return fitting if fitting and "part" not in requirement.params else named


def unit_fits(requirement: Requirement, result: Result) -> bool:
    """Whether limits and figures are both times, or both not; a result without figures fits."""
    return not result.get("n") or all(limit.time == (result.get("unit") == "ns") for limit in requirement.limits)


def why_none(requirement: Requirement, results: Sequence[Result]) -> str:
    """Why nothing matches, in one phrase."""
    of_test = list(_of_test(requirement, results))
    if not of_test:
        what = "behaviour" if requirement.holds else "figures"
        return f"the run has no result with {what} of a test {requirement.test}"
    ways = list(dict.fromkeys(next(_differs(requirement, result)) for result in of_test))
    more = f" and {len(ways) - _NAMED} more" if len(ways) > _NAMED else ""
    return f"no result of {requirement.test} is the one: {'; '.join(ways[:_NAMED])}{more}"


def _of_test(requirement: Requirement, results: Sequence[Result]) -> Iterator[Result]:
    for result in results:
        checks = "-B-" in str(result.get("id")) and result.get("unit") is None
        if checks == requirement.holds and fnmatchcase(str(result.get("id")), requirement.test):
            yield result


def _differs(requirement: Requirement, result: Result) -> Iterator[str]:
    """Each way in which the result is not the one, in words."""
    params: Mapping[str, Any] = result.get("params") or {}
    environment: Mapping[str, Any] = result.get("environment") or {}
    for name, wanted in requirement.params.items():
        if name not in params:
            yield f"it has no parameter {name}"
        elif canonical(params[name]) != canonical(wanted):
            yield f"{name} is {params[name]}, not {wanted}"
    for name in _USED:
        asked = getattr(requirement, name)
        if asked is None:
            continue
        if name not in environment:
            yield f"{name} is not known, wanted is {asked}"
        elif _names(environment[name]) != _names(asked):
            yield f"{name} is {environment[name]}, not {asked}"


def canonical(value: object) -> str:
    """A parameter in its one form: 1000us is 1ms."""
    text = str(value).strip()
    try:
        return canonical_duration(parse_duration(text))
    except UsageError:
        return text


def _names(value: object) -> list[str]:
    """Loads that run together have no order: cpu+disk is disk+cpu."""
    return sorted(name.strip() for name in str(value).split("+"))
