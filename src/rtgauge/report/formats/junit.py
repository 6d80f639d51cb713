"""JUnit XML for continuous integration: a suite for each test, a case for each result and for each requirement.

Only what was shown to hold passes. A broken premise, a missing permission, too little to decide by: each is an error,
never a case that passes or that nobody looks at. What a system does not have is skipped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from rtgauge import __version__
from rtgauge.report import display
from rtgauge.report.view import Entry, RunView
from rtgauge.units import format_ns

SUFFIX = "xml"

_PASSED = {"ok", "pass", "met"}
_FAILED = {"fail": "does not hold", "not met": "not met"}
_SKIPPED = {"not-supported": "not supported by this system"}
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0
_CONTROLS = re.compile("[\x7f-\x9f]")
_FIGURES = ("unit", "n", "lost", "min", "median", "avg", "max", "exposure_s", "overhead", "resolution")
_PLAINLY = ("unmeasurable", "negatives")


@dataclass(frozen=True)
class _Case:
    """One case: `status` is a result's status or a requirement's ruling."""

    name: str
    status: str
    reason: str = ""
    seconds: float | None = None
    properties: tuple[tuple[str, str], ...] = ()


def render(run: RunView) -> str:
    """The whole run. The counts of a suite and of the file are those of its cases."""
    suites = [
        ("run", [_whole(run)]),
        *_judged(run),
        *((id_, [_result(e) for e in entries]) for id_, entries in run.groups),
    ]
    cases = [case for _, of_suite in suites for case in of_suite]
    root = ElementTree.Element("testsuites", {"name": _legal(f"rtgauge {_name(run)}"), **_counts(cases)})
    for number, (name, of_suite) in enumerate(suites):
        root.append(_suite(run, name, of_suite, first=number == 0))
    ElementTree.indent(root, " ")
    return "<?xml version='1.0' encoding='UTF-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


# ---- what is a case --------------------------------------------------------------------------------------------------


def _whole(run: RunView) -> _Case:
    """Whether the run is whole: one that was cut short must not look like one that passed."""
    state = str(run.manifest.get("state") or "complete")
    wrong = [] if state == "complete" else [f"the run is {state}"]
    wrong += [str(run.manifest[name]) for name in ("why", "left_out") if run.manifest.get(name)]
    wrong += [] if run.results.get("imported") else run.all_problems
    if not run.entries:
        wrong.append("the run holds no results")
    return _Case("whole", "invalid" if wrong else "ok", "; ".join(dict.fromkeys(wrong)), None)


def _judged(run: RunView) -> list[tuple[str, list[_Case]]]:
    """Requirements as they were judged; where a run has a deadline and none of them, its verdict."""
    found = [one for one in run.results.get("requirements") or () if isinstance(one, Mapping)]
    cases = [_requirement(one, number) for number, one in enumerate(found, start=1)]
    deadline, verdict = run.manifest.get("deadline_ns"), run.results.get("verdict") or {}
    if not found and isinstance(deadline, int) and verdict.get("ruling"):
        name = f"verdict with a deadline of {format_ns(deadline)}"
        cases = [_Case(name, str(verdict["ruling"]), str(verdict.get("reason") or ""))]
    return [("requirements", cases)] if cases else []


def _requirement(one: Mapping[str, Any], number: int) -> _Case:
    """Its exposure stands with it, and the bounds of its miss rate where there are any."""
    words = str(one.get("name") or f"requirement {number}")
    told = [(name, _text(one[name])) for name in ("samples", "exposure_s") if one.get(name) is not None]
    for group in ("requirement", "rate", "more"):
        content = one.get(group)
        if isinstance(content, Mapping):
            told += [(f"{group}.{name}", _text(value)) for name, value in content.items() if value is not None]
    seconds = _seconds(one.get("exposure_s"))
    return _Case(words, str(one.get("ruling") or "invalid"), str(one.get("reason") or ""), seconds, tuple(told))


def _result(entry: Entry) -> _Case:
    result = entry.result
    return _Case(
        _named(result) or entry.id,
        entry.status,
        str(result.get("reason") or ""),
        _seconds(result.get("exposure_s")),
        tuple(_figures(result)),
    )


def _named(result: Mapping[str, Any]) -> str:
    """By parameters, and by what of the environment is not as usual: the same in each run, whatever else it holds."""
    usual = {"load": "none", "cache": "hot", "cpus": "one"}
    around = {name: one for name, one in (result.get("environment") or {}).items() if usual.get(name) != one}
    return " ".join(f"{name}={value}" for name, value in {**(result.get("params") or {}), **around}.items())


def _figures(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A maximum never without its exposure and its quantity."""
    for name, value in (result.get("params") or {}).items():
        yield f"param.{name}", _text(value)
    for name, value in (result.get("environment") or {}).items():
        yield f"environment.{name}", _text(value)
    for name in _FIGURES:
        if result.get(name) is not None:
            yield name, _text(result[name])
    for name, value in (result.get("percentiles") or {}).items():
        yield f"p{name}", _text(value)
    yield from ((name, _text(result[name])) for name in _PLAINLY if result.get(name))


# ---- how it is written -----------------------------------------------------------------------------------------------


def _suite(run: RunView, name: str, cases: Sequence[_Case], first: bool) -> ElementTree.Element:
    created = str(run.results.get("created") or "").partition(".")[0].removesuffix("Z")
    made = ElementTree.Element("testsuite", {"name": _legal(name), **_counts(cases)})
    if created:
        made.set("timestamp", _legal(created))
    if run.manifest.get("host"):
        made.set("hostname", _legal(str(run.manifest["host"])))
    if first:
        made.append(_properties(tuple(_of_run(run))))
    for number, case in enumerate(_distinct(cases)):
        made.append(_case(name, case, cases[number]))
    return made


def _of_run(run: RunView) -> Iterator[tuple[str, str]]:
    for name in ("run", "target", "profile"):
        if run.results.get(name):
            yield name, _text(run.results[name])
    verdict = run.results.get("verdict") or {}
    yield "verdict", _text(verdict.get("ruling") or "none")
    yield "verdict.reason", _text(verdict.get("reason") or "")
    if run.results.get("exposure_s") is not None:
        yield "exposure_s", _text(run.results["exposure_s"])
    for name, value in ((run.results.get("system") or {}).get("facts") or {}).items():
        yield f"system.{name}", _text(value)
    for name, value in (run.manifest.get("versions") or {}).items():
        yield f"version.{name}", _text(value)
    yield "version.report", __version__


def _distinct(cases: Sequence[_Case]) -> Iterator[str]:
    """The names of the cases of a suite, told apart where two are alike: readers take one of them for a repeat."""
    seen: dict[str, int] = {}
    for case in cases:
        seen[case.name] = seen.get(case.name, 0) + 1
        yield case.name if seen[case.name] == 1 else f"{case.name} ({seen[case.name]})"


def _case(suite: str, name: str, case: _Case) -> ElementTree.Element:
    made = ElementTree.Element("testcase", {"classname": _legal(f"rtgauge.{suite}"), "name": _legal(name)})
    made.set("time", _number(case.seconds or 0.0))
    if case.properties:
        made.append(_properties(case.properties))
    kind = _kind(case.status)
    if kind:
        words = case.reason or _SKIPPED.get(case.status) or _FAILED.get(case.status) or case.status
        about = {"message": _legal(words)}
        if kind != "skipped":
            about["type"] = _legal(case.status)
        found = ElementTree.SubElement(made, kind, about)
        found.text = _legal(f"{case.status}: {words}")
    return made


def _kind(status: str) -> str:
    """The element that says what became of a case; a status that is not known proves nothing."""
    if status in _PASSED:
        return ""
    return "failure" if status in _FAILED else "skipped" if status in _SKIPPED else "error"


def _counts(cases: Sequence[_Case]) -> dict[str, str]:
    kinds = [_kind(case.status) for case in cases]
    numbers = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    seconds = math.fsum(case.seconds or 0.0 for case in cases)
    counts = {name: str(kinds.count(kind)) for name, kind in numbers.items()}
    return {"tests": str(len(cases)), **counts, "time": _number(seconds)}


def _properties(pairs: Sequence[tuple[str, str]]) -> ElementTree.Element:
    made = ElementTree.Element("properties")
    for name, value in pairs:
        ElementTree.SubElement(made, "property", {"name": _legal(name), "value": _legal(value)})
    return made


def _name(run: RunView) -> str:
    return str(run.results.get("run") or "")


def _seconds(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) and value >= 0 else None


def _number(value: float) -> str:
    return f"{value:.6f}"


def _text(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _legal(text: str) -> str:
    """`text` as XML 1.0 may hold it, and without what could move a cursor or reverse a line where it is shown."""
    return display.plain(_CONTROLS.sub("\ufffd", _ILLEGAL.sub("\ufffd", text)))
