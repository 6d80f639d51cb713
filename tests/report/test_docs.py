"""The example of docs/adding-a-section.md is a section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from rtgauge.registry import plugins
from rtgauge.report import render, sections
from tests.report.example import timed, view

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
