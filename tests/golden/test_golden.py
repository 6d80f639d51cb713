"""Runs that were stored by earlier versions are read, shown, reported and verified by this one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from rtgauge.report import render, view_of
from rtgauge.results import SCHEMA_VERSION, complaint_about
from rtgauge.store.catalogue import list_runs
from rtgauge.store.manifest import SCHEMA, unseal
from rtgauge.store.readers import open_run
from rtgauge.store.verify import verify
from tests.fuzz.terminal import shown
from tests.golden.make import RUNS

KINDS = ("complete", "died", "killed")
FOLDERS = sorted(path.name for path in RUNS.iterdir() if path.is_dir())
STATES = {"complete": "complete", "died": "complete", "killed": "incomplete"}


@pytest.fixture(params=FOLDERS)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """What the run stands for, and a copy of it in a store."""
    stored = RUNS / request.param
    path = tmp_path / "runs" / json.loads((stored / "manifest.json").read_text())["run"]
    shutil.copytree(stored, path)
    return request.param.rpartition("-")[2], path


def test_every_schema_has_its_runs() -> None:
    """Fails when the number is raised without runs of each schema: `python -m tests.golden.make` adds the new ones."""
    assert {f"schema-{number}-{kind}" for number in range(1, SCHEMA + 1) for kind in KINDS} == set(FOLDERS)
    assert SCHEMA_VERSION == SCHEMA


@pytest.mark.parametrize("name", FOLDERS)
def test_a_kept_run_is_as_it_was_stored(name: str) -> None:
    manifest, changed = unseal((RUNS / name / "manifest.json").read_bytes())
    assert changed is None
    assert manifest["schema"] == int(name.split("-")[1])


def test_it_is_opened_with_its_figures(golden: tuple[str, Path]) -> None:
    kind, path = golden
    run = open_run(path)
    assert (run.id, run.state, run.complete) == (path.name, STATES[kind], kind != "killed")
    assert complaint_about(dict(run.results)) is None
    switch = next(one for one in run.results["results"] if one["id"] == "THR-P-SLS")
    assert (switch["status"], switch["params"], switch["n"]) == ("ok", {"threads": 2}, 60)
    assert (switch["min"], switch["median"]) == (800, 800)  # the known answer of the fake system
    if kind == "died":
        reasons = [str(one["reason"]) for one in run.results["results"] if one["status"] == "invalid"]
        assert any("killed by signal 9" in reason for reason in reasons)
        assert run.results["problems"]
    if kind == "killed":
        assert any("computed again from the trace" in problem for problem in run.problems)


def test_it_is_shown(golden: tuple[str, Path]) -> None:
    _, path = golden
    text = shown("show", str(path), "THR-P-SLS")
    assert re.search(r"^THR-P-SLS threads=2 +ok +60 ", text, re.MULTILINE)
    assert "worst  1:" in text


@pytest.mark.parametrize("format", ["html", "md", "json"])
def test_it_is_reported(golden: tuple[str, Path], format: str) -> None:
    report = render(view_of(open_run(golden[1])), format)
    assert isinstance(report, str)
    assert "THR-P-SLS" in report
    assert "cannot be read again" not in report


def test_it_is_verified(golden: tuple[str, Path]) -> None:
    kind, path = golden
    if kind == "killed":
        assert "is incomplete: there is nothing yet to compare with" in shown("verify", str(path))
    else:
        found = verify(path)
        assert found.mismatches == ()
        assert found.samples == 120


def test_it_is_listed(golden: tuple[str, Path]) -> None:
    kind, path = golden
    (row,) = list_runs(path.parents[1])
    assert (row["run"], row["state"], row["target"]) == (path.name, STATES[kind], "fake")
