"""Markdown and JSON."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from rtgauge.errors import RtgaugeError, UsageError
from rtgauge.report import RunView, assets, format_names, render
from tests.report.example import big_run, timed, view
from tests.report.hostile import evil_run


def test_formats_are_found_and_unknown_ones_name_the_legal() -> None:
    for _ in range(2):  # also once the package of the formats has been imported
        assert format_names() == ["html", "json", "junit", "md", "pdf"]
    with pytest.raises(UsageError, match="html, json, junit, md, pdf"):
        render(big_run(), "htm")


def test_json_is_the_stored_content_in_a_stable_order() -> None:
    run = big_run()
    text = render(run, "json")
    assert isinstance(text, str)
    assert json.loads(text) == json.loads(json.dumps(run.results))
    shuffled = {key: run.results[key] for key in reversed(list(run.results))}
    shuffled["results"] = [dict(reversed(list(r.items()))) for r in run.results["results"]]
    assert render(RunView(shuffled, run.manifest, run.series), "json") == text
    assert list(json.loads(text))[:3] == ["schema", "run", "target"]


def test_markdown_holds_all_results_and_well_formed_tables() -> None:
    run = big_run()
    text = render(run, "md")
    assert isinstance(text, str)
    for entry in run.entries:
        assert entry.id in text
    width = None
    for line in text.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
        assert width is None or cells is None or cells == width, line
        width = cells
    assert "▁" in text
    assert re.search(r"^# ", text)


def test_markdown_of_hostile_texts_holds_no_markup() -> None:
    text = render(evil_run(), "md")
    assert isinstance(text, str)
    assert "<" not in text.replace("&lt;", "")
    assert not re.search(r"(?<!\\)\]\(", text)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_markdown_histogram_shows_both_bands() -> None:
    value = np.concatenate([np.full(900, 100.0), np.full(100, 130.0)])
    text = render(view([timed("THR-P-SLS", {}, value)]), "md")
    assert isinstance(text, str)
    (bars,) = re.findall(r"\|([ ▁▂▃▄▅▆▇█]+)\|", text)
    assert bars.strip(" ").count("█") == 1
    assert len(bars.split()) == 2


def test_plot_library_is_looked_for_in_the_package_then_in_the_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script, style = assets.uplot.__wrapped__()
    assert "uPlot" in script
    assert ".u-wrap" in style
    if "MIT" in script[:300]:
        assert "Copyright" in script[:300]  # its licence travels with it
    monkeypatch.setattr(assets, "UPLOT", ("no-such-file.js", "nor-this.css"))
    with pytest.raises(RtgaugeError, match="uPlot is not in this installation"):
        assets.uplot.__wrapped__()
