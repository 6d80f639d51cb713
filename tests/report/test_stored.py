"""From a run folder to a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtgauge.report import render, view_of
from rtgauge.store.compute import compute
from rtgauge.store.folder import RESULTS, TRACE, RunFolder
from rtgauge.store.readers import load_trace, open_run
from tests.support.example import example_spec, example_trace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = RunFolder(tmp_path, "local", {"spec": example_spec().as_dict(), "profile": "quick"})
    folder.write_trace(example_trace())
    folder.end_trace()
    folder.write_json(RESULTS, compute(load_trace(folder.path), example_spec(), folder.manifest).content)
    folder.finish("complete")
    return folder.path


def test_samples_stand_behind_their_results(folder: Path) -> None:
    view = view_of(open_run(folder))
    assert view.all_problems == ("THR-P-NEW has no end",)  # what the trace itself lacks
    assert len(view.series) == len(view.results["results"])
    drawn = [entry for entry in view.entries if entry.has_figures]
    assert len(drawn) >= 8
    for entry in drawn:
        assert entry.samples is not None
        assert entry.samples.n == entry.result["n"]
        assert float(entry.samples.value.max()) == pytest.approx(entry.result["max"])


@pytest.mark.parametrize("format", ["html", "md", "json"])
def test_every_format_shows_every_result_of_a_stored_run(folder: Path, format: str) -> None:
    view = view_of(open_run(folder))
    text = render(view, format)
    assert isinstance(text, str)
    for entry in view.entries:
        assert entry.id in text


def test_trace_that_says_something_else_gives_no_diagrams(folder: Path) -> None:
    raw = (folder / TRACE).read_bytes()
    (folder / TRACE).chmod(0o644)
    (folder / TRACE).write_bytes(raw[: len(raw) // 2])
    view = view_of(open_run(folder))
    assert any("diagrams of samples are left out" in problem for problem in view.all_problems)
    assert all(entry.samples is None for entry in view.entries)
    assert "not those of the stored trace" in str(render(view, "html"))


def test_missing_trace_leaves_the_figures(folder: Path) -> None:
    (folder / TRACE).unlink()
    view = view_of(open_run(folder))
    assert any("cannot be read again" in problem for problem in view.all_problems)
    assert "THR-P-SLS" in str(render(view, "md"))
