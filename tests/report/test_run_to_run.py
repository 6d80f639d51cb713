"""The section on what differs from run to run."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from rtgauge.report import RunView, render
from rtgauge.report.blocks import Dots, Table
from rtgauge.report.sections.run_to_run import section
from tests.repeats.test_repeats import joined, run, series
from tests.report.example import result, view


def shown(*runs: Any, which: int = 0) -> RunView:
    """The report of one of these runs."""
    repeats = joined(*runs)
    one = repeats.runs[which]
    entries = [{**result(found.id, found.params), "environment": found.environment} for found in one.results.values()]
    made = view([(entry, None) for entry in entries], run=one.run)
    return RunView(made.results, made.manifest, made.series, repeats=repeats)


def table_of(made: RunView) -> Table:
    built = section(made)
    assert built is not None
    return [block for block in built.part.blocks if isinstance(block, Table)][-1]


def moving() -> RunView:
    return shown(run(1, series(1000.0)), run(2, series(1100.0)), run(3, series(1050.0)), which=1)


def test_a_run_that_stands_alone_has_no_section() -> None:
    assert section(replace(moving(), repeats=None)) is None


def test_each_result_has_its_runs_in_a_row() -> None:
    (row,) = table_of(moving()).rows
    medians, maxima = (cell for cell in row if isinstance(cell, Dots))
    first, second, third = medians.places
    assert first < third < second  # type: ignore[operator]
    assert all(0 <= place <= 1 for place in (*medians.places, medians.low, medians.high))  # type: ignore[operator]
    assert medians.what.startswith("run 1: 1")
    assert maxima.low == 0
    assert maxima.places[1] == 1
    texts = [cell.text for cell in row if not isinstance(cell, Dots) and cell.kind == "cell"]
    assert texts[0] == "THR-P-SLS"
    assert "1.000 to 1.100" in texts
    assert texts[-2].startswith("1.149")
    assert texts[-1] == "3 000".replace(" ", "\u202f")


def test_a_small_difference_is_drawn_small() -> None:
    made = shown(run(1, series(1000.0, histogram=[])), run(2, series(1001.0, histogram=[])))
    (row,) = table_of(made).rows
    dots = next(cell for cell in row if isinstance(cell, Dots))
    low, high = dots.places
    assert low is not None
    assert high is not None
    assert 0 < high - low < 0.1


@pytest.mark.parametrize("format", ["html", "md"])
def test_formats_tell_of_all_runs(format: str) -> None:
    text = render(moving(), format)
    assert isinstance(text, str)
    assert "Run to run" in text
    assert "3 whole runs" in text
    assert "The other sections tell of run 2 alone." in text
    if format == "html":
        assert text.count('<svg class="dots"') == 2
        assert len(re.findall("<circle", text)) == 6
    else:
        bars = re.search("[▁▂▃▄▅▆▇█]{3}", text)
        assert bars
        assert bars[0][0] < bars[0][2] < bars[0][1]


def test_a_result_that_another_run_has_is_there_without_a_link() -> None:
    other = series(500.0, params={"threads": 9})
    made = shown(run(1, series(1000.0)), run(2, series(1000.0), other), run(3, series(1000.0), other))
    first, second = table_of(made).rows
    assert first[0].href  # type: ignore[union-attr]
    assert second[1].text == "threads 9"  # type: ignore[union-attr]
    assert not second[1].href  # type: ignore[union-attr]


def test_what_the_runs_do_not_agree_on_and_what_is_missing_are_said() -> None:
    good = {"id": "SEM-B-LCK", "params": {}, "status": "pass", "checks": []}
    bad = {**good, "status": "fail", "reason": "<script>alert(1)</script>\x1b"}
    made = shown(run(1, good, of=5), run(2, bad, of=5, state="interrupted", engine={"sha256": "x"}))
    html, md = render(made, "html"), render(made, "md")
    assert isinstance(html, str)
    assert isinstance(md, str)
    for text in (html, md):
        for words in ("run 1 pass, run 2 fail", "2 of 5 runs are there", "run 2 is interrupted", "engine of run 2"):
            assert words in text
        assert "<script>alert" not in text
        assert "\x1b" not in text


def test_many_runs_stay_readable() -> None:
    made = shown(*(run(n, series(1000.0 + n)) for n in range(1, 101)))
    built = section(made)
    assert built is not None
    runs = next(block for block in built.part.blocks if isinstance(block, Table))
    assert len(runs.rows) == 24
    assert runs.note == "and 76 more runs"
    assert isinstance(render(made, "html"), str)
