"""What readers of JUnit XML rely on, as a check that says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

_KINDS = {"failures": "failure", "errors": "error", "skipped": "skipped"}
_ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"},
    "testcase": {"name", "classname", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
    "properties": set(),
    "property": {"name", "value"},
}
_NEEDED = {"testcase": {"name", "classname"}, "testsuite": {"name", "tests"}, "property": {"name", "value"}}
_INSIDE = {
    "testsuites": ("testsuite",),
    "testsuite": ("properties", "testcase"),
    "testcase": ("properties", "skipped", "error", "failure"),
    "properties": ("property",),
}


def complaints(text: str) -> Iterator[str]:
    """What is not as it must be; nothing for a file that every reader takes."""
    root = ElementTree.fromstring(text.encode("utf-8"))
    if root.tag != "testsuites":
        yield f"the root is {root.tag}"
    for element in root.iter():
        yield from _shape(element)
    for suite in (root, *root.iter("testsuite")):
        yield from _sums(suite)
    for suite in root.iter("testsuite"):
        names = [case.get("name") for case in suite.iter("testcase")]
        if len(names) != len(set(names)):
            yield f"{suite.get('name')}: two cases of one name"


def _shape(element: ElementTree.Element) -> Iterator[str]:
    if element.tag not in _ATTRIBUTES:
        yield f"unknown element {element.tag}"
        return
    odd = set(element.attrib) - _ATTRIBUTES[element.tag]
    missing = _NEEDED.get(element.tag, set()) - set(element.attrib)
    if odd or missing:
        yield f"{element.tag}: {odd} is too much, {missing} is missing"
    order = _INSIDE.get(element.tag, ())
    places = [order.index(child.tag) if child.tag in order else -1 for child in element]
    if -1 in places or places != sorted(places):
        yield f"{element.tag} holds {[child.tag for child in element]}"
    if element.tag == "testcase" and sum(child.tag != "properties" for child in element) > 1:
        yield f"{element.get('name')} has two outcomes"


def _sums(suite: ElementTree.Element) -> Iterator[str]:
    cases = list(suite.iter("testcase"))
    counted = {"tests": len(cases)}
    counted |= {name: sum(case.find(tag) is not None for case in cases) for name, tag in _KINDS.items()}
    for name, number in counted.items():
        if suite.get(name) != str(number):
            yield f"{suite.get('name')}: {name} is {suite.get(name)}, not {number}"
    seconds = sum(float(case.get("time", 0)) for case in cases)
    if abs(float(suite.get("time", -1)) - seconds) > 1e-5 * max(1, len(cases)):
        yield f"{suite.get('name')}: time is {suite.get('time')}, not {seconds}"
