"""An outcome for other programs: JSON, and JUnit's XML for build servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from rtgauge.gate.counts import apart, counts
from rtgauge.gate.terminal import lines
from rtgauge.gate.text import limits_of
from rtgauge.gate.values import FAILING, Judged, Outcome, Side
from rtgauge.gate.words import name_of
from rtgauge.trace.fields import clean

SCHEMA = 1


def to_json(outcome: Outcome, strict: bool, exit_code: int) -> dict[str, Any]:
    limits = limits_of(outcome.base)
    return {
        "schema": SCHEMA,
        "ruling": outcome.ruling(strict),
        "exit_code": exit_code,
        "run": _side(outcome.run),
        "base": {**_side(outcome.base), "id": outcome.base_id},
        "incomparable": outcome.incomparable,
        "across": list(outcome.across),
        "under_test": list(outcome.differs),
        "limits": {"main": limits.main, "tail": limits.tail},
        "confidence": outcome.confidence,
        "intervals": outcome.intervals,
        "counts": dict(counts(outcome)),
        "results": [_judged(one) for one in outcome.judged],
        "maxima": [_judged(one) for one in outcome.maxima],
        "notes": list(outcome.notes),
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "file": side.file,
        "made": side.made,
        "runs": side.runs,
        "replicas": side.replicas,
        "identity": dict(side.identity),
        "under_test": dict(side.subject),
        "accepted": list(side.accepted),
    }


def _judged(one: Judged) -> dict[str, Any]:
    return {
        "id": one.key.id,
        "params": dict(one.key.params),
        "environment": dict(one.key.environment),
        "what": one.what,
        "verdict": one.verdict,
        "why": one.why or None,
        "unit": one.unit or None,
        "base": one.base,
        "run": one.run,
        "difference": one.difference,
        "interval": None if one.interval is None else list(one.interval),
        "limit": one.limit or None,
        "line": one.where or None,
    }


def to_junit(outcome: Outcome, runs: Sequence[str], against: Sequence[str], strict: bool) -> str:
    """A test case for each statistic of each result: a failure where it is worse, an error where it could not be judged
    and had to be, skipped where it is new or stands beside what is judged."""
    suite = ElementTree.Element("testsuite", {"name": "rtgauge gate"})
    if outcome.incomparable is not None:
        _case(suite, "rtgauge.gate", "comparable", "error", outcome.incomparable)
    names = apart(outcome)
    for one in outcome.judged:
        kind, words = _as_junit(one, strict)
        _case(suite, f"rtgauge.gate.{one.key.id}", f"{name_of(one.key, names)} {one.what}", kind, words)
    out = ElementTree.SubElement(suite, "system-out")
    out.text = "\n".join(_legal(line) for line in lines(outcome, runs, against, strict))
    for kind in ("failure", "error", "skipped"):
        name = {"failure": "failures", "error": "errors"}.get(kind, kind)
        suite.set(name, str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _as_junit(one: Judged, strict: bool) -> tuple[str, str]:
    figures = "" if one.base is None else f"{one.base:.12g} -> {one.run or 0.0:.12g} {one.unit}, limit {one.limit}"
    words = f"{one.verdict}: {one.why or figures}"
    if one.verdict in FAILING:
        return "failure", words
    if one.verdict == "undecided" or (strict and one.verdict == "unjudged"):
        return "error", words
    return ("skipped", words) if one.verdict in ("new", "unjudged") else ("", "")


def _case(suite: ElementTree.Element, group: str, name: str, kind: str, words: str) -> None:
    attributes: Mapping[str, str] = {"classname": _legal(group), "name": _legal(name)}
    case = ElementTree.SubElement(suite, "testcase", dict(attributes))
    if kind:
        ElementTree.SubElement(case, kind, {"message": _legal(words)})


def _legal(text: str) -> str:
    """Without what XML cannot hold."""
    return "".join(one if one.isprintable() or one == " " else "\ufffd" for one in clean(text, most=None))
