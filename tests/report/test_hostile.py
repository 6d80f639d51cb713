"""A run from elsewhere whose texts try to become paths, mark-up or controls, through every way out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rtgauge.report import render, view_of
from rtgauge.store.catalogue import list_runs
from rtgauge.store.manifest import seal
from rtgauge.store.readers import open_run
from rtgauge.trace import read_trace
from tests.fuzz.folder import fingerprints
from tests.fuzz.invariants import assert_shown_safely, assert_sound
from tests.fuzz.seeds import manifest
from tests.fuzz.terminal import shown
from tests.report.hostile import HOSTILE, evil_manifest, evil_trace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A run folder without results, which are then computed from its hostile trace."""
    trace = evil_trace()
    folder = tmp_path / "store" / "runs" / "20260301-101500-fake-0a1b2c"
    folder.mkdir(parents=True)
    (folder / "trace.cbor").write_bytes(trace)
    about = {**evil_manifest(manifest()), "files": fingerprints({"trace.cbor": trace}), "spec": manifest()["spec"]}
    (folder / "manifest.json").write_bytes(seal(about))
    return folder


def test_a_hostile_trace_is_read_and_holds_nothing_harmful() -> None:
    trace = read_trace(evil_trace())
    assert len(trace.tests) == 2 * len(HOSTILE) + 2
    assert_sound(trace, len(evil_trace()))


@pytest.mark.parametrize("format", ["html", "md", "json", "junit"])
def test_reports(path: Path, format: str) -> None:
    report = render(view_of(open_run(path)), format)
    assert_shown_safely(format, report)
    assert "rtgauge-was-here" in str(report)  # kept as a text, to be read


@pytest.mark.parametrize(
    "command",
    [
        ("show", "{run}"),
        ("show", "{run}", "*"),
        ("show", "{run}", "THR-P-A"),
        ("show", "{run}", "--json"),
        ("show", "{run}", "\x1b[31m\u202e"),
        ("show", "\x1b[31m\u202e\x9b/"),
        ("verify", "{run}"),
        ("verify", "{run}", "--json"),
        ("report", "{run}", "--format", "md"),
        ("report", "{run}", "--format", "json"),
        ("report", "{run}", "--format", "junit"),
        ("report", "{run}", "--format", "\x1b\x9b"),
        ("list", "runs"),
        ("list", "runs", "--json"),
        ("list", "tests", "--target", "replay:{run}"),
        ("list", "tests", "--target", "replay:{run}", "--json"),
        ("run", "replay:{run}"),
        ("run", "replay:{run}", "--json"),
    ],
    ids=" ".join,
)
def test_commands(path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    store = path.parents[1]
    monkeypatch.setenv("RTGAUGE_STORE", str(store))
    assert_shown_safely("terminal", shown(*(word.replace("{run}", str(path)) for word in command)))
    assert not Path("/tmp/rtgauge-was-here").exists()
    assert {one.name for one in store.iterdir()} <= {"runs", "catalogue.sqlite"}
    for run in (store / "runs").iterdir():
        assert {one.name for one in run.iterdir()} <= {
            *("manifest.json", "trace.cbor", "results.json", "samples.parquet", "log.txt")
        }


def test_the_catalogue_takes_the_texts_as_texts(path: Path) -> None:
    (row,) = list_runs(path.parents[1])
    assert (row["run"], row["path"]) == (path.name, str(path))  # of the folder, never of what is in it
    assert_shown_safely("json", json.dumps(row))
