"""The pages on reports: the example of docs/adding-a-section.md is a section, docs/reports.md says what there is."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from rtgauge.cli._parser import parse
from rtgauge.registry import plugins
from rtgauge.report import format_names, render, sections, suffix_of
from rtgauge.report.vendor import LARGEST
from tests.report.example import big_run, result, timed, view

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-section.md"


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file of the page, beside the other sections."""
    text = PAGE.read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.S)
    name = re.search(r"`src/rtgauge/report/sections/(\w+\.py)`", text)
    assert code is not None
    assert name is not None
    (tmp_path / name[1]).write_text(code[1], encoding="utf-8")
    monkeypatch.setattr(sections, "__path__", [*sections.__path__, str(tmp_path)])
    plugins.cache_clear()
    yield
    plugins.cache_clear()


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize("format", ["html", "md"])
def test_the_example_of_adding_a_section_is_shown(format: str) -> None:
    entry, samples = timed("THR-P-SLS", {"threads": 2}, np.arange(1.0, 99.0))
    for stolen in (0, 7):
        entry["counters"] = {"steal_ticks": stolen}
        text = str(render(view([(entry, samples)]), format))
        assert ("Steal time" in text) is bool(stolen)
        assert ("Stolen ticks" in text) is bool(stolen)


def test_the_orders_of_the_page_are_those_of_the_sections() -> None:
    entry, samples = timed("THR-P-SLS", {"threads": 2}, np.arange(1.0, 99.0))
    orders = {section.order for section in sections.sections(view([(entry, samples)]))}
    line = re.search(r"leave room: ([^.]*)\.", PAGE.read_text(encoding="utf-8"), re.S)
    assert line is not None
    assert {int(number) for number in re.findall(r"\d+", line[1])} == orders


REPORTS = PAGE.parent / "reports.md"


def table_of(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of docs/reports.md."""
    below = REPORTS.read_text(encoding="utf-8").split(f"## {heading}\n")[1]
    rows = re.search(r"(?:^\|.*\n)+", below, re.M)
    assert rows is not None
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in rows[0].splitlines()][2:]


def test_the_formats_of_the_page_are_those_that_there_are() -> None:
    told = {row[0].strip("`"): row[1].strip("`.") for row in table_of("Formats")}
    assert told == {name: suffix_of(name) for name in format_names()}


def test_the_sections_of_the_page_are_those_that_there_are() -> None:
    folder = Path(sections.__file__).parent
    there = re.findall(r"Part\(\s*\"([a-z-]+)\"", "".join(file.read_text("utf-8") for file in folder.glob("[a-z]*.py")))
    told = [name for row in table_of("Sections") for name in row[0].split(", ")]
    assert sorted(told) == sorted(set(there))
    shown = [one.part.anchor for one in sections.sections(replace(big_run(), vendor="We agree."))]
    assert [name for name in told if name in shown] == shown


def test_the_commands_of_the_page_are_legal() -> None:
    lines = re.findall(r"^    (rtgauge .*)", REPORTS.read_text(encoding="utf-8"), re.M)
    assert len(lines) >= 6
    for line in lines:
        parse(shlex.split(line.partition("||")[0], comments=True)[1:])


def test_the_cases_of_the_page_are_those_of_the_format() -> None:
    for names, what in table_of("JUnit XML"):
        for status in names.split(", "):
            run = view([(result("MUT-B-ARC", status=status, reason="x"), None)])
            root = ElementTree.fromstring(str(render(run, "junit")).encode())
            (case,) = [one for one in root.iter("testcase") if one.get("classname") == "rtgauge.MUT-B-ARC"]
            inner = [one.tag for one in case if one.tag != "properties"]
            assert what.startswith(inner[0] if inner else "passes")


def test_the_limit_of_the_page_is_that_of_comments() -> None:
    assert f"at most {LARGEST >> 10} KiB" in REPORTS.read_text(encoding="utf-8").replace("\n", " ")
